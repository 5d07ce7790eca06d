/**
 * Backups as `docs/databases.md` has them made, restored and looked at by `scripts/restoreDrill.ts`:
 * a dump of the whole database, and files with archived log up to a moment between two groundings.
 *
 * Promise: the service starts on what was restored; sessions, packs and evidence up to the moment are
 * there, replay and are what the read models say; nothing after it is, and nothing of what was erased
 * since. Saboteurs: a restored log that lacks an event; one with a grounding too many. It takes minutes: `WG_TEST_FULL=1`.
 */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { execFile, execFileSync, spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"
import * as PayloadCipher from "../../src/infrastructure/encryption/PayloadCipher.ts"
import { startServer, withDatabase } from "../support/postgresServer.ts"
import { compiled } from "../support/processes.ts"

const full = process.env["WG_TEST_FULL"] === "1"

const commandMsMax = 300_000
const looksMax = 300
const lookEveryMs = 200

const server = { max_connections: "60", listen_addresses: "127.0.0.1", unix_socket_directories: "" }

/** The key outlives the database; the list of erasures is next to it. */
const keyed = { PAYLOAD_KEY: PayloadCipher.drawnKey() }

const place = mkdtempSync(join(tmpdir(), "wg-restore-"))
const stops: Array<() => Promise<void>> = []

afterAll(async () => {
  for (const stop of stops) await stop()
  rmSync(place, { recursive: true, force: true })
})

const started = async (...of: Parameters<typeof startServer>) => {
  const running = await startServer(...of)
  stops.push(running.stop)
  return running
}

const ran = (
  url: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<{ readonly code: number; readonly out: string }> =>
  new Promise((resolve) =>
    execFile(process.execPath, args, {
      env: { ...compiled, NO_COLOR: "1", ...keyed, DATABASE_URL: url, ...env },
      timeout: commandMsMax
    }, (error, out, err) => resolve({ code: error === null ? 0 : 1, out: out + err }))
  )

const wg = (url: string, ...args: ReadonlyArray<string>) => ran(url, ["bin/wg.js", ...args])

const question = "How much notice must a tenant give in Japan?"

const ground = async (url: string, session: string) => {
  const { code, out } = await wg(
    url,
    "ground",
    question,
    "--session",
    session,
    "--request",
    "r",
    "--sandbox"
  )
  assert.strictEqual(code, 0, out)
}

const keepNote = async (url: string) => {
  const note = join(place, "note.md")
  writeFileSync(note, "A tenant in Halvern gives notice in writing, three weeks ahead.\n")
  const { code, out } = await wg(url, "evidence", "ingest", note, "--source-type", "user_note")
  assert.strictEqual(code, 0, out)
}

const asked = async <A>(url: string, use: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: url })
  client.on("error", () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

const created = async (admin: string, name: string): Promise<string> => {
  await asked(admin, (client) => client.query(`create database ${name}`))
  return withDatabase(admin, name)
}

const drill = (...args: ReadonlyArray<string>) =>
  ran("postgres://nobody@127.0.0.1:9/none", ["scripts/restoreDrill.ts", ...args])

const reportOf = async (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
) => {
  const { code, out } = await ran("postgres://nobody@127.0.0.1:9/none", [
    "scripts/restoreDrill.ts",
    ...args
  ], env)
  assert.match(out, /^\{/)
  return { code, out, report: JSON.parse(out) }
}

const seen = async (url: string, ...args: ReadonlyArray<string>) => (await wg(url, ...args)).out

/** What shows that everything up to the moment is there. */
const assertThere = async (url: string, sessions: ReadonlyArray<string>) => {
  for (const session of sessions) {
    assert.include(await seen(url, "pack", session, "r"), "one month's notice")
  }
  assert.include(await seen(url, "evidence", "search", "notice in writing"), "three weeks ahead")
}

/** The files of a running server, consistent with its archived log. */
const copied = async (url: string, to: string) => {
  await asked(url, async (client) => {
    const { rows: [{ data_directory: from }] } = await client.query("show data_directory")
    await client.query("select pg_backup_start('drill', true)")
    // Files that go while they are copied are made again from the log.
    spawnSync("cp", ["-a", from, to])
    const { rows: [stopped] } = await client.query("select labelfile from pg_backup_stop()")
    writeFileSync(join(to, "backup_label"), stopped.labelfile)
  })
  for (const left of ["postmaster.pid", "postmaster.opts"]) rmSync(join(to, left), { force: true })
  execFileSync("find", [join(to, "pg_wal"), "-type", "f", "-delete"])
  writeFileSync(join(to, "recovery.signal"), "")
}

/** Waits until everything written so far is in the archive. */
const archived = (url: string) =>
  asked(url, async (client) => {
    const { rows: [{ name }] } = await client.query(
      "select pg_walfile_name(pg_switch_wal()) as name"
    )
    for (let look = 0; look < looksMax; look++) {
      const { rows: [{ last }] } = await client.query(
        "select last_archived_wal as last from pg_stat_archiver"
      )
      if (last !== null && String(last) >= name) return
      await pause(lookEveryMs)
    }
    throw new Error(`${name} was not archived`)
  })

/** The folder of `pg_dump`, where a server is in it, too. */
const native = () => {
  const { status, stdout } = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" })
  const folder = (stdout ?? "").trim()
  return status === 0 && existsSync(join(folder, "postgres")) && existsSync(join(folder, "pg_dump"))
    ? dirname(folder)
    : undefined
}

describe.runIf(full)("a backup", () => {
  it("restores to a moment between two groundings, by files and archived log", async () => {
    const archive = join(place, "archive")
    execFileSync("mkdir", ["-m", "777", archive])
    chmodSync(place, 0o755)
    const source = await started({
      ...server,
      wal_level: "replica",
      archive_mode: "on",
      archive_command: `cp %p ${archive}/%f`
    })
    const url = await created(source.url, "wg")
    await keepNote(url)
    await ground(url, "before-backup")
    const files = join(place, "files")
    await copied(source.url, files)
    await ground(url, "after-backup")
    const moment = await asked(url, async (client) => {
      const { rows: [{ now }] } = await client.query("select clock_timestamp()::text as now")
      return String(now)
    })
    await ground(url, "too-late")
    const list = join(place, "erasures.jsonl")
    const erased = await ran(url, ["bin/wg.js", "erase", "--session", "after-backup"], {
      ERASURE_FILE: list
    })
    assert.strictEqual(erased.code, 0, erased.out)
    await archived(source.url)

    const restored = await started({
      ...server,
      restore_command: `cp ${archive}/%f %p`,
      recovery_target_time: moment,
      recovery_target_action: "promote"
    }, { backup: { files, password: new URL(source.url).password } })
    const restoredUrl = withDatabase(restored.url, "wg")
    // As it is before it is looked at: the session is back, with its key.
    assert.include(await seen(restoredUrl, "pack", "after-backup", "r"), "one month's notice")
    const { code, out, report } = await reportOf(["--verify", restoredUrl, url, "--erasures", list])
    process.stdout.write(`${JSON.stringify(report)}\n`)
    assert.strictEqual(code, 0, out)
    assert.lengthOf(report.replays, 1)
    assert.deepStrictEqual(report.erasures, { isSound: true, sessions: 1, left: 0 })
    await assertThere(restoredUrl, ["before-backup"])
    assert.include(
      await seen(restoredUrl, "pack", "after-backup", "r"),
      "The content of session after-backup was erased at 20"
    )
    assert.include(
      await seen(restoredUrl, "session", "too-late"),
      "No session too-late is recorded"
    )
    assert.include(await seen(url, "pack", "too-late", "r"), "one month's notice")

    // Saboteur: a log that lacks an event of the moment.
    await asked(restoredUrl, async (client) => {
      await client.query("set session_replication_role = replica")
      await client.query(
        "delete from wg.events where position = (select min(position) from wg.events)"
      )
    })
    const short = await drill("--verify", restoredUrl, url)
    assert.strictEqual(short.code, 1, short.out)
  }, 900_000)

  it.runIf(native() !== undefined)("restores from a dump into an empty database", async () => {
    const other = native() ?? ""
    const source = await started(server, { native: other })
    const url = await created(source.url, "wg")
    await keepNote(url)
    for (const session of ["first", "second"]) await ground(url, session)
    const empty = await created(source.url, "wg_restored")
    const PATH = `${join(other, "bin")}:${process.env["PATH"]}`
    const { code, out, report } = await reportOf([url, empty], { PATH })
    process.stdout.write(`${JSON.stringify(report)}\n`)
    assert.strictEqual(code, 0, out)
    assert.lengthOf(report.replays, 2)
    await assertThere(empty, ["first", "second"])
  }, 900_000)
})
