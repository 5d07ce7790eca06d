/** A log in memory that a test changes as the database's owner could, and its anchors. */
import { Brand, Effect, Layer, Option, Redacted, Stream } from "effect"
import { generateKeyPairSync } from "node:crypto"
import * as OutsideAnchors from "../../src/adapters/anchors/OutsideAnchors.ts"
import * as MakeAnchors from "../../src/application/audit/MakeAnchors.ts"
import * as VerifyLog from "../../src/application/audit/VerifyLog.ts"
import {
  EventStore,
  type LoggedEvent,
  type LogPosition
} from "../../src/application/ports/EventStore.ts"
import { Digest, Instance } from "../../src/application/ports/Platform.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"
import * as MemoryAnchors from "./memory/MemoryAnchors.ts"
import * as MemoryEventStore from "./memory/MemoryEventStore.ts"
import * as MemoryLogRows from "./memory/MemoryLogRows.ts"

export const newKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString()

export interface Tampering {
  /** What the log answers instead of what was recorded. */
  rows: ((events: ReadonlyArray<LoggedEvent>) => ReadonlyArray<LoggedEvent>) | undefined
}

/** Positions have gaps of two, as where an append was rolled back. */
const gapped = (event: LoggedEvent): LoggedEvent => ({
  ...event,
  position: Brand.nominal<LogPosition>()(event.position * 3n)
})

/** The log, whose rows a test may have changed. */
export const log = (tampering: Tampering) =>
  Layer.effect(
    EventStore,
    Effect.gen(function*() {
      const store = yield* EventStore
      return EventStore.of({
        ...store,
        all: (position) =>
          Stream.unwrap(Effect.map(
            Stream.runCollect(store.all(Brand.nominal<LogPosition>()(0n))),
            (events) => {
              const rows = [...events].map(gapped)
              return Stream.fromIterable(
                (tampering.rows?.(rows) ?? rows).filter((event) => event.position > position)
              )
            }
          ))
      })
    })
  ).pipe(Layer.provideMerge(MemoryEventStore.layer))

const facts = Layer.succeed(Digest, { sha256, canonical })

/** Makes anchors of the log by that key and verifies it; without a key it makes none. */
export const anchoringRows = (held: MemoryAnchors.Held, key: string | undefined, process = "p") =>
  Layer.merge(MakeAnchors.layer(60_000), VerifyLog.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(
      OutsideAnchors.layerSigningKey(
        Option.map(Option.fromUndefinedOr(key), (pem) => Redacted.make(pem))
      ),
      MemoryAnchors.ledger(held),
      MemoryAnchors.outlets(held),
      Layer.succeed(Instance, { id: process, sole: false }),
      facts
    ))
  )

/** Its rows are those of the log. */
export const anchoring = (...options: Parameters<typeof anchoringRows>) =>
  anchoringRows(...options).pipe(Layer.provide(MemoryLogRows.ofStore))
