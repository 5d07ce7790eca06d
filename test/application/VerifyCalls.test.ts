/** Who may have which part of the log verified. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { askUnknown } from "../../src/adapters/cli/Wiring.ts"
import * as Admission from "../../src/application/Admission.ts"
import * as ServiceCalls from "../../src/application/operations/ServiceCalls.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import type { AccessScope } from "../../src/domain/access/AccessToken.ts"
import { scripted } from "../support/grounding.ts"
import { behind } from "../support/service.ts"
import { recorded } from "../support/verifiedHistory.ts"

const layer = ServiceCalls.layer().pipe(
  Layer.provide(Admission.layer({ grounding: 1, read: 8, health: 1, document: 1 })),
  Layer.provideMerge(behind(scripted("hangs")))
)

const asking = (scopes: ReadonlyArray<AccessScope>, input: unknown) =>
  Effect.flatMap(
    ServiceCalls.ServiceCalls,
    ({ askedBy }) =>
      askUnknown(
        askedBy({ tenantId: "t1", actor: "test", scopes: new Set(scopes) }),
        "VerifyLog",
        input
      )
  )

const anchor = {
  log_id: "0".repeat(64),
  tree_size: 3,
  root_hash: "0".repeat(64),
  last_position: "3",
  at: "2026-01-01T00:00:00.000Z"
}

describe("the verification that a caller asks for", () => {
  it.effect("is of the caller's tenant, and of the deployment with `admin` alone", () =>
    Effect.gen(function*() {
      yield* recorded
      const { head } = yield* (yield* EventStore).read({ tenant_id: "t1", session_id: "a" })
      assert.strictEqual(head.version, 5)
      const own = yield* asking(["audit"], {})
      assert.deepInclude(own, { sound: true, events: 8, streams: 2 })
      assert.isUndefined(own.anchor)
      const session = yield* asking(["audit"], { session_id: "b" })
      assert.deepInclude(session, { sound: true, events: 3, streams: 1 })
      const others = yield* asking(["audit"], { session_id: "c" })
      assert.deepInclude(others, { events: 0, streams: 0 })

      const all = { reach: "deployment" }
      const refused = yield* Effect.flip(asking(["audit"], all))
      assert.deepInclude(refused, { _tag: "Forbidden", scope: "admin" })
      const auditless = yield* Effect.flip(asking(["admin"], all))
      assert.deepInclude(auditless, { _tag: "Forbidden", scope: "audit" })
      const whole = yield* asking(["audit", "admin"], all)
      assert.deepInclude(whole, { sound: true, events: 12, streams: 3 })
      const compared = yield* asking(["audit", "admin"], { ...all, anchor })
      assert.deepStrictEqual(compared.faults, [{
        kind: "rewritten",
        tree_size: 3,
        after_position: "0",
        until_position: "3"
      }])

      const alone = yield* Effect.flip(asking(["audit"], { anchor }))
      assert.deepInclude(alone, { _tag: "InvalidInput", field: "anchor" })
      const both = yield* Effect.flip(asking(["audit", "admin"], { ...all, session_id: "a" }))
      assert.deepInclude(both, { _tag: "InvalidInput", field: "session_id" })
    }).pipe(Effect.provide(layer)))
})
