/**
 * `PUT /documents`: stores one streamed document in the evidence store. The query names it (fields
 * of `DocumentQuery`); the content type selects the reader. The same `source_id` replaces it.
 * Query, type and declared length are checked before the body is read.
 */
import { Effect, Schema, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { callerOf, granted } from "../../application/Access.ts"
import { Admission } from "../../application/Admission.ts"
import * as ReadDocument from "../../application/evidence/ReadDocument.ts"
import { EvidenceApi } from "../../application/EvidenceApi.ts"
import {
  documentBytesMax,
  DocumentReader,
  DocumentUnreadable
} from "../../application/ports/Embedder.ts"
import { DocumentQuery } from "../../contract/EvidenceInput.ts"
import * as FailureTable from "../../contract/FailureTable.ts"
import * as Input from "../../contract/Input.ts"
import { EvidenceFailure } from "../../contract/PublicFailure.ts"
import * as SentInput from "../../contract/SentInput.ts"
import { operatorOperations } from "../../contract/ServiceOperations.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as RetryAfter from "../../infrastructure/RetryAfter.ts"

const documentsPath = "/documents"

export interface DocumentLimits {
  /** Most bytes of one document. At most the reader's limit. */
  readonly bytesMax: number
  /** Longest time for a body. Below the server's limit for a whole request, 15 s. */
  readonly uploadMsMax: number
}

export const documentLimits: DocumentLimits = { bytesMax: documentBytesMax, uploadMsMax: 10_000 }

export class UploadIncomplete extends Schema.TaggedError<UploadIncomplete>()("UploadIncomplete", {
  /** `too_slow`: over the time limit. `cut_off`: the connection or its framing broke. */
  reason: Schema.Literals(["too_slow", "cut_off"])
}) {
  override get message(): string {
    return this.reason === "too_slow"
      ? "The document was too slow to arrive"
      : "The document did not arrive whole"
  }
}

const DocumentFailure = Schema.Union([EvidenceFailure, DocumentUnreadable, UploadIncomplete])
type DocumentFailure = typeof DocumentFailure.Type

export const layer = (limits: DocumentLimits) =>
  HttpRouter.add(
    "PUT",
    documentsPath,
    Effect.matchEffect(collected(limits), {
      onFailure: refused,
      onSuccess: (answer) => HttpServerResponse.json(answer)
    }).pipe(Effect.orDie)
  )

const decodeQuery = Input.decode(DocumentQuery)

const collected = Effect.fn("DocumentRoute.collected")(
  function*(limits: DocumentLimits) {
    const caller = yield* Effect.orDie(callerOf("http"))
    yield* granted(operatorOperations.CollectEvidence.scope)(caller)
    const { admit } = yield* Admission
    const { CollectEvidence } = yield* EvidenceApi
    const { contentTypes } = yield* DocumentReader
    const request = yield* HttpServerRequest.HttpServerRequest
    const query = yield* HttpServerRequest.ParsedSearchParams
    const { collector, ...about } = yield* decodeQuery(query)
    const name = about.source_id
    const contentType = request.headers["content-type"] ?? ""
    if (!contentTypes.includes(contentType.split(";")[0]?.trim().toLowerCase() ?? "")) {
      return yield* new DocumentUnreadable({ name, reason: "unknown_kind" })
    }
    if (Number(request.headers["content-length"] ?? 0) > limits.bytesMax) {
      return yield* new DocumentUnreadable({ name, reason: "too_large" })
    }
    return yield* admit("document")(Effect.gen(function*() {
      const bytes = yield* bodyOf(request, name, limits)
      const { unread_date, ...input } = yield* ReadDocument.inputOf(
        { name, bytes, contentType },
        about,
        name
      )
      const by = collector === undefined ? {} : { collector }
      const asked = yield* SentInput.decode("CollectEvidence", { ...input, ...by })
      const collected = yield* CollectEvidence(asked, caller)
      return { ...collected, ...asGiven({ unread_date }) }
    }))
  }
)

/** The whole body. Fails as soon as it is too long or too slow. */
const bodyOf = (
  { stream }: HttpServerRequest.HttpServerRequest,
  name: string,
  { bytesMax, uploadMsMax }: DocumentLimits
): Effect.Effect<Uint8Array, DocumentUnreadable | UploadIncomplete> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    let bytesCount = 0
    const take = (chunk: Uint8Array) =>
      Effect.suspend(() => {
        bytesCount += chunk.byteLength
        if (bytesCount > bytesMax) {
          return new DocumentUnreadable({ name, reason: "too_large" })
        }
        chunks.push(chunk)
        return Effect.void
      })
    return Stream.runForEach(stream, take).pipe(
      Effect.catchTag("HttpServerError", () => new UploadIncomplete({ reason: "cut_off" })),
      Effect.timeoutOrElse({
        duration: uploadMsMax,
        orElse: () => new UploadIncomplete({ reason: "too_slow" })
      }),
      Effect.map(() => Buffer.concat(chunks))
    )
  })

const encodeFailure = Schema.encodeEffect(DocumentFailure)

const refused = (failure: DocumentFailure) =>
  encodeFailure(failure).pipe(
    Effect.flatMap((encoded) =>
      HttpServerResponse.json(
        { ...encoded, message: failure.message },
        { status: statusOf(failure), headers: retryOf(failure) }
      )
    )
  )

const statusOf = (failure: DocumentFailure): number => {
  if (failure._tag === "UploadIncomplete") return failure.reason === "too_slow" ? 408 : 400
  return failure._tag === "DocumentUnreadable"
    ? unreadableStatuses[failure.reason]
    : FailureTable.statusOf(failure)
}

const unreadableStatuses: Readonly<Record<DocumentUnreadable["reason"], number>> = {
  unknown_kind: 415,
  too_large: 413,
  not_utf8: 415,
  no_text: 422,
  malformed: 422
}

const retryOf = (failure: DocumentFailure): Readonly<Record<string, string>> =>
  "retry_after_ms" in failure
    ? RetryAfter.header(failure.retry_after_ms)
    : {}
