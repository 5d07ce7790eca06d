/**
 * Processes under load: services on one PostgreSQL, and a search provider in this process.
 *
 * `DATABASE_URL`, when given, names the server; otherwise one is started with its default,
 * durable settings. Each bench has a database of its own and drops it.
 */
import { Effect, Redacted } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { createInterface } from "node:readline"
import pg from "pg"
import { EventStore } from "../../src/application/ports/EventStore.ts"
import { uuidv7 } from "../../src/infrastructure/Digest.ts"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import * as PlainEventStore from "../../test/support/plainEventStore.ts"
import { startServer, withDatabase } from "../../test/support/postgresServer.ts"
import { compiled } from "../../test/support/processes.ts"
import { listen, type Listening } from "./listening.ts"

const ticksEachSecond = 100
const mib = 1_048_576
const stopMsMax = 10_000

/** The text that a right answer quotes. */
export const fact = "A single tram ticket in Halvern costs 2.80 crowns."

export interface Database {
  readonly url: string
  readonly query: (text: string, values?: ReadonlyArray<unknown>) => Promise<pg.QueryResult>
  /** Appends events of 25,000 characters each to a session of the default tenant. */
  readonly fill: (session: string, eventsCount: number) => Promise<void>
  readonly stop: () => Promise<void>
}

export const startDatabase = async (): Promise<Database> => {
  const given = process.env["DATABASE_URL"]
  const server = given === undefined
    ? await startServer({
      max_connections: "100",
      listen_addresses: "127.0.0.1",
      unix_socket_directories: ""
    })
    : { url: given, stop: async () => {} }
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  const name = `wg_bench_${randomUUID().replaceAll("-", "")}`
  await admin.query(`create database ${name}`)
  const url = withDatabase(server.url, name)
  const handle = PostgresServer.layer({ url: Redacted.make(url), poolMax: 1 })
  await Effect.runPromise(Effect.provide(Migrations.run, handle))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  return {
    url,
    query: (text, values = []) => client.query(text, [...values]),
    fill: (session, eventsCount) =>
      Effect.gen(function*() {
        const store = yield* EventStore
        const { head } = yield* store.read({ tenant_id: "default", session_id: session })
        yield* store.append(
          head,
          Array.from({ length: eventsCount }, () => ({
            eventId: uuidv7(performance.timeOrigin),
            type: "WEB_GROUNDING_NOTED",
            schemaVersion: 1,
            data: { text: "x".repeat(25_000) },
            metadata: { correlation_id: "bench", causation_id: "c", actor: "bench" }
          }))
        )
      }).pipe(
        Effect.provide(PlainEventStore.layer),
        Effect.provide(handle),
        Effect.runPromise
      ),
    stop: async () => {
      await client.end()
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
      await server.stop()
    }
  }
}

/** A provider with Tavily's protocol that answers each search after so long. */
export const startProvider = (answerMs: number): Promise<Listening> => {
  const body = JSON.stringify({
    results: [
      { url: "https://halvern.example/tram", title: "Trams", content: fact, score: 0.9 },
      {
        url: "https://lake.example/ferry",
        title: "Ferries",
        content: "The ferry across Lake Halvern runs every twenty minutes until ten at night.",
        score: 0.7
      }
    ],
    usage: { credits: 1 }
  })
  return listen((request, response) => {
    request.resume()
    const timer = setTimeout(() => {
      response.setHeader("Content-Type", "application/json").end(body)
    }, answerMs)
    response.once("close", () => clearTimeout(timer))
  })
}

export interface Service {
  readonly url: string
  readonly port: number
  readonly pid: number | undefined
  readonly rssMib: () => number
  /** User and system time of all its processes so far, in seconds, to a hundredth. */
  readonly cpuSeconds: () => number
  readonly stop: () => Promise<void>
}

export const startService = async (
  database: Database,
  providerUrl: string,
  settings: Readonly<Record<string, string>> = {}
): Promise<Service> => {
  const child = spawn(process.execPath, ["bin/wg.js", "serve", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      PATH: process.env["PATH"],
      NODE_COMPILE_CACHE: compiled["NODE_COMPILE_CACHE"],
      DATABASE_URL: database.url,
      TAVILY_API_KEY: "tvly-bench",
      TAVILY_BASE_URL: providerUrl,
      TAVILY_MONTHLY_CREDITS: "1000000",
      DUCKDUCKGO_ENABLED: "false",
      LOCAL_READER_ENABLED: "false",
      ...settings
    }
  })
  running.add(child)
  child.once("exit", () => running.delete(child))
  const url = await addressOf(child)
  /** User and system time of a process, in seconds. */
  const spentBy = (pid: string | number | undefined): number => {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ")
    return (Number(stat?.[11]) + Number(stat?.[12])) / ticksEachSecond
  }
  /** Processes that it started: the other ones that serve, if there are several. */
  const started = () =>
    readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ")
      .filter((pid) => pid !== "")
  return {
    url,
    port: Number(new URL(url).port),
    pid: child.pid,
    rssMib: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8")
      return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024 / mib
    },
    cpuSeconds: () => started().reduce((sum, pid) => sum + spentBy(pid), spentBy(child.pid)),
    stop: () => stopped(child)
  }
}

const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

const addressOf = async (child: ChildProcess): Promise<string> => {
  if (child.stdout === null) throw new Error("no standard output")
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /http:\/\/\S+/.exec(line)?.[0]
    if (found !== undefined) {
      child.stdout.resume()
      return found
    }
  }
  throw new Error("the service ended before it listened")
}

const stopped = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    const late = setTimeout(() => child.kill("SIGKILL"), stopMsMax)
    child.once("exit", () => {
      clearTimeout(late)
      resolve()
    })
    child.kill("SIGTERM")
  })
