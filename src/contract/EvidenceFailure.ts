/** What can go wrong with the evidence store, as callers are told. */
import { Schema } from "effect"
import { InternalFailure, InvalidInput, Overloaded, StoreUnavailable } from "./PublicFailure.ts"

/** Nothing of this source is in the store. */
export class EvidenceNotFound extends Schema.TaggedError<EvidenceNotFound>()("EvidenceNotFound", {
  source_type: Schema.String,
  source_id: Schema.String
}) {
  override get message(): string {
    return `Nothing of ${this.source_type} ${this.source_id} is in the evidence store`
  }
}

/** Vectors cannot be made or kept here. */
export class VectorsUnavailable
  extends Schema.TaggedError<VectorsUnavailable>()("VectorsUnavailable", {
    reason: Schema.Literals(["not_configured", "not_kept", "failed"]),
    /** Of the embedder that failed. */
    engine: Schema.optionalKey(Schema.String),
    detail: Schema.optionalKey(Schema.String)
  })
{
  override get message(): string {
    switch (this.reason) {
      case "not_configured":
        return "No embedder is configured: entries are found by their words"
      case "not_kept":
        return "The database lacks the extension vector: entries are found by their words"
      case "failed":
        return `The embedder ${this.engine ?? ""} failed (${this.detail ?? "unknown"}); ` +
          "what is done is kept, so ask again"
    }
  }
}

/** No reader of this deployment could read the page; nothing was changed. */
export class PageUnreadable extends Schema.TaggedError<PageUnreadable>()("PageUnreadable", {
  url: Schema.String,
  /** Of the reader that was asked last; `not_configured` when there is none. */
  reason: Schema.String
}) {
  override get message(): string {
    return this.reason === "not_configured"
      ? "No page reader is configured"
      : `The page ${this.url} could not be read: ${this.reason}`
  }
}

export const EvidenceFailure = Schema.Union([
  InvalidInput,
  EvidenceNotFound,
  VectorsUnavailable,
  PageUnreadable,
  StoreUnavailable,
  Overloaded,
  InternalFailure
])
export type EvidenceFailure = typeof EvidenceFailure.Type
