/**
 * Poolers in transaction mode before a test's database: pgbouncer where it is installed, and a
 * stand-in everywhere.
 */
import { Effect, Layer, Redacted } from "effect"
import { execFileSync, spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import { portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { StandInPooler } from "./standInPooler.ts"
import * as TestDatabase from "./testDatabase.ts"

export type Kind = "stand-in" | "pgbouncer"

const pgbouncer = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"]
  .map((folder) => join(folder, "pgbouncer"))
  .find((file) => existsSync(file))

/** What the title of a test says that cannot run here. */
export const titleOf = (kind: Kind): string =>
  isInstalled(kind) ? kind : `${kind} (skipped: not installed)`

export const isInstalled = (kind: Kind): boolean => kind === "stand-in" || pgbouncer !== undefined

/** Connections of the server that all clients share. */
const serverConnections = 2

const looksMax = 200
const lookEveryMs = 25

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const port = portOf(server)
      server.close(() => resolve(port))
    })
  })

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })

const idOf = (flag: "-u" | "-g") =>
  Number(execFileSync("id", [flag, "nobody"], { encoding: "utf8" }))

/** As another user than root, which pgbouncer refuses to be. */
const account = () => process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : undefined

/** Ends pgbouncer when standard input closes, also where the tests were killed. */
const kept = "\"$0\" \"$1\" & p=$!; cat >/dev/null; kill $p; wait $p"

const startReal = async (target: string, more: ReadonlyArray<string>) => {
  const { hostname, password, pathname, port, username } = new URL(target)
  const directory = mkdtempSync(join(tmpdir(), "wg-pgbouncer-"))
  const [file, own, as] = [join(directory, "pgbouncer.ini"), await freePort(), account()]
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${own}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${serverConnections}`,
    "max_client_conn = 200",
    ...more
  ]
  writeFileSync(file, `${settings.join("\n")}\n`, { mode: 0o600 })
  chmodSync(directory, 0o700)
  if (as !== undefined) { for (const place of [directory, file]) chownSync(place, as.uid, as.gid) }
  const child = spawn("sh", ["-c", kept, pgbouncer ?? "", file], {
    stdio: ["pipe", "ignore", "pipe"],
    cwd: "/",
    ...as
  })
  let log = ""
  child.stderr.on("data", (chunk) => {
    log = `${log}${chunk}`.slice(-2_000)
  })
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const stop = async () => {
    child.stdin.end()
    await ended
    rmSync(directory, { recursive: true, force: true })
  }
  for (let looks = 0; !(await isOpen(own)); looks++) {
    if (looks === looksMax || child.exitCode !== null) {
      await stop()
      throw new Error(`pgbouncer did not start: ${log}`)
    }
    await pause(lookEveryMs)
  }
  const url = new URL(target)
  url.port = String(own)
  url.pathname = pathname
  return { url: url.href, stop }
}

const startStandIn = async (target: string, ignored: ReadonlyArray<string>) => {
  const pooler = new StandInPooler(target, { connectionsMax: serverConnections, ignored })
  return { url: await pooler.listen(), stop: () => pooler.close() }
}

/** A pooler's address until the scope closes; `ignored`: start-up parameters that it drops silently. */
export const poolerBefore = (kind: Kind, target: string, ignored: ReadonlyArray<string> = []) =>
  Effect.acquireRelease(
    Effect.promise(() =>
      kind === "stand-in"
        ? startStandIn(target, ignored)
        : startReal(
          target,
          ignored.length === 0 ? [] : [`ignore_startup_parameters = ${ignored.join(",")}`]
        )
    ),
    ({ stop }) => Effect.promise(stop)
  )

/** Gives the role of the address what the service needs of it behind a pooler. */
export const prepareRole = (url: string) =>
  Effect.promise(async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    for (
      const setting of [
        "timezone = 'UTC'",
        "datestyle = 'ISO'",
        "statement_timeout = '30000'",
        "idle_in_transaction_session_timeout = '10000'"
      ]
    ) {
      const { pathname, username } = new URL(url)
      await client.query(`alter role ${username} in database ${pathname.slice(1)} set ${setting}`)
    }
    await client.end()
  })

/** Connections of the service's own pool, over the pooler. */
const clients = 8

/** The service's handle on the file's database by way of a pooler. */
export const layer = (kind: Kind) =>
  Layer.unwrap(Effect.gen(function*() {
    const { url } = yield* TestDatabase.TestDatabase
    yield* prepareRole(url)
    const pooler = yield* poolerBefore(kind, url)
    return PostgresServer.layer({
      url: Redacted.make(pooler.url),
      pooler: "transaction",
      poolMax: clients,
      poolMin: clients,
      durability: "unchecked"
    })
  })).pipe(Layer.provideMerge(TestDatabase.layerOf("migrated")))
