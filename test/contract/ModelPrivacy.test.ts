/** No model's server is sent personal data of the asker, whichever field of a request holds it. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as SandboxServer from "../../packages/sandbox/src/SandboxServer.ts"
import * as ChatNeedGate from "../../src/adapters/openai/ChatNeedGate.ts"
import * as ChatPackWriter from "../../src/adapters/openai/ChatPackWriter.ts"
import * as ChatResearcher from "../../src/adapters/openai/ChatResearcher.ts"
import type { EngineFailed } from "../../src/application/ports/Engines.ts"
import { UsageMeter } from "../../src/application/ports/Limits.ts"
import { Ids } from "../../src/application/ports/Platform.ts"
import { chunksOf } from "../../src/domain/page/Page.ts"
import type { CourseSubject } from "../../src/domain/request/GroundingRequest.ts"
import * as Storage from "../../src/wiring/Storage.ts"
import { applicationOf } from "../support/chat.ts"
import { needOf, pageOf } from "../support/evidencePages.ts"
import { caller } from "../support/grounding.ts"
import * as ModelServer from "../support/modelServer.ts"
import { PublicApi } from "../support/sent.ts"
import { requestOf } from "../support/sessionFacts.ts"

/** What a person writes of themselves, and the private parts of it. */
const canaries: ReadonlyArray<readonly [text: string, secrets: ReadonlyArray<string>]> = [
  ["My name is Jonas Quillfeather.", ["Jonas", "Quillfeather"]],
  ["My mail is jonas.q@private.example.", ["jonas.q", "private.example"]],
  ["My phone number is +49 170 1234567.", ["170", "1234567"]]
]
const written = canaries.map(([text]) => text).join(" ")

/** The boundary of the web text is drawn: 32 hex digits, which may hold any three. */
const boundaries = /[0-9a-f]{32}/g

const leaks = (bodies: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sent = bodies.map((body) => body.replace(boundaries, "").toLowerCase())
  return canaries.flatMap(([, secrets]) => secrets)
    .filter((secret) => sent.some((body) => body.includes(secret.toLowerCase())))
}

const question = "How much notice must a tenant give?"
type Input = NonNullable<Parameters<typeof requestOf>[0]>

/** One request for each field that a caller fills with text. */
const inputs: Readonly<Record<string, Input>> = {
  topic: { topic: `${question} ${written}`, user_question: question },
  "topic of a question that leans on it": {
    topic: `Notice of a tenant. ${written}`,
    user_question: "And in Japan?"
  },
  user_question: { user_question: `${written} ${question}` },
  "user_question that leans on its topic": { user_question: `Is it? ${written}` },
  known_facts: { known_facts: [...canaries.map(([text]) => text), written] },
  unknown_required_slots: { unknown_required_slots: canaries.map(([text]) => text) },
  "region.city": { region: { country: "JP", city: `Osaka. ${written}` } },
  template_id: { template_id: written },
  session_id: { session_id: written, request_id: `1 ${written}` },
  "overrides.queries": { overrides: { queries: [`${question} ${written}`] } },
  course: {
    course: {
      course_title: `Tenancy law. ${written}`,
      audience_category: "tenants",
      depth_requirement: "introduction",
      learning_mode: "self_paced"
    }
  }
}

const page = pageOf("A tenant gives notice of one month before the end of the lease.")

type Server = ModelServer.ModelServer["Service"]
type Asking = (server: Server, input: Input) => Effect.Effect<unknown, EngineFailed, Ids>

/** The engines that are given a request. */
const asking: Readonly<Record<string, Asking>> = {
  gate: ({ model }, input) => ChatNeedGate.make(model).ask(requestOf(input)),
  writer: ({ model }, input) =>
    Effect.flatMap(
      Ids,
      ({ boundary }) =>
        Effect.flatMap(boundary, (boundary) =>
          ChatPackWriter.make(model).ask({
            request: requestOf(input),
            need: needOf("USER_ASKED"),
            chunks: chunksOf([page]),
            boundary,
            now: "2026-01-01T00:00:00.000Z"
          }))
    )
} as const

const course: CourseSubject = {
  course_title: "Tenancy law",
  audience_category: "tenants",
  depth_requirement: "introduction",
  learning_mode: "self_paced"
}
const sources = [{
  url: page.url,
  title: page.title,
  site: page.site,
  official: false,
  text: page.text,
  headings: []
}]

const unmetered = Effect.provideService(UsageMeter, () => Effect.void)

/** The bodies that reach the server while something is asked; at least one does. */
const bodiesOf = <A, E, R>(
  ask: (server: Server) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function*() {
    const server = yield* ModelServer.ModelServer
    const before = server.bodies().length
    yield* unmetered(ask(server))
    const bodies = server.bodies().slice(before)
    assert.isNotEmpty(bodies)
    return bodies
  })

describe("what a model's server is sent of the asker", () => {
  const rows = Object.entries(inputs).flatMap(([field, input]) =>
    Object.entries(asking).map(([engine, ask]) => ({ ask, engine, field, input }))
  )

  layer(Layer.merge(ModelServer.layer, Storage.ids), { excludeTestServices: true })((it) => {
    it.effect.each(rows)(
      "holds neither name nor mail address nor phone number: $engine, $field",
      ({ ask, input }) =>
        Effect.gen(function*() {
          const bodies = yield* bodiesOf((server) => ask(server, input))
          assert.deepStrictEqual(leaks(bodies), [])
          // What is asked about stays, or nothing would be shown by this.
          assert.match(bodies.join(), /tenant/)
        })
    )

    it.effect.each(Object.keys(course).map((field) => ({ field })))(
      "holds neither name nor mail address nor phone number: researcher, $field",
      ({ field }) =>
        Effect.gen(function*() {
          const boundary = yield* (yield* Ids).boundary
          const bodies = yield* bodiesOf(({ model }) =>
            ChatResearcher.make(model).ask({
              course: { ...course, [field]: `Tenancy law. ${written}` },
              locale: "en",
              sources,
              boundary
            })
          )
          assert.deepStrictEqual(leaks(bodies), [])
          assert.match(bodies.join(), /Tenancy law/)
        })
    )
  })

  it.live("holds nothing of it in a whole grounding, in which every engine is a model", () =>
    Effect.gen(function*() {
      const api = yield* PublicApi
      yield* api.ground({
        session_id: "s",
        request_id: "r",
        phase: "mid_chat",
        user_asked_for_facts: true,
        topic: `How much notice must a tenant give in Japan? ${written}`,
        user_question: `${written} How much notice must a tenant give in Japan?`,
        known_facts: [written],
        unknown_required_slots: canaries.map(([text]) => text),
        region: { country: "JP", city: `Osaka. ${written}` },
        course: { course_title: `Tenancy law in Japan. ${written}` }
      }, caller)
      const { recent } = yield* (yield* SandboxServer.SandboxServer).hits
      const bodies = recent.map(({ body }) => JSON.stringify(body))
      assert.deepStrictEqual(leaks(bodies), [])
      for (
        const shape of ["search_need", "grounding_claims", "claim_judgements", "course_research"]
      ) {
        assert.isTrue(bodies.some((body) => body.includes(shape)), shape)
      }
    }).pipe(Effect.provide(applicationOf("good", { judge: "good" }))))
})
