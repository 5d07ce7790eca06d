/**
 * Moves a tenant's entries to the configured embedder. Searches switch when every entry has a new
 * vector. An interrupted run can be resumed.
 */
import { DateTime, Effect } from "effect"
import { VectorsUnavailable } from "../../contract/PublicFailure.ts"
import type { OutputOf } from "../../contract/ServiceOperations.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import type { EmbeddingModel } from "../../domain/store/Entry.ts"
import { EvidenceReembedded } from "../../domain/store/EvidenceEvent.ts"
import { EvidenceStore } from "../ports/EvidenceStore.ts"
import * as CollectEvidence from "./CollectEvidence.ts"
import type { Keeper } from "./CollectEvidence.ts"
import { batchTextsMax, Embedding, passageOf } from "./Embedding.ts"

/** Some two million entries. */
const batchesMax = 32_000

/** Makes missing vectors. Fails with `VectorsUnavailable`; run again, it resumes. */
export const reembed = Effect.fn("ReembedEvidence.reembed")(function*(keeper: Keeper) {
  const { addVectors, unembedded } = yield* EvidenceStore
  const { embed, model } = yield* Embedding
  if (typeof model === "string") return yield* new VectorsUnavailable({ reason: model })
  let embedded = 0
  for (let batch = 0; batch < batchesMax; batch++) {
    const lacking = yield* unembedded(keeper.tenantId, model, batchTextsMax)
    if (lacking.length > 0) {
      const vectors = yield* Effect.mapError(
        embed(lacking.map(passageOf), "passage"),
        ({ detail, engine, reason }) =>
          new VectorsUnavailable({ reason: "failed", engine, detail: detail ?? reason })
      )
      yield* addVectors(keeper.tenantId, lacking, vectors)
      embedded += lacking.length
      continue
    }
    const entries = yield* turnTo(model, embedded, keeper)
    // Entries added meanwhile are embedded in the next batch.
    if (entries === undefined) continue
    return { model, embedded, entries } satisfies OutputOf<"ReembedEvidence">
  }
  return yield* new VectorsUnavailable({ reason: "failed", detail: `${batchesMax} batches` })
})

/** Entries with a vector of the model, or `undefined` when some lack one. */
const turnTo = Effect.fnUntraced(
  function*(model: EmbeddingModel, embedded: number, { actor, collector, tenantId }: Keeper) {
    const { compareBy } = yield* EvidenceStore
    let entries = 0
    const turned = yield* compareBy(
      tenantId,
      model,
      Effect.fnUntraced(function*(before, entries_count) {
        entries = entries_count
        const isSame = before?.model === model.model && before.dimensions === model.dimensions
        if (isSame && embedded === 0) return
        yield* CollectEvidence.record(
          CollectEvidence.streamOf(tenantId, "vectors"),
          EvidenceReembedded.make({
            ...asGiven({ from: before }),
            to: model,
            entries_count,
            reembedded_at: DateTime.formatIso(yield* DateTime.now),
            collector
          }),
          actor
        )
      })
    )
    return turned ? entries : undefined
  }
)
