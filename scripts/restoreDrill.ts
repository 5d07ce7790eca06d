/**
 * Restores a backup and checks that the service works on it.
 *
 * `node scripts/restoreDrill.ts --verify RESTORED [SOURCE]` checks a restored database: nothing to
 * migrate, a service starts on it and is ready, sessions replay, read models equal a fold of the
 * log; and it holds what the source holds, up to its own last event. `node scripts/restoreDrill.ts
 * SOURCE EMPTY` first dumps the source into the empty database, by `pg_dump` and `pg_restore` of
 * the server's version. Arguments are URLs of databases. `--erasures FILE`, last, repeats erasures
 * made since the backup and checks that nothing of them is left.
 *
 * Prints the findings as JSON; exit code 1 when one is wrong.
 */
import { execFile, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import pg from "pg"

const commandMsMax = 600_000
const readyLooksMax = 600
const lookEveryMs = 100
/** Sessions that are replayed: the oldest and the newest half of so many. */
const replayedMax = 6
const outputBytesMax = 64 * 1_024 * 1_024

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

const run = (
  program: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {}
): Promise<Ran> =>
  new Promise((resolve) =>
    execFile(program, args, {
      env: { ...process.env, ...env },
      timeout: commandMsMax,
      maxBuffer: outputBytesMax
    }, (error, out, err) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
      resolve({ code, out, err })
    })
  )

const wg = (url: string, ...args: ReadonlyArray<string>) =>
  run(process.execPath, ["bin/wg.js", ...args], { DATABASE_URL: url, NO_COLOR: "1" })

const connected = async <A>(url: string, use: (client: pg.Client) => Promise<A>): Promise<A> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** The log up to a position, and the number of its other rows. */
const contentOf = (url: string, until?: string) =>
  connected(url, async (client) => {
    const { rows: [last] } = await client.query(
      "select coalesce(max(position), 0)::text as position, count(*)::int as events from wg.events " +
        "where $1::bigint is null or position <= $1::bigint",
      [until ?? null]
    )
    const hash = createHash("sha256")
    const { rows } = await client.query(
      "select position::text || stream_id::text || version::text || event_id::text || data::text as line " +
        "from wg.events where position <= $1::bigint order by position",
      [last.position]
    )
    for (const { line } of rows) hash.update(`${line}\n`)
    return {
      position: String(last.position),
      events: Number(last.events),
      digest: hash.digest("hex")
    }
  })

const sessionsOf = (url: string): Promise<ReadonlyArray<string>> =>
  connected(url, async (client) => {
    const { rows } = await client.query(
      "select session_id from wg.streams where erased_at is null " +
        "and exists (select 1 from wg.events e where e.stream_id = streams.stream_id " +
        "and e.type = 'WEB_GROUNDING_FINISHED') order by created_at"
    )
    const ids = rows.map(({ session_id }) => String(session_id))
    return ids.length <= replayedMax
      ? ids
      : [...ids.slice(0, replayedMax / 2), ...ids.slice(-replayedMax / 2)]
  })

/** What a service on it says when it is asked for readiness, and that it can be ended. */
const served = async (url: string): Promise<string> => {
  const child = spawn(process.execPath, ["bin/wg.js", "serve", "--sandbox", "--port", "0"], {
    env: { ...process.env, DATABASE_URL: url, WEB_GROUNDING_HOST: "127.0.0.1" },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let said = ""
  const hear = (chunk: Buffer) => said += chunk.toString()
  child.stdout.on("data", hear)
  child.stderr.on("data", hear)
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
  try {
    for (let look = 0; look < readyLooksMax && child.exitCode === null; look++) {
      const address = /Serving groundings on (\S+)/.exec(said)?.[1]
      if (address !== undefined) {
        const states = await Promise.all(
          ["startupz", "readyz"].map((path) =>
            fetch(`${address}/${path}`).then(({ status }) => status)
          )
        )
        if (states.every((status) => status === 200)) return "ready"
      }
      await pause(lookEveryMs)
    }
    return `not ready: ${said.trim()}`
  } finally {
    child.kill("SIGTERM")
    await ended
  }
}

const dumped = async (source: string, target: string): Promise<string> => {
  const directory = mkdtempSync(join(tmpdir(), "wg-drill-"))
  const file = join(directory, "log.dump")
  try {
    const steps = [
      ["pg_dump", ["--format=custom", `--file=${file}`, `--dbname=${source}`]],
      ["pg_restore", ["--exit-on-error", "--no-owner", `--dbname=${target}`, file]]
    ] as const
    for (const [program, args] of steps) {
      const { code, err } = await run(program, args)
      if (code !== 0) return `${program} failed: ${err.trim()}`
    }
    return "restored"
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const rebuiltOf = async (url: string) => {
  const { code, err, out } = await wg(url, "projections", "rebuild", "--json")
  if (code !== 0) return { problem: err.trim() }
  const models: ReadonlyArray<{ readonly corrected: number }> = JSON.parse(out)
  return {
    models: models.length,
    corrected: models.reduce((sum, { corrected }) => sum + corrected, 0)
  }
}

/** Sessions on the list that are there again, and what of their payloads and keys is left. */
const erasedAgain = async (url: string, file: string) => {
  const { code, err, out } = await wg(url, "erase", "--again", file, "--json")
  if (code !== 0) return { isSound: false, problem: err.trim() }
  const streams = out.split("\n").filter((line) => line !== "")
    .map((line): string => JSON.parse(line).stream_id)
  const left = await connected(url, async (client) => {
    const { rows: [row] } = await client.query(
      `select (select count(*)::int from wg.events where stream_id = any($1) and data is not null)
          + (select count(*)::int from wg.payload_keys where stream_id = any($1)) as left`,
      [streams]
    )
    return Number(row.left)
  })
  return { isSound: left === 0, sessions: streams.length, left }
}

const verified = async (restored: string, source: string | undefined) => {
  const migrations = await wg(restored, "migrate")
  // What is erased again is recorded behind what the source has.
  const { position: end } = await contentOf(restored)
  const erasures = list === undefined ? undefined : await erasedAgain(restored, list)
  const service = await served(restored)
  const sessions = await sessionsOf(restored)
  const replays: Array<string> = []
  for (const session of sessions) {
    const { code, err, out } = await wg(restored, "replay", session)
    const isSound = code === 0 && out.includes("identical") && out.includes("hash chain intact")
    replays.push(isSound ? "identical" : `${session}: ${out}${err}`.trim())
  }
  // Figures of what was erased again are counted anew; the second time nothing is to be put right.
  if (erasures !== undefined) await rebuiltOf(restored)
  const readModels = await rebuiltOf(restored)
  const log = await contentOf(restored, end)
  const original = source === undefined ? log : await contentOf(source, log.position)
  const report = {
    migrations: migrations.out.trim() || migrations.err.trim(),
    service,
    replays,
    readModels,
    ...(erasures === undefined ? {} : { erasures }),
    log: { events: log.events, position: log.position, isAsSource: log.digest === original.digest }
  }
  const isSound = migrations.code === 0 && report.migrations === "The database is up to date." &&
    service === "ready" && replays.length > 0 &&
    replays.every((replay) => replay === "identical") &&
    readModels.corrected === 0 && report.log.isAsSource && erasures?.isSound !== false
  return { isSound, ...report }
}

const args = process.argv.slice(2)
const flagAt = args.indexOf("--erasures")
const list = flagAt === -1 ? undefined : args[flagAt + 1]
const [first, second, third] = flagAt === -1 ? args : args.slice(0, flagAt)
if (first === undefined || second === undefined) {
  console.error(
    "Usage: restoreDrill.ts (--verify RESTORED [SOURCE] | SOURCE EMPTY) [--erasures FILE]"
  )
  process.exit(1)
}
const isGiven = first === "--verify"

const drilled = async () => {
  const dump = isGiven ? undefined : await dumped(first, second)
  const report = dump === undefined || dump === "restored"
    ? await verified(second, isGiven ? third : first)
    : { isSound: false }
  return { ...(dump === undefined ? {} : { dump }), ...report }
}

const report = await drilled().catch((cause: unknown) => ({
  isSound: false,
  // The driver's errors hold no address and no password.
  problem: cause instanceof Error ? cause.message : String(cause)
}))
console.log(JSON.stringify(report, undefined, 2))
process.exitCode = report.isSound ? 0 : 1
