/** Every operation by the client of promises, against the service over the sandbox. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as Client from "../../packages/client/src/connect.ts"
import { routes as clientRoutes } from "../../packages/client/src/Routes.ts"
import { headerOf, line } from "../../packages/client/test/support/rawServer.ts"
import { operations } from "../../src/contract/Operations.ts"
import { sandboxService } from "../support/sandboxService.ts"
import { url } from "../support/service.ts"

const question = (session_id: string) => ({
  session_id,
  topic: "How much notice must a tenant give in Japan?",
  phase: "mid_chat",
  user_asked_for_facts: true
} as const)

/** Connections that a test may use up before it has failed. */
const connectionsMax = 12

const collected = async <A>(elements: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const element of elements) all.push(element)
  return all
}

const versionsOf = (steps: ReadonlyArray<Client.Progress>): ReadonlyArray<number> =>
  steps.flatMap((step) => step.type === "fact" ? [step.fact.stream_version] : [])

const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(() => assert.fail("the call succeeded"), (error: unknown) => error)

describe("the client of promises, before the service", () => {
  it("has a method for every operation of callers", () => {
    assert.sameMembers(Object.keys(clientRoutes), Object.keys(operations))
  })

  it.layer(sandboxService, { timeout: "120 seconds", excludeTestServices: true })((it) => {
    const asking = (test: (client: Client.Client, address: string) => Promise<void>) =>
      Effect.flatMap(url, (address) => Effect.promise(() => test(Client.connect(address), address)))

    it.effect("asks every operation and gets the answer of its type", () =>
      asking(async (client) => {
        const outcome = await client.ground(question("s"))
        assert.strictEqual(outcome.mode, "snippets_only")
        assert.isNotEmpty(outcome.pack.constraints_and_rules)
        const id = { session_id: "s", request_id: outcome.request_id }
        // Passages that the log does not keep are not in the recorded answer.
        const { evidence: _asked, ...told } = outcome
        const { evidence: _recorded, ...recorded } = await client.pack(id)
        assert.deepStrictEqual(recorded, told)
        const view = await client.view({ ...id, audience: "roleplay_background" })
        assert.strictEqual(view.audience, "roleplay_background")
        assert.deepStrictEqual(await client.shown({ ...id, audience: "user" }), { recorded: true })
        assert.deepStrictEqual(await client.shown({ ...id, audience: "user" }), { recorded: false })
        const course = { session_id: "c", course_title: "Notice in Japan" }
        assert.isTrue((await client.research(course)).is_usable)
        assert.strictEqual((await client.outline(course)).course_title, "Notice in Japan")
        assert.strictEqual((await client.health()).hours, 24)
        assert.strictEqual((await client.health({ hours: 2 })).hours, 2)
        assert.isArray((await client.searchEvidence({ query: "notice", limit: 3 })).found)
      }))

    it.effect("sends the facts of a request as the log has them, then the outcome", () =>
      asking(async (client) => {
        const steps = await collected(client.progress(question("p")))
        assert.strictEqual(steps.at(-1)?.type, "outcome")
        const events = await collected(client.session({ session_id: "p", limit: 2 }))
        const facts = steps.flatMap((step) => step.type === "fact" ? [step.fact] : [])
        assert.deepStrictEqual(facts, events)
        assert.isAbove(events.length, 5)
        const page = await client.sessionPage({ session_id: "p", after: 2, limit: 3 })
        assert.deepStrictEqual(page.events, events.slice(2, 5))
        // Asked again: from the log, at no cost.
        const request_id = events[0]?.correlation_id ?? ""
        const again = { ...question("p"), request_id }
        assert.deepStrictEqual(
          (await collected(client.progress(again, { after: 0 }))).slice(0, -1),
          steps.slice(0, -1)
        )
        assert.lengthOf(await collected(client.progress(again)), 1)
        assert.lengthOf(await collected(client.session({ session_id: "p" })), events.length)
      }))

    it.effect("goes on through a line that is cut within every fact, for one request", () =>
      asking(async (client, address) => {
        // The n-th connection is cut in the middle of its n-th piece that has a fact in it.
        const cut = await line(address, (piece, socket, connection) => {
          const at = piece.indexOf("event: fact")
          if (connection > 4 || at < 0) return void socket.write(piece)
          socket.write(piece.subarray(0, at + 40), () => socket.destroy())
        })
        try {
          const options = { retries: 10 }
          const steps = await collected(Client.connect(cut.url, options).progress(question("cut")))
          const events = await collected(client.session({ session_id: "cut" }))
          assert.deepStrictEqual(versionsOf(steps), events.map((event) => event.stream_version))
          assert.strictEqual(steps.at(-1)?.type, "outcome")
          const requested = events.filter(({ type }) => type === "WEB_GROUNDING_REQUESTED")
          assert.lengthOf(requested, 1)
          const posts = cut.requests.filter((text) => text.startsWith("POST"))
          assert.isAtLeast(posts.length, 3)
          assert.isAtMost(posts.length, connectionsMax)
          assert.isUndefined(headerOf(posts[0] ?? "", "last-event-id"))
          for (const post of posts.slice(1)) {
            assert.match(headerOf(post, "last-event-id") ?? "", /^\d+$/)
          }
        } finally {
          cut.close()
        }
      }))

    it.effect("gives up twenty groundings at once and leaves the service free", () =>
      asking(async (client) => {
        const controller = new AbortController()
        const many = Array.from({ length: 20 }, (_, at) =>
          failureOf(
            client.ground({ ...question(`many-${at}`), overrides: { max_queries: 3 } }, {
              signal: controller.signal,
              retries: 0
            })
          ))
        setTimeout(() => controller.abort(), 20)
        for (const failure of await Promise.all(many)) {
          assert.isTrue(
            failure instanceof Client.CallAborted || failure instanceof Client.Overloaded
          )
        }
        const outcome = await client.ground(question("after"), { retries: 10 })
        assert.strictEqual(outcome.mode, "snippets_only")
      }))

    it.effect("reports each failure as a class, with its fields", () =>
      asking(async (client) => {
        const wrong = await failureOf(client.ground({ session_id: "s", topic: "" }))
        assert.instanceOf(wrong, Client.InvalidInput)
        assert.strictEqual(wrong.errors[0]?.field, "topic")
        const nowhere = await failureOf(client.pack({ session_id: "s", request_id: "no/ä ?#" }))
        assert.instanceOf(nowhere, Client.PackNotFound)
        assert.deepInclude(nowhere, { session_id: "s", request_id: "no/ä ?#", status: 404 })
        const unknown = await failureOf(client.sessionPage({ session_id: "nope" }))
        assert.instanceOf(unknown, Client.SessionNotFound)
        assert.isFalse(unknown.may_have_run)
        const { request_id } = await client.ground(question("conflict"))
        const other = { ...question("conflict"), request_id, topic: "Another question?" }
        const conflict = await failureOf(client.ground(other))
        assert.instanceOf(conflict, Client.RequestConflict)
        assert.deepInclude(JSON.parse(JSON.stringify(conflict)), {
          name: "RequestConflict",
          kind: "request-conflict",
          request_id
        })
      }))
  })
})
