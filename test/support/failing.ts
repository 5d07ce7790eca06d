/** Fails on purpose; no ordinary run includes it. */
import { assert, it } from "@effect/vitest"

it("fails", () => assert.isTrue(false))
