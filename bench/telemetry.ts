/**
 * CPU time of a fully observed grounding, as a ratio to an unobserved one.
 *
 * Both run in this process over the log in memory and a scripted provider, in turns, so that the
 * machine's other work affects both alike. Log lines go to standard error. Prints one line.
 */
import { Context, Effect, Layer, Logger } from "effect"
import * as Meters from "../src/adapters/telemetry/Meters.ts"
import { PublicApi } from "../src/application/PublicApi.ts"
import * as Redaction from "../src/infrastructure/Redaction.ts"
import * as Engines from "../src/wiring/Engines.ts"
import { useCasesWith } from "../src/wiring/layers.ts"
import * as Storage from "../src/wiring/Storage.ts"
import * as Telemetry from "../src/wiring/Telemetry.ts"
import {
  caller,
  credits,
  instance,
  limits,
  providers,
  scripted
} from "../test/support/grounding.ts"
import * as MemoryEventStore from "../test/support/memory/MemoryEventStore.ts"
import { sentApi } from "../test/support/sent.ts"
import { hit } from "../test/support/sessionFacts.ts"

const roundsMax = 40
const groundingsOfRound = 20
/** Rounds before the first that counts: code is compiled in them. */
const warmRounds = 5

const passage = "A tram ride in Halvern costs two crowns and forty cents since January 2026, and " +
  "children under the age of six ride free of charge on every line of the city."

const hits = [1, 2, 3].map((n) => hit(`https://h${n}.example/fares`, { content: passage }))

const application = (instruments: Storage.Instruments) =>
  useCasesWith(instruments.engines(Engines.local), instruments).pipe(
    Layer.provide(instruments.credits(credits)),
    Layer.provide(Layer.mergeAll(
      providers(scripted({ hits, droppedCount: 0 })),
      instruments.log(MemoryEventStore.layer),
      instance("p1"),
      limits()
    ))
  )

let asked = 0

const round = ({ ground }: ReturnType<typeof sentApi>) =>
  Effect.gen(function*() {
    const before = process.cpuUsage()
    for (let place = 0; place < groundingsOfRound; place++) {
      asked += 1
      yield* ground(
        {
          session_id: `bench-${asked}`,
          topic: `What does tram ride ${asked} in Halvern cost?`,
          user_asked_for_facts: true
        },
        caller,
        () => Effect.void
      )
    }
    const { system, user } = process.cpuUsage(before)
    return (system + user) / 1_000 / groundingsOfRound
  })

const at = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((left, right) => left - right)[Math.floor((values.length - 1) * share)] ?? 0

const program = Effect.gen(function*() {
  const meters = yield* Meters.make
  const apiOf = (instruments: Storage.Instruments) =>
    Effect.map(
      Layer.build(application(instruments)),
      (built) => sentApi(Context.get(built, PublicApi))
    )
  const plain = yield* apiOf(Storage.none)
  const observed = yield* apiOf(Telemetry.instruments(meters))
  const rounds: Array<{ readonly plainMs: number; readonly observedMs: number }> = []
  for (let place = 0; place < roundsMax; place++) {
    // Who goes first changes.
    const isPlainFirst = place % 2 === 0
    const first = yield* round(isPlainFirst ? plain : observed)
    const second = yield* round(isPlainFirst ? observed : plain)
    rounds.push(
      isPlainFirst
        ? { plainMs: first, observedMs: second }
        : { plainMs: second, observedMs: first }
    )
  }
  const counted = rounds.slice(warmRounds)
  const ratios = counted.map(({ observedMs, plainMs }) => observedMs / plainMs)
  const shown = (values: ReadonlyArray<number>) =>
    `${at(values, 0.25).toFixed(3)} ${at(values, 0.5).toFixed(3)} ${at(values, 0.75).toFixed(3)}`
  console.log(`observed / plain, CPU a grounding: quartiles ${shown(ratios)}`)
  console.log(`plain ms ${shown(counted.map(({ plainMs }) => plainMs))}`)
  console.log(`observed ms ${shown(counted.map(({ observedMs }) => observedMs))}`)
  const text = yield* meters.text
  console.log(`series ${text.split("\n").filter((line) => /^[a-z]/.test(line)).length}`)
})

await Effect.runPromise(
  program.pipe(Effect.scoped, Effect.provide(Logger.layer([Redaction.logger([], "json")])))
)
