/** A streaming standby of a server of the tests, made of a copy of its files while it runs. */
import { Effect } from "effect"
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, sep } from "node:path"
import pg from "pg"
import { startServer, withDatabase } from "./postgresServer.ts"

const settings = {
  max_connections: "100",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // What it holds may be lost with it.
  fsync: "off",
  // It asks the primary soon after it could not.
  wal_retrieve_retry_interval: "100ms"
}

/** What a backup leaves out: the running server's own, and a log that the standby streams itself. */
const isLeft = (place: string): boolean =>
  place === "postmaster.pid" || place === "postmaster.opts" ||
  /^(pg_wal|pg_replslot)[\\/]./.test(place)

/** The files of the server at `url`, with what makes a standby of them. */
const copied = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const files = mkdtempSync(join(tmpdir(), "wg-standby-"))
  const { rows: [place] } = await client.query("select current_setting('data_directory') as files")
  await client.query("select pg_backup_start('standby', true)")
  cpSync(place.files, files, {
    recursive: true,
    filter: (file) => !isLeft(relative(place.files, file).split(sep).join("/"))
  })
  const { rows: [stopped] } = await client.query("select labelfile from pg_backup_stop(false)")
  await client.end()
  mkdirSync(join(files, "pg_wal"), { recursive: true })
  writeFileSync(join(files, "backup_label"), stopped.labelfile)
  writeFileSync(join(files, "standby.signal"), "")
  const { hostname, password, port, username } = new URL(url)
  const primary = `host=${hostname} port=${port} user=${username} password=${password}`
  writeFileSync(join(files, "postgresql.auto.conf"), `primary_conninfo = '${primary}'\n`)
  return files
}

/** Gone with the scope. Its address has the database of the primary's. */
export const acquire = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const files = await copied(url)
      const { password, pathname } = new URL(url)
      const server = await startServer(settings, {
        backup: { files, password: decodeURIComponent(password) },
        alongside: files
      })
      return { ...server, url: withDatabase(server.url, pathname.slice(1)) }
    }),
    ({ stop }) => Effect.promise(stop)
  )
