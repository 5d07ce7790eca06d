/**
 * What a turned model writes, over HTTP and through the real adapter into a pack: no foreign address,
 * no quotation that is not in its page, and nothing that is not typed. An honest one keeps its
 * citations.
 */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option, Redacted, Result } from "effect"
import { listening, portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as ChatModel from "../../src/adapters/openai/ChatModel.ts"
import * as ChatPackWriter from "../../src/adapters/openai/ChatPackWriter.ts"
import { UsageMeter } from "../../src/application/ports/Limits.ts"
import type { Claim, GroundingPack, PackDraft } from "../../src/domain/pack/GroundingPack.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import { chunksOf } from "../../src/domain/page/Page.ts"
import { type Dice, draw, makeDice } from "../support/dice.ts"
import { materialsOf, needOf } from "../support/evidencePages.ts"
import { foreign, hostileDraft, pages, sentencesOf } from "../support/hostileDrafts.ts"
import { brokenPromises, inventedNumbers, standingClaims } from "../support/packChecker.ts"
import { requestOf } from "../support/sessionFacts.ts"

const full = process.env["WG_TEST_FULL"] === "1"
const runs = full ? 10_000 : 200
const honestRuns = full ? 2_000 : 100
const boundary = "5".repeat(32)
const request = requestOf({ user_question: "How much notice must a tenant give?" })

interface WrittenClaim {
  readonly quotes: ReadonlyArray<{ readonly quote: string; readonly source: number }>
  readonly text: string
  readonly section: string
}

/** Numbers of sources, among them such as no source has. */
const sourceOf = (id: string, dice: Dice): number =>
  /^s[1-4]$/.test(id)
    ? Number(id.slice(1))
    : draw(dice, [0, -1, 5, 99, 2 ** 31, Number.MAX_SAFE_INTEGER])

/** As the prompt asks for it, with addresses wherever a careless reader might take them from. */
const written = ({ claims, what_to_ask_user }: PackDraft, dice: Dice) => ({
  claims: claims.map(({ citations, section, text }): WrittenClaim => ({
    ...Object.fromEntries(
      ["url", "source_id", "confidence", "support", "__proto__"].map((name) => [
        name,
        draw(dice, foreign)
      ])
    ),
    quotes: citations.map(({ quote, source_id }) => ({
      quote,
      source: sourceOf(source_id, dice),
      url: draw(dice, foreign),
      start: 0,
      end: quote.length
    })),
    text,
    section
  })),
  what_to_ask_user,
  sources: [{ id: 1, url: draw(dice, foreign) }]
})

type Message = Readonly<Record<string, unknown>>

/** What is no answer at all, or one in another form. */
const deformed: ReadonlyArray<(content: string, dice: Dice) => Message> = [
  (content) => ({ content: content.slice(0, -1) }),
  (content) => ({ content: content.replaceAll("\"source\":", "\"source\":1.5,\"other\":") }),
  (content) => ({ content: content.replaceAll("key_points", "https://evil.example") }),
  (content) => ({ content: `\u0000${content}` }),
  (content) => ({ content: `${content}${content}` }),
  (content) => ({ content: [{ type: "text", text: content }] }),
  () => ({ content: "[".repeat(5_000) }),
  () => ({ content: `{"claims":"${"x".repeat(1_048_576)}"}` }),
  () => ({ content: null, refusal: "https://evil.example" }),
  (_, dice) => ({
    content: null,
    tool_calls: [{
      id: "1",
      type: "function",
      function: { name: "fetch", arguments: JSON.stringify({ url: draw(dice, foreign) }) }
    }]
  }),
  (content, dice) => ({ content, tool_calls: [{ id: draw(dice, foreign) }] }),
  (content) => ({ content: `<think>https://evil.example</think>${content}` }),
  (content) => ({ content: `Here it is:\n\`\`\`json\n${content}\n\`\`\`` })
]

class Turned extends Context.Service<Turned, {
  readonly model: ChatModel.ChatModel
  readonly say: (message: Message) => void
}>()("web-grounding/test/TurnedModel") {}

const turned = Layer.effect(
  Turned,
  Effect.gen(function*() {
    let said: Message = {}
    const server = yield* listening((incoming, response) => {
      incoming.resume()
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({
        choices: [{ message: { role: "assistant", ...said }, finish_reason: "stop" }],
        usage: { prompt_tokens: 1, completion_tokens: 1 }
      }))
    })
    const model = yield* ChatModel.make({
      baseUrl: `http://127.0.0.1:${portOf(server)}/v1`,
      apiKey: Option.some(Redacted.make("k")),
      model: "turned",
      prices: Option.none()
    })
    return {
      model,
      say: (message) => {
        said = message
      }
    }
  })
)

const chunks = chunksOf(pages)

/** The draft that the adapter makes of it, or its typed failure. */
const read = Effect.fnUntraced(function*(message: Message) {
  const { model, say } = yield* Turned
  say(message)
  return yield* ChatPackWriter.make(model).ask({
    request,
    need: needOf("USER_ASKED"),
    chunks,
    boundary,
    now: "2026-01-01T00:00:00.000Z"
  }).pipe(Effect.provideService(UsageMeter, () => Effect.void), Effect.result)
})

const assembled = (draft: PackDraft) =>
  PackAssembly.assemble(
    materialsOf({ draft, pages, need: needOf("POLICY_LEGAL", "TIME_SENSITIVE") })
  )

/** Removes the position of a quotation from the model's answer. */
const trusting = ({ claims }: ReturnType<typeof written>): GroundingPack => {
  const key_points = claims.flatMap(({ quotes, text }) =>
    quotes.flatMap(({ quote, source }): ReadonlyArray<Claim> => {
      const page = pages[source - 1]
      if (page === undefined) return []
      const start = Math.max(0, page.text.indexOf(quote.slice(0, 8)))
      const found = { text: quote, start, end: start + quote.length, match: "exact" as const }
      const sources = [{ ...page, quotes: [found] }]
      return [{ text, sources, confidence: 0.9, support: "supported" }]
    })
  )
  const empty = assembled({ claims: [], what_to_ask_user: [] })
  return { ...empty, key_points, confidence: key_points.length === 0 ? 0 : 0.9 }
}

describe("what a turned model writes", () => {
  layer(turned, { excludeTestServices: true })((it) => {
    it.effect(
      `is typed, and nothing of it stands unverified: ${runs} drafts`,
      () =>
        Effect.gen(function*() {
          const dice = makeDice(41)
          const ends = { draft: 0, failed: 0, caught: 0 }
          for (let run = 0; run < runs; run++) {
            const answer = written(hostileDraft(dice), dice)
            const content = JSON.stringify(answer)
            const message = run % 5 === 0 ? draw(dice, deformed)(content, dice) : { content }
            const result = yield* read(message)
            if (Result.isFailure(result)) {
              assert.strictEqual(result.failure._tag, "EngineFailed")
              ends.failed += 1
            } else {
              const pack = assembled(result.success)
              assert.deepStrictEqual(brokenPromises(pack, pages), [], content.slice(0, 600))
              assert.deepStrictEqual(inventedNumbers(pack), [], content.slice(0, 600))
              ends.draft += 1
            }
            ends.caught += brokenPromises(trusting(answer), pages).length > 0 ? 1 : 0
          }
          console.info(`turned model: ${JSON.stringify(ends)}`)
          assert.isAbove(ends.draft, 0.8 * runs)
          assert.isAbove(ends.failed, 0.05 * runs)
          // The same drafts, placed as the model says, break promises.
          assert.isAbove(ends.caught, 0.5 * runs)
        }),
      600_000
    )

    it.effect(
      `keeps its true citations when it is honest: ${honestRuns} drafts`,
      () =>
        Effect.gen(function*() {
          const dice = makeDice(42)
          const truths = pages.flatMap((page, place) =>
            sentencesOf(page).filter((sentence) => !sentence.startsWith("Ignore"))
              .map((quote) => ({ quote, source: place + 1 }))
          )
          let [asked, kept] = [0, 0]
          for (let run = 0; run < honestRuns; run++) {
            const claims = Array.from({ length: 3 }, () => {
              const truth = draw(dice, truths)
              return { quotes: [truth], text: truth.quote, section: "key_points" }
            })
            const distinct = claims.filter(({ text }, place) =>
              claims.findIndex((other) => other.text === text) === place
            )
            const content = JSON.stringify({ claims: distinct, what_to_ask_user: [] })
            const draft = Result.getOrThrow(yield* read({ content }))
            // Apart, so that none is demoted because another one says otherwise.
            for (const claim of draft.claims) {
              const pack = PackAssembly.assemble(materialsOf({ claims: [claim], pages }))
              asked += 1
              kept += standingClaims(pack).length > 0 ? 1 : 0
            }
          }
          assert.isAbove(asked, 2 * honestRuns)
          assert.isAtLeast(kept / asked, 0.99)
        }),
      600_000
    )
  })
})
