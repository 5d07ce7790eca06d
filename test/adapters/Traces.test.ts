/** Which traces are sent, and what of them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Tracer } from "effect"
import * as SpanFilter from "../../src/adapters/telemetry/SpanFilter.ts"

const digits = (place: number): string => (place * 2_654_435_761 % 2 ** 32).toString(16)

const callerOf = (place: number, sampled: boolean) =>
  Tracer.externalSpan({
    traceId: digits(place).padEnd(32, digits(place + 7)).slice(0, 32),
    spanId: "00f067aa0ba902b7",
    sampled
  })

const native = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })

type Sampler = Parameters<typeof SpanFilter.samplingOf>[0]

/** Of 1,000 requests with a caller's trace, those whose spans would be sent. */
const sampledOf = (sampler: Sampler, share: number, byCaller: boolean) =>
  Effect.map(
    Effect.forEach(Array.from({ length: 1_000 }, (_, place) => place), (place) =>
      Effect.useSpan(
        "request",
        { kind: "server", parent: callerOf(place, byCaller) },
        ({ sampled }) => Effect.succeed(sampled)
      )),
    (all) => all.filter((sampled) => sampled).length
  ).pipe(Effect.withTracer(SpanFilter.sampledTracer(native, SpanFilter.samplingOf(sampler, share))))

describe("the sampler", () => {
  it.effect.each(
    [
      { sampler: "always_on", share: 0, byCaller: false, count: 1_000 },
      { sampler: "always_off", share: 1, byCaller: true, count: 0 },
      { sampler: "traceidratio", share: 1, byCaller: false, count: 1_000 },
      { sampler: "traceidratio", share: 0, byCaller: true, count: 0 },
      { sampler: "parentbased_always_on", share: 0, byCaller: true, count: 1_000 },
      { sampler: "parentbased_always_on", share: 1, byCaller: false, count: 0 },
      { sampler: "parentbased_traceidratio", share: 0, byCaller: true, count: 1_000 }
    ] as const
  )("$sampler of $share sends $count when callers say $byCaller", (one) =>
    Effect.map(
      sampledOf(one.sampler, one.share, one.byCaller),
      (count) => assert.strictEqual(count, one.count)
    ))

  it.effect("sends about the share that was asked for", () =>
    Effect.map(sampledOf("traceidratio", 0.25, true), (count) => {
      assert.isAbove(count, 150)
      assert.isBelow(count, 350)
    }))

  it.effect("begins no trace for what is no request, and keeps a request's spans together", () =>
    Effect.gen(function*() {
      const sampled = Effect.map(Effect.currentSpan, (span) => span.sampled)
      assert.isFalse(yield* sampled.pipe(Effect.withSpan("ProjectionRunner.round")))
      assert.isTrue(
        yield* sampled.pipe(Effect.withSpan("step"), Effect.withSpan("call", { kind: "server" }))
      )
    }).pipe(
      Effect.withTracer(
        SpanFilter.sampledTracer(native, SpanFilter.samplingOf("parentbased_always_on", 1))
      )
    ))
})

const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })

const span = {
  traceId: "a".repeat(32),
  spanId: "b".repeat(16),
  parentSpanId: undefined,
  name: "POST /v1/groundings",
  kind: 2,
  startTimeUnixNano: "1",
  endTimeUnixNano: "2",
  attributes: [
    attribute("provider", "p".repeat(1_000)),
    attribute("url.full", "https://x.example/?q=CANARY"),
    attribute("http.request.header.authorization", "CANARY")
  ],
  droppedAttributesCount: 0,
  events: [
    {
      name: "exception",
      timeUnixNano: "2",
      droppedAttributesCount: 0,
      attributes: [
        attribute("exception.type", "SearchFailed"),
        attribute("exception.message", "CANARY"),
        attribute("exception.stacktrace", "CANARY")
      ]
    },
    { name: "CANARY", timeUnixNano: "2", droppedAttributesCount: 0, attributes: [] }
  ],
  droppedEventsCount: 0,
  status: { code: 2, message: "CANARY" } as const,
  links: [
    {
      traceId: "c".repeat(32),
      spanId: "d".repeat(16),
      attributes: [attribute("q", "CANARY")],
      droppedAttributesCount: 0
    }
  ],
  droppedLinksCount: 0
}

describe("the filter of spans", () => {
  it("lets out listed attributes and tags of errors, and no message, address or stack", () => {
    const resource = { attributes: [], droppedAttributesCount: 0 }
    const data = SpanFilter.filtered({
      resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "effect" }, spans: [span] }] }]
    })
    assert.notInclude(JSON.stringify(data), "CANARY")
    const [sent] = data.resourceSpans[0]?.scopeSpans[0]?.spans ?? []
    assert.deepStrictEqual(sent?.attributes, [attribute("provider", "p".repeat(200))])
    assert.deepStrictEqual(sent?.events.map(({ attributes }) => attributes), [[
      attribute("exception.type", "SearchFailed")
    ]])
  })
})
