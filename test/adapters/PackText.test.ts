/** What the terminal says of a pack that rests on search results alone. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PackText from "../../src/adapters/cli/rendering/PackText.ts"
import { EngineFailed } from "../../src/application/ports/Engines.ts"
import {
  askedRequest,
  caller,
  inMemory,
  providers,
  readingBy,
  scripted
} from "../support/grounding.ts"
import { PublicApi } from "../support/sent.ts"
import { answerWith, hit } from "../support/sessionFacts.ts"

const as = (text: string) => text
const style = { strong: as, faint: as, good: as, doubtful: as, columns: 400 }

const found = answerWith(
  ["one", "two", "three"].map((host) =>
    hit(`https://${host}.example/notice`, {
      official: true,
      site: `${host}.example`,
      content: `A tenant must give one month's notice before leaving flat number ${host.length}.`
    })
  )
)

/** Refuses each page for its host's reason. */
const readers = readingBy(({ url }) =>
  Effect.fail(
    url.includes("one")
      ? new EngineFailed({ engine: "local", reason: "timeout", detail: "extraction" })
      : new EngineFailed({ engine: "local", reason: "refused", detail: "robots" })
  )
)

describe("a pack without a page that was read whole", () => {
  it.effect("says why, each reason once, as its outcome does", () =>
    Effect.gen(function*() {
      const api = yield* PublicApi
      const outcome = yield* api.ground(askedRequest, caller)
      assert.strictEqual(outcome.mode, "snippets_only")
      const faults = outcome.rungs["reader"]?.faults.map(({ detail }) => detail)
      assert.deepStrictEqual([...faults ?? []].sort(), ["extraction", "robots"])
      const text = PackText.render(outcome, style)
      assert.match(text, /The pages themselves were not read; claims are from .+ \(.+\)\./)
      assert.lengthOf(text.match(/robots, the site's robots\.txt does not allow it/g) ?? [], 1)
      assert.include(text, "extraction, taking the text out of the page took too long")
      const unasked = yield* api.ground({ ...askedRequest, request_id: "r2", topic: "2+2" }, caller)
      assert.notMatch(PackText.render(unasked, style), /[A-Z]_[A-Z]/)
      const made = { ...unasked, mode: "ungrounded", evidence_block: "" } as const
      const advice = PackText.render({ ...made, llm_context: "Nothing.\n[Label]" }, style)
      assert.notInclude(advice, "[Label]")
    }).pipe(Effect.provide(inMemory(providers(scripted(found)), { readers }))))
})
