/** Answers in a process's memory: who gets them, and until when. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { heapUsedBytes } from "../../packages/language/test/support/heap.ts"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import * as RecentAnswers from "../../src/application/sharing/RecentAnswers.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { useCasesWith } from "../../src/wiring/layers.ts"
import { calledWith } from "../support/attempts.ts"
import {
  askedRequest,
  caller,
  changed,
  instance,
  limits,
  providers,
  scripted
} from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as Sent from "../support/sent.ts"
import { hit, requestOf } from "../support/sessionFacts.ts"

const answer = {
  hits: [hit("https://a.example/1", {
    content: "A tenant in Japan must give one month's notice to end an ordinary lease."
  })],
  droppedCount: 0
}

/** A process over the log, which says how often whole sessions and only their ends were read. */
const process = () => {
  const reads = { whole: 0, ends: 0, isErased: false }
  const provider = scripted(answer)
  const log = changed(EventStore, (store) => ({
    read: (ref, afterVersion, eventsMax) =>
      Effect.suspend(() => {
        if (eventsMax === 0) reads.ends += 1
        else reads.whole += 1
        return Effect.map(
          store.read(ref, afterVersion, eventsMax),
          ({ events, head }) =>
            reads.isErased
              ? {
                head: { ...head, erasedAt: "2026-01-01T00:00:00.000Z" },
                events: events.map((event) => ({ ...event, data: null, salt: null }))
              }
              : { events, head }
        )
      })
  })).pipe(Layer.provideMerge(MemoryEventStore.layer))
  const layer = useCasesWith(Engines.local).pipe(
    Layer.provideMerge(Layer.mergeAll(log, providers(provider), instance("p1"), limits()))
  )
  return { layer, provider, reads }
}

const ground = (input: object = {}, tenantId = caller.tenantId) =>
  Effect.flatMap(
    Sent.PublicApi,
    ({ ground }) => ground({ ...askedRequest, ...input }, { ...caller, tenantId })
  )

describe("an answer that was given before", () => {
  it.effect("is given again, the same, without the session being read", () => {
    const { layer, provider, reads } = process()
    return Effect.gen(function*() {
      const first = yield* ground()
      assert.strictEqual(first.status, "success")
      const { whole } = reads
      const searches = provider.queries.length
      for (let again = 0; again < 3; again++) {
        assert.deepStrictEqual(yield* ground({ deadline_ms: 9_000 + again }), first)
      }
      assert.deepInclude(reads, { whole, ends: 3 })
      assert.lengthOf(provider.queries, searches)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is given to no other tenant, and to no other request", () => {
    const { layer } = process()
    return Effect.gen(function*() {
      const first = yield* ground()
      const otherQuestion = yield* Effect.flip(ground({ topic: "What does a tram ride cost?" }))
      assert.strictEqual(otherQuestion._tag, "RequestConflict")
      assert.deepStrictEqual((yield* ground({}, "u")).pack, first.pack)
      const { read } = yield* EventStore
      const { head } = yield* read({ tenant_id: "u", session_id: askedRequest.session_id })
      assert.isAbove(head.version, 0)
      assert.strictEqual((yield* ground({ request_id: "r2" })).request_id, "r2")
      assert.strictEqual((yield* ground({ session_id: "s2" })).session_id, "s2")
    }).pipe(Effect.provide(layer))
  })

  it.effect("is read off the log again once its session has another event", () => {
    const { layer, reads } = process()
    return Effect.gen(function*() {
      const first = yield* ground()
      const { head } = yield* Effect.flatMap(
        EventStore,
        (store) => store.read({ tenant_id: caller.tenantId, session_id: askedRequest.session_id })
      )
      const event = yield* calledWith()
      yield* Effect.flatMap(EventStore, (store) => store.append(head, [event]))
      const { whole } = reads
      assert.deepStrictEqual(yield* ground(), first)
      assert.isAbove(reads.whole, whole)
    }).pipe(Effect.provide(layer))
  })

  it.effect("is not given once its session is erased", () => {
    const { layer, reads } = process()
    return Effect.gen(function*() {
      yield* ground()
      reads.isErased = true
      assert.strictEqual((yield* Effect.flip(ground()))._tag, "SessionErased")
    }).pipe(Effect.provide(layer))
  })

  it.effect("keeps no page in memory that it quotes", () => {
    const { layer } = process()
    const pagesMax = 60
    const pageBytes = 1_000_000
    return Effect.gen(function*() {
      const outcome = yield* ground()
      const { head } = yield* Effect.flatMap(
        EventStore,
        (store) => store.read({ tenant_id: caller.tenantId, session_id: askedRequest.session_id })
      )
      const request = requestOf({ ...askedRequest, phase: "mid_chat" })
      const { answered } = yield* RecentAnswers.make
      const before = heapUsedBytes()
      for (let number = 0; number < pagesMax; number++) {
        const page = `${number} `.padEnd(pageBytes, "A tenant must give notice. ")
        const quoting = { head, outcome: { ...outcome, llm_context: page.slice(1_000, 1_400) } }
        const asked = { ...request, request_id: `r${number}` }
        yield* answered(caller.tenantId, asked, Effect.succeed(quoting))
      }
      const grownBytes = heapUsedBytes() - before
      assert.isBelow(grownBytes, pagesMax * pageBytes / 4)
    }).pipe(Effect.provide(layer))
  })
})
