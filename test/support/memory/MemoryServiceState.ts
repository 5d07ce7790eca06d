/** State of the service in a map: for tests. */
import { Clock, Effect, Layer } from "effect"
import { ServiceState, type StateRow } from "../../../src/application/ports/ServiceState.ts"

export const layer = Layer.effect(
  ServiceState,
  Effect.sync(() => {
    const all = new Map<
      string,
      StateRow<unknown> & { readonly kind: string; readonly untilMs: number }
    >()
    return ServiceState.of({
      rows: (kind, { before, limit }) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) =>
          [...all.values()]
            .filter((row) =>
              row.kind === kind && row.untilMs > nowMs && (before === undefined || row.key < before)
            )
            .sort((one, other) => one.key < other.key ? -1 : 1)
            .slice(-limit)
            .map(({ key, value, version }) => ({ key, value, version }))),
      put: (kind, { key, keptMs = Infinity, value, version }) =>
        Effect.map(Clock.currentTimeMillis, (nowMs) => {
          const id = `${kind} ${key}`
          const row = all.get(id)
          const isFree = row === undefined ||
            (version === 0 ? row.untilMs <= nowMs : row.version === version)
          if (isFree) {
            const untilMs = nowMs + keptMs
            all.set(id, { kind, key, value, version: (row?.version ?? 0) + 1, untilMs })
          }
          return isFree
        })
    })
  })
)
