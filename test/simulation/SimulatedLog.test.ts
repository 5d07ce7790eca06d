import { Effect, Layer } from "effect"
import { salt, uuidv7 } from "../../src/infrastructure/Digest.ts"
import { eventStoreContract } from "../contract/eventStoreContract.ts"
import type { Connection } from "./Connection.ts"
import * as SimulatedLog from "./SimulatedLog.ts"

const tripMs = 1

/** Statements take a moment of real time, and their commits another: racers meet. */
const connection: Connection = {
  send: (_, work) =>
    Effect.callback((resume) => {
      setTimeout(() => work(tripMs, (value) => resume(Effect.succeed(value))), tripMs)
    }),
  ask: (_, work) => Effect.delay(Effect.sync(work), tripMs),
  run: (_, work) => work
}

const layer = Layer.unwrap(Effect.sync(() =>
  SimulatedLog.layer({
    tables: SimulatedLog.emptyTables(),
    connection,
    nowMs: Date.now,
    chance: { salt, uuid: () => uuidv7(Date.now()) },
    committed: () => undefined,
    later: (ms, run) => setTimeout(run, ms)
  })
))

eventStoreContract("simulated", layer)
