/**
 * A service of several processes that share one address.
 *
 * Promises: one that dies or hangs is replaced while the others answer; all end with the process
 * that started them, also when it is killed; and what is told of one is told of all.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { bundledProgram } from "../support/bundledProgram.ts"
import * as DurableServer from "../support/durableServer.ts"
import { requestFor, send } from "../support/httpCalls.ts"
import { compiled } from "../support/processes.ts"
import * as Replica from "../support/replica.ts"

const small = await bundledProgram("keptProcesses")
const waitMs = 50
const looksMax = 600
const pause = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, waitMs)))

/** Looks until it is so. */
const until = (isSo: Effect.Effect<boolean>) =>
  Effect.gen(function*() {
    for (let looks = 0; looks < looksMax; looks++) {
      if (yield* isSo) return true
      yield* pause
    }
    return false
  })

const isGone = (pid: number) =>
  Effect.sync(() => {
    try {
      return !process.kill(pid, 0)
    } catch {
      return true
    }
  })

const textOf = (url: string) =>
  Effect.promise(() => fetch(url).then((response) => response.text(), () => ""))

interface Kept {
  readonly child: ChildProcess
  readonly output: () => string
}

const kept = (manner: string) =>
  Effect.acquireRelease(
    Effect.sync((): Kept => {
      let output = ""
      const child = spawn(process.execPath, [small, manner], {
        env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: compiled["NODE_COMPILE_CACHE"] },
        stdio: ["ignore", "pipe", "pipe"]
      })
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk) => output += String(chunk))
      }
      return { child, output: () => output }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Address of a service of small processes, and the ids of those that answer there. */
const serving = Effect.fnUntraced(function*({ output }: Kept) {
  yield* until(Effect.sync(() => output().includes("http://")))
  const url = /http:\S+/.exec(output())?.[0] ?? ""
  /** Asks until two different processes have answered. */
  const pids = Effect.gen(function*() {
    const found = new Set<number>()
    yield* until(Effect.map(textOf(url), (text) => {
      if (text !== "") found.add(Number(text))
      return found.size === 2
    }))
    return [...found]
  })
  return { url, pids }
})

describe("processes of one service", () => {
  it.live(
    "are replaced when they die or hang, and gather what each of them tells",
    () =>
      Effect.gen(function*() {
        const service = yield* kept("sound")
        const { pids, url } = yield* serving(service)
        const [dead = 0, other = 0] = yield* pids
        process.kill(dead, "SIGKILL")
        yield* until(isGone(dead))
        assert.strictEqual(yield* textOf(url), String(other))
        assert.isTrue(yield* until(Effect.map(pids, (now) => now.length === 2)))

        const texts = JSON.parse(yield* textOf(`${url}/texts`))
        const now = yield* pids
        assert.deepStrictEqual(texts.map(({ number }: { number: number }) => number), [1, 2])
        assert.sameMembers(
          texts.map(({ text }: { text: string }) => text),
          now.map((pid) => `of ${pid}`)
        )

        const hanging = new AbortController()
        void fetch(`${url}/hang`, { signal: hanging.signal }).catch(() => {})
        assert.isTrue(
          yield* until(Effect.map(
            Effect.all(now.map(isGone)),
            (gone) => gone.some((one) => one)
          ))
        )
        hanging.abort()
        const isTold = () => service.output().includes("a process answers no more and is killed")
        assert.isTrue(yield* until(Effect.sync(isTold)), service.output())
        assert.lengthOf(yield* pids, 2)
      }).pipe(Effect.scoped),
    60_000
  )

  it.live(
    "end with the one that started them, when it is told to end and when it is killed",
    () =>
      Effect.gen(function*() {
        const ends = [["sound", "SIGTERM"], ["sound", "SIGKILL"], ["hanging", "SIGTERM"]] as const
        for (const [manner, signal] of ends) {
          const service = yield* kept("sound")
          const { pids, url } = yield* serving(service)
          const all = yield* pids
          assert.lengthOf(all, 2)
          if (manner === "hanging") {
            void fetch(`${url}/hang`).catch(() => {})
            yield* Effect.sleep("500 millis")
          }
          service.child.kill(signal)
          for (const pid of all) assert.isTrue(yield* until(isGone(pid)), `${manner} ${signal}`)
        }
      }).pipe(Effect.scoped),
    60_000
  )

  it.live(
    "begin to end together, and are heard though their texts take seconds",
    () =>
      Effect.gen(function*() {
        const service = yield* kept("slow")
        const { pids, url } = yield* serving(service)
        const all = yield* pids
        assert.lengthOf(JSON.parse(yield* textOf(`${url}/texts`)), 2)
        service.child.kill("SIGTERM")
        for (const pid of all) assert.isTrue(yield* until(isGone(pid)))
        const ends = () => service.output().match(/.+ end(?:ed)?$/gm) ?? []
        yield* until(Effect.sync(() => ends().length === 4))
        assert.deepStrictEqual(ends(), [
          "begins to end",
          "begins to end",
          "has ended",
          "has ended"
        ])
      }).pipe(Effect.scoped),
    60_000
  )

  it.live("end the start when one of them never serves", () =>
    Effect.gen(function*() {
      const { child } = yield* kept("failing")
      assert.isTrue(yield* until(Effect.sync(() => child.exitCode !== null)))
      assert.strictEqual(child.exitCode, 1)
    }).pipe(Effect.scoped), 60_000)

  it.live("ground, count for all of them, and end in order", () =>
    Effect.gen(function*() {
      const { url: databaseUrl } = yield* DurableServer.acquire
      const { replicas: [service] } = yield* Replica.fleet(1, {
        databaseUrl,
        searchUrl: "http://127.0.0.1:9",
        program: { file: "bin/wg.js", args: ["serve", "--sandbox"] },
        settings: { WEB_GROUNDING_PROCESSES: "2" }
      })
      const at = service?.url ?? ""
      const answers = yield* Effect.forEach(
        Array.from({ length: 8 }, (_, index) => `many-${index}`),
        (session_id) =>
          send(
            at,
            requestFor("Ground", {
              session_id,
              topic: "What does a tram ride in Halvern cost?",
              phase: "mid_chat",
              user_asked_for_facts: true
            })
          ),
        { concurrency: 8 }
      )
      assert.deepStrictEqual(answers.map(({ status }) => status), answers.map(() => 200))
      const metrics = yield* textOf(`${at}/metrics`)
      const of = (number: number) =>
        [...metrics.matchAll(
          new RegExp(`^web_grounding_requests_total\\{process="${number}"[^}]*\\} (\\d+)`, "gm")
        )].reduce((sum, [, count]) => sum + Number(count), 0)
      assert.strictEqual(of(1) + of(2), answers.length, metrics.slice(0, 500))
      assert.isAbove(Math.min(of(1), of(2)), 0)
      assert.deepStrictEqual(yield* Effect.promise(async () => service?.end("SIGTERM")), {
        code: 0,
        signal: null
      })
    }).pipe(Effect.scoped), 120_000)
})
