/** Real processes of the service: started, asked over HTTP, ended by their process id. */
import { Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { compiled } from "./processes.ts"

const startMsMax = 90_000
const errorCharsMax = 20_000

/** `bin/wg.js serve`, or another program that prints the address it serves on. */
export interface Program {
  readonly file: string
  readonly args: ReadonlyArray<string>
}

export const serve: Program = { file: "bin/wg.js", args: ["serve"] }

export interface ReplicaOptions {
  readonly databaseUrl: string
  /** Of the search provider, which speaks Tavily's protocol. */
  readonly searchUrl: string
  readonly program?: Program
  /** Further settings. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Replica {
  readonly url: string
  readonly pid: number
  /** The newest lines of its log. */
  readonly log: () => string
  /** Sends a signal; answers when the process is gone. */
  readonly end: (signal: NodeJS.Signals) => Promise<Ended>
  /** Settles when the process is gone, for whatever reason. */
  readonly ended: Promise<Ended>
}

/** One provider with one key, nothing read from the web, any free port. */
const settingsOf = ({ databaseUrl, searchUrl, settings }: ReplicaOptions): NodeJS.ProcessEnv => ({
  PATH: process.env["PATH"],
  TMPDIR: process.env["TMPDIR"],
  NODE_COMPILE_CACHE: compiled["NODE_COMPILE_CACHE"],
  DATABASE_URL: databaseUrl,
  TAVILY_BASE_URL: searchUrl,
  TAVILY_API_KEY: "tvly-test-1",
  TAVILY_MONTHLY_CREDITS: "100000000",
  DUCKDUCKGO_ENABLED: "false",
  LOCAL_READER_ENABLED: "false",
  WEB_GROUNDING_PORT: "0",
  ...settings
})

/** Resolves when the process says where it serves. */
export const start = (options: ReplicaOptions): Promise<Replica> => {
  const { args, file } = options.program ?? serve
  const child = spawn(process.execPath, [file, ...args], {
    env: settingsOf(options),
    stdio: ["ignore", "pipe", "pipe"]
  })
  const ended = new Promise<Ended>((resolve) =>
    child.once("exit", (code, signal) => resolve({ code, signal }))
  )
  return new Promise((resolve, reject) => {
    let errors = ""
    child.stderr.on("data", (chunk) => errors = (errors + String(chunk)).slice(-errorCharsMax))
    const late = setTimeout(() => child.kill("SIGKILL"), startMsMax)
    child.stdout.on("data", (chunk) => {
      const url = /http:\/\/\S+/.exec(String(chunk))?.[0]
      if (url === undefined) return
      const pid = child.pid ?? 0
      resolve({ url, pid, ended, end: ending(child, ended), log: () => errors })
    })
    void ended.then(({ code, signal }) => {
      clearTimeout(late)
      reject(new Error(`a replica ended with ${signal ?? code}: ${errors}`))
    })
    child.stdout.once("data", () => clearTimeout(late))
  })
}

const ending = (child: ChildProcess, ended: Promise<Ended>) => (signal: NodeJS.Signals) => {
  child.kill(signal)
  return ended
}

/** Places that hold a replica each; whatever runs in them is killed with the scope. */
export interface Fleet {
  readonly replicas: ReadonlyArray<Replica>
  /** Kills the replica of the place with SIGKILL and starts another one there. */
  readonly replace: (place: number) => Promise<void>
}

export const fleet = (
  size: number,
  options: ReplicaOptions
): Effect.Effect<Fleet, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const replicas = await Promise.all(Array.from({ length: size }, () => start(options)))
      const replace = async (place: number) => {
        await replicas[place]?.end("SIGKILL")
        replicas[place] = await start(options)
      }
      return { replicas, replace }
    }),
    ({ replicas }) => Effect.promise(() => Promise.all(replicas.map(({ end }) => end("SIGKILL"))))
  )
