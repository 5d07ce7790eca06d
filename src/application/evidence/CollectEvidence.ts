/** Adds material to the evidence store and removes it; each change is recorded in the log. */
import { DateTime, Effect, Option, Result, Struct } from "effect"
import { EvidenceNotFound, InvalidInput } from "../../contract/PublicFailure.ts"
import type { OutputOf } from "../../contract/ServiceOperations.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as Entry from "../../domain/store/Entry.ts"
import { type SourceKey, sourceKeyOf } from "../../domain/store/Entry.ts"
import * as EvidenceRecord from "../../domain/store/EvidenceEvent.ts"
import {
  EvidenceCollected,
  EvidenceEvent,
  EvidencePromoted,
  EvidenceRemoved
} from "../../domain/store/EvidenceEvent.ts"
import {
  type Collection,
  collectionOf,
  type Material,
  type NodeMaterial
} from "../../domain/store/Material.ts"
import type { ReadPage } from "../../domain/store/PageMaterial.ts"
import * as CommandHandler from "../log/CommandHandler.ts"
import * as EventCodec from "../log/EventCodec.ts"
import type { StreamRef } from "../ports/EventStore.ts"
import {
  EvidenceStore,
  type EvidenceStoreUnavailable,
  type Vectors
} from "../ports/EvidenceStore.ts"
import { Digest } from "../ports/Platform.ts"
import { Embedding, embedOrNone, passageOf } from "./Embedding.ts"

export interface Keeper {
  readonly tenantId: string
  readonly actor: string
  readonly collector: string
  /** The session that a page was read for, and is erased with. */
  readonly forSession?: string
  /** Done in the same transaction. */
  readonly also?: Effect.Effect<void, EvidenceStoreUnavailable>
}

export type SourceRef = Pick<Entry.Entry, "source_type" | "source_id">

/** Without a `read_at` the source is read now. */
type CollectionReport = Partial<Omit<ReadPage, "material">>

/** Replaces all entries of the material's source, and records the fact in the same transaction. */
export const collect = Effect.fn("CollectEvidence.collect")(
  function*(material: Material, keeper: Keeper, reading: CollectionReport = {}) {
    const { replace } = yield* EvidenceStore
    const { collection, vectors } = yield* prepared(material, keeper, reading)
    const { entries, key } = collection
    const [gone = 0] = yield* replace(
      keeper.tenantId,
      {
        sources: [key],
        entries,
        ...asGiven({ vectors, forSession: keeper.forSession })
      },
      ([removed = 0]) => {
        const recorded = recordCollected(collection, vectors, removed, { ...keeper, ...reading })
        return keeper.also === undefined ? recorded : Effect.andThen(recorded, keeper.also)
      }
    )
    return { ...collected(collection, vectors, gone), ...noted(reading, collection) }
  }
)

/**
 * Replaces a collected page by a node whose text the caller gives. Fails with `EvidenceNotFound`
 * where the page has no entries.
 */
export const promote = Effect.fn("CollectEvidence.promote")(
  function*(source_id: string, material: typeof NodeMaterial.Type, keeper: Keeper) {
    const { replace } = yield* EvidenceStore
    const { sha256 } = yield* Digest
    const source = { source_type: "web_search", source_id } as const
    const from = sourceKeyOf(source, sha256)
    const { collection, vectors } = yield* prepared(material, keeper)
    const { entries, key } = collection
    const [gone = 0] = yield* replace(
      keeper.tenantId,
      { sources: [from, key], entries, ...asGiven({ vectors }) },
      Effect.fnUntraced(function*([removed_chunks = 0, removedNode = 0]) {
        if (removed_chunks === 0) return yield* new EvidenceNotFound(source)
        yield* record(
          streamOf(keeper.tenantId, from),
          EvidencePromoted.make({
            ...source,
            node_id: material.node.node_id,
            removed_chunks,
            promoted_at: entries[0].collected_at,
            collector: keeper.collector
          }),
          keeper.actor
        )
        yield* recordCollected(collection, vectors, removedNode, keeper)
      })
    )
    return collected(collection, vectors, gone)
  }
)

/** Removes all entries of a source. The facts about them stay in the log. */
export const remove = Effect.fn("CollectEvidence.remove")(
  function*(source: SourceRef, keeper: Keeper) {
    const { replace } = yield* EvidenceStore
    const { sha256 } = yield* Digest
    const key = sourceKeyOf(source, sha256)
    const removed_at = yield* now
    const [removed = 0] = yield* replace(
      keeper.tenantId,
      { sources: [key], entries: [] },
      Effect.fnUntraced(function*([removed_chunks = 0]) {
        if (removed_chunks === 0) return yield* new EvidenceNotFound(source)
        yield* record(
          streamOf(keeper.tenantId, key),
          EvidenceRemoved.make({
            ...source,
            removed_chunks,
            removed_at,
            collector: keeper.collector
          }),
          keeper.actor
        )
      })
    )
    return { ...source, removed }
  }
)

const now = Effect.map(DateTime.now, DateTime.formatIso)

/** Cut and embedded before the transaction, so that none waits for an embedder. */
const prepared = Effect.fnUntraced(function*(
  material: Material,
  { collector }: Keeper,
  { official, read_at }: CollectionReport = {}
) {
  const { sha256 } = yield* Digest
  const cut = collectionOf(material, {
    collected_at: read_at ?? (yield* now),
    collector,
    ...asGiven({ official })
  }, sha256)
  if (Result.isFailure(cut)) return yield* new InvalidInput(cut.failure)
  const collection = cut.success
  const texts = collection.entries.map(passageOf)
  return { collection, vectors: yield* embedOrNone(yield* Embedding, texts, "passage") }
})

const modelOf = Option.map(({ model }: Vectors) => model)

const recordCollected = (
  collection: Collection,
  vectors: Option.Option<Vectors>,
  removed_chunks: number,
  { actor, tenantId, ...reading }: Keeper & CollectionReport
) => {
  const { content_sha256, entries: [first, ...rest], key } = collection
  return record(
    streamOf(tenantId, key),
    EvidenceCollected.make({
      ...Struct.pick(first, [
        "source_type",
        "source_id",
        "source_url",
        "node_id",
        "node_label",
        "collected_at",
        "collector",
        "published_date",
        "modified_date",
        "official"
      ]),
      ...noted(reading, collection),
      content_sha256,
      total_chunks: rest.length + 1,
      removed_chunks,
      ...asGiven({ embedding: modelOf(vectors) })
    }),
    actor
  )
}

const noted = (
  { asked_url, removed_chars_count = 0, truncated }: CollectionReport,
  collection: Collection
) => {
  const removed = removed_chars_count + collection.removed_chars_count
  return {
    ...asGiven({ asked_url, truncated }),
    ...(removed === 0 ? {} : { removed_chars_count: removed })
  }
}

const collected = (
  { entries: [{ source_id, source_type }, ...rest] }: Collection,
  vectors: Option.Option<Vectors>,
  removed: number
): OutputOf<"CollectEvidence"> => ({
  source_type,
  source_id,
  entries: rest.length + 1,
  removed,
  ...asGiven({ embedding: modelOf(vectors) })
})

// Log streams about the evidence store: one for each source, for a tenant's vectors, for its
// reported pages.

export const codec = EventCodec.make(EvidenceEvent)

export const { handle, load } = CommandHandler.make({
  name: "EvidenceLog",
  decider: EvidenceRecord,
  codec,
  // Correlations outlive an erasure, so they name no source.
  correlationOf: ({ _tag }) => _tag === "WEB_GROUNDING_EVIDENCE_REEMBEDDED" ? "vectors" : "evidence"
})

/** A reserved tenant: no caller can have it, although session ids are free. */
const tenantOf = (tenantId: string): string => `_evidence/${tenantId}`

export const streamOf = (
  tenantId: string,
  subject: SourceKey | "reports" | "vectors"
): StreamRef => ({
  tenant_id: tenantOf(tenantId),
  session_id: subject
})

export const record = Effect.fn("EvidenceLog.record")(
  function*(ref: StreamRef, fact: EvidenceEvent, actor: string) {
    yield* handle(yield* load(ref), fact, actor)
  }
)
