/** A chat of three turns without a phase, over every interface. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { connect } from "../../packages/client/src/connect.ts"
import { GroundingClient, layer } from "../../packages/client/src/effect.ts"
import { GroundingOutcome } from "../../src/domain/session/GroundingOutcome.ts"
import { requestFor, send } from "../support/httpCalls.ts"
import { toolOver } from "../support/mcpCalls.ts"
import { sandboxService } from "../support/sandboxService.ts"
import { url } from "../support/service.ts"

const turns = [
  { topic: "How much notice must a tenant give in Japan?" },
  { topic: "What does a tram ride in Halvern cost?", user_asked_for_facts: true },
  { topic: "When must rent be paid in Japan?" }
].map((turn) => ({ ...turn, session_id: "chat", tier: "premium" as const }))
type Turn = (typeof turns)[number]

const { llm_context, notes, reason } = GroundingOutcome.fields
const read = Schema.decodeUnknownSync(
  Schema.toCodecJson(Schema.Struct({ llm_context, notes, reason }))
)

const faces = [
  {
    face: "rpc",
    ask: (turn: Turn) =>
      Effect.flatMap(
        url,
        (address) =>
          Effect.flatMap(GroundingClient, ({ ground }) => ground(turn)).pipe(
            Effect.provide(layer({ url: address })),
            Effect.orDie
          )
      )
  },
  {
    face: "http",
    ask: (turn: Turn) =>
      Effect.flatMap(
        url,
        (address) =>
          Effect.map(
            send(address, requestFor("Ground", turn)),
            ({ text }) => read(JSON.parse(text))
          )
      )
  },
  {
    face: "client",
    ask: (turn: Turn) =>
      Effect.flatMap(
        url,
        (address) => Effect.promise(() => connect(address).ground(turn).then(read))
      )
  },
  {
    face: "mcp",
    ask: (turn: Turn) => Effect.map(toolOver("web_grounding", turn), read)
  }
]

describe("a chat that names no phase", () => {
  it.live.each(faces)("is searched where it may, by $face", ({ ask }) =>
    Effect.gen(function*() {
      const [setUp, asked, unasked] = yield* Effect.forEach(turns, (turn) => ask(turn))
      assert.deepStrictEqual(
        [setUp, asked, unasked].map((outcome) => outcome?.reason),
        ["answered", "answered", "phase_not_eligible"]
      )
      assert.match(unasked?.llm_context ?? "", /user_asked_for_facts/)
      assert.match(unasked?.notes?.join(" ") ?? "", /user_asked_for_facts/)
    }).pipe(Effect.provide(sandboxService)), 60_000)
})
