/** Erasures of a deployment whose login of the database may not erase. */
import { Effect, Layer } from "effect"
import * as EraseSessions from "../../../src/application/EraseSessions.ts"
import {
  ErasureList,
  ErasureRefused,
  ErasureStore
} from "../../../src/application/erasure/EraseSession.ts"
import * as Storage from "../../../src/wiring/Storage.ts"
import { digest } from "../verifiedHistory.ts"
import * as MemoryEventStore from "./MemoryEventStore.ts"
import * as MemoryEvidenceStore from "./MemoryEvidenceStore.ts"

const refused = Effect.fail(new ErasureRefused({ reason: "not_allowed" }))

export const layer = EraseSessions.layer.pipe(
  Layer.provide(Layer.mergeAll(
    Layer.succeed(ErasureList, ErasureList.none),
    Layer.succeed(ErasureStore, {
      allowed: refused,
      erase: () => refused,
      hold: () => refused
    }),
    Layer.fresh(MemoryEventStore.layer),
    Layer.fresh(MemoryEvidenceStore.layer),
    Storage.ids,
    digest
  ))
)
