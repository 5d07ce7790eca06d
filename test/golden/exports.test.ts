/** An export of any release still verifies, comes in, and replays as far as the rules are the same. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import * as OutsideAnchors from "../../src/adapters/anchors/OutsideAnchors.ts"
import * as ImportSessions from "../../src/application/audit/ImportSessions.ts"
import { rulesVersion } from "../../src/domain/session/RulesVersion.ts"
import { useCases } from "../../src/wiring/layers.ts"
import { caller, instance, limits, providers } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import { AuditApi } from "../support/sent.ts"
import { digest } from "../support/verifiedHistory.ts"

const folder = "test/golden/exports"

const store = Layer.mergeAll(
  ImportSessions.layer.pipe(
    Layer.provide(OutsideAnchors.layerSigningKey(Option.none())),
    Layer.provide(digest)
  ),
  useCases
).pipe(
  Layer.provideMerge(Layer.mergeAll(providers(), MemoryEventStore.layer, instance("p"), limits()))
)

describe("a recorded export", () => {
  it.effect.each(readdirSync(folder))("%s comes in and replays", (file) =>
    Effect.gen(function*() {
      const { take } = yield* ImportSessions.ImportSessions
      const lines = readFileSync(`${folder}/${file}`, "utf8").trimEnd().split("\n")
      const { sessions } = yield* take(caller.tenantId, lines, Option.none())
      const { replays } = yield* AuditApi
      const told = yield* replays({}, caller)
      assert.lengthOf(told.sessions, sessions)
      const rules: ReadonlyArray<number> = JSON.parse(lines.at(-1) ?? "").rules_versions
      const expected = rules.every((version) => version === rulesVersion)
        ? ["identical"]
        : ["identical", "other_rules"]
      for (const { verdict } of told.sessions) assert.include(expected, verdict)
    }).pipe(Effect.provide(store)))
})
