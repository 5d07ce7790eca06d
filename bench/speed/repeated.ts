/** A repeated request, next to a bare RPC server that echoes the same answer. */
import { spawn } from "node:child_process"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { frame, median, post, quantile } from "../load/calls.ts"
import { type Database, startService } from "../load/services.ts"
import { questionAbout, startProvider } from "./questions.ts"

const callersCounts = [1, 8, 32]
const roundsMax = 5
const warmCalls = 400
const callsOfRound = 320
const sessionsCount = 32
const ticksEachSecond = 100

interface Target {
  readonly url: string
  readonly cpuSeconds: () => number
}

interface Measured {
  readonly times: ReadonlyArray<number>
  readonly cpuMs: number
}

const startEcho = async (outcome: unknown) => {
  const file = join(tmpdir(), `wg-echo-${process.pid}.json`)
  writeFileSync(file, JSON.stringify(outcome))
  const child = spawn(process.execPath, ["bench/speed/echoServer.ts", file], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  process.once("exit", () => child.kill("SIGKILL"))
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /http:\/\/\S+/.exec(line)?.[0]
    if (url === undefined) continue
    child.stdout.resume()
    rmSync(file)
    return {
      url,
      cpuSeconds: () => {
        const stat = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ")
        return (Number(stat?.[11]) + Number(stat?.[12])) / ticksEachSecond
      },
      stop: () => child.kill("SIGKILL")
    }
  }
  throw new Error("the echo server ended before it listened")
}

const outcomeIn = (text: string): unknown => {
  for (const line of text.trim().split("\n")) {
    const message = JSON.parse(line)
    for (const value of message.values ?? []) if (value._tag === "Outcome") return value.outcome
  }
  throw new Error(`no outcome: ${text.slice(0, 500)}`)
}

const ask = async (target: Target, payload: unknown): Promise<string> => {
  const text = await post(target, "/rpc", frame("Ground", payload))
  if (!text.includes("\"_tag\":\"Outcome\"")) throw new Error(`odd: ${text.slice(0, 300)}`)
  return text
}

const measured = async (
  target: Target,
  payloads: ReadonlyArray<unknown>,
  callers: number,
  calls: number
): Promise<Measured> => {
  const times: Array<number> = []
  const before = target.cpuSeconds()
  let begun = 0
  await Promise.all(Array.from({ length: callers }, async () => {
    while (begun < calls) {
      const payload = payloads[begun % payloads.length]
      begun += 1
      const fromMs = performance.now()
      await ask(target, payload)
      times.push(performance.now() - fromMs)
    }
  }))
  return { times, cpuMs: (target.cpuSeconds() - before) * 1_000 / calls }
}

export const repeated = async (database: Database): Promise<ReadonlyArray<string>> => {
  const provider = await startProvider()
  const service = await startService(database, provider.url)
  const payloads = Array.from(
    { length: sessionsCount },
    (_, index) => questionAbout(`again-${index}`)
  )
  const outcome = outcomeIn(await ask(service, payloads[0]))
  const echo = await startEcho(outcome)
  try {
    for (const target of [service, echo]) await measured(target, payloads, 8, warmCalls)
    const lines: Array<string> = []
    for (const callers of callersCounts) {
      const ratios: Array<
        { p50: number; p99: number; cpu: number; echo: Measured; ours: Measured }
      > = []
      for (let round = 0; round < roundsMax; round++) {
        const both = round % 2 === 0 ? [echo, service] as const : [service, echo] as const
        const results = new Map<Target, Measured>()
        for (const target of both) {
          results.set(target, await measured(target, payloads, callers, callsOfRound))
        }
        const ofEcho = results.get(echo)
        const ours = results.get(service)
        if (ofEcho === undefined || ours === undefined) continue
        const ratio = (share: number) => quantile(ours.times, share) / quantile(ofEcho.times, share)
        ratios.push({
          p50: ratio(0.5),
          p99: ratio(0.99),
          cpu: ours.cpuMs / ofEcho.cpuMs,
          echo: ofEcho,
          ours
        })
      }
      const of = (pick: (one: typeof ratios[number]) => number) => median(ratios.map(pick))
      lines.push(
        `repeated c=${callers}: p50 ${of(({ p50 }) => p50).toFixed(2)} x, ` +
          `p99 ${of(({ p99 }) => p99).toFixed(2)} x, CPU ${
            of(({ cpu }) => cpu).toFixed(2)
          } x an echo ` +
          `(p50 ${of(({ ours }) => quantile(ours.times, 0.5)).toFixed(1)} and ` +
          `${of(({ echo }) => quantile(echo.times, 0.5)).toFixed(1)} ms, CPU ` +
          `${of(({ ours }) => ours.cpuMs).toFixed(2)} and ` +
          `${of(({ echo }) => echo.cpuMs).toFixed(2)} ms; answer ${
            JSON.stringify(outcome).length
          } ` +
          `characters; medians of ${roundsMax} rounds of ${callsOfRound} calls)`
      )
    }
    return lines
  } finally {
    echo.stop()
    await service.stop()
    provider.stop()
  }
}
