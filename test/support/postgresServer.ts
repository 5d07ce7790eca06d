/**
 * A real PostgreSQL for the whole run: own directory, free port, loopback only, gone afterwards.
 *
 * It forgets at a power loss, for speed. Each test file takes its own database from a migrated
 * template: `test/support/testDatabase.ts`. The run's temporary directory goes with it.
 */
import { Effect, Redacted } from "effect"
import { spawn } from "node:child_process"
import { chmodSync, mkdtempSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import pg from "pg"
import type { TestProject } from "vitest/node"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { temporaryPlace } from "./temporaryPlace.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the server's maintenance database, as superuser. */
    readonly postgresUrl: string
  }
}

export const templateDatabase = "wg_template"

const fast = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  max_connections: "200",
  max_prepared_transactions: "4",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: ""
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const alongside = mkdtempSync(join(temporaryPlace(), "wg-tests-"))
  // Servers of tests run as another user where root starts them, and must get through.
  chmodSync(alongside, 0o711)
  // What a test that was cut off has left there goes with the run.
  Object.assign(project.config.env, { TMPDIR: alongside })
  const server = await startServer(fast, { alongside, place: alongside })
  const admin = new pg.Client({ connectionString: server.url })
  await admin.connect()
  await admin.query(`create database ${templateDatabase}`)
  const url = Redacted.make(withDatabase(server.url, templateDatabase))
  await Effect.runPromise(Migrations.run.pipe(
    Effect.provide(PostgresServer.layer({ url, poolMax: 1, durability: "unchecked" }))
  ))
  await admin.query(`alter database ${templateDatabase} is_template true`)
  await admin.end()
  project.provide("postgresUrl", server.url)
  return server.stop
}

const keeper = fileURLToPath(new URL("postgresKeeper.ts", import.meta.url))

export interface ServerBasis {
  /** Files of a backup and the password of its superuser, instead of a server initialised anew. */
  readonly backup?: { readonly files: string; readonly password: string }
  /** Other binaries than npm's: the directory above `bin`. */
  readonly native?: string
  /** Removed with the server's own directory, however this process ends. */
  readonly alongside?: string
  /** Where its own directory is made, instead of the system's place for what is temporary. */
  readonly place?: string
}

/** A server with these settings, initialised anew if nothing else is said. It is gone when this process is. */
export const startServer = async (
  settings: Readonly<Record<string, string>>,
  basis: ServerBasis = {}
) => {
  const args = [keeper, JSON.stringify(settings), JSON.stringify(basis)]
  const child = spawn(process.execPath, args, {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
    ...(basis.place === undefined ? {} : { env: { ...process.env, TMPDIR: basis.place } })
  })
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const stop = async () => {
    child.stdin.end()
    await ended
  }
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async () => {
    const line = await lines.next()
    return line.done ? {} : JSON.parse(line.value)
  }
  const { problem = "its keeper ended early", url } = await answer()
  if (url === undefined) {
    await stop()
    const failure = new Error(`PostgreSQL, which the tests need, did not start: ${problem}`)
    // Where it was thrown says nothing more.
    failure.stack = failure.message
    throw failure
  }
  const told = async (word: "kill" | "start") => {
    child.stdin.write(`${word}\n`)
    const { done, problem } = await answer()
    if (done !== word) throw new Error(`PostgreSQL did not ${word}: ${problem}`)
  }
  return {
    url: String(url),
    stop,
    /** Ends the postmaster with SIGKILL: the other processes of the server find out. */
    kill: () => told("kill"),
    /** On the same files and port, after `kill`. */
    start: () => told("start")
  }
}

export const withDatabase = (url: string, database: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
