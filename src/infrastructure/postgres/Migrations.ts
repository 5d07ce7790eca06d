/**
 * Migrates a database to this release's schema: forward only, all or nothing, in one transaction
 * under one lock. A release older than its database refuses to change it.
 */
import { Effect, Predicate, Schedule, Schema } from "effect"
import { type Kysely, sql } from "kysely"
import { readdirSync, readFileSync } from "node:fs"
import { sha256 } from "../Digest.ts"
import { codeOf, Postgres, type PostgresError, rowsIn } from "./Postgres.ts"
import * as Rights from "./Rights.ts"

/** The database holds a migration unknown to this release: a newer release migrated it. */
export class SchemaNewer extends Schema.TaggedError<SchemaNewer>()("SchemaNewer", {
  migration: Schema.String
}) {
  override get message(): string {
    return `The database holds the migration ${this.migration}, which this release does not ` +
      "know: start the newer release that wrote it."
  }
}

/** An applied migration's file was changed, or failed to load. */
export class MigrationUnusable
  extends Schema.TaggedError<MigrationUnusable>()("MigrationUnusable", {
    migration: Schema.String,
    problem: Schema.Literals(["edited after it was applied", "exports no function named up"])
  })
{
  override get message(): string {
    return `The migration ${this.migration} is unusable: ${this.problem}.`
  }
}

export interface Migrated {
  /** Names of the migrations that this run applied, in order. Empty: nothing was pending. */
  readonly applied: ReadonlyArray<string>
  /** Rights of the roles that this login may not grant: what an administrator must run. */
  readonly problem: string | undefined
}

export const run: Effect.Effect<
  Migrated,
  PostgresError | SchemaNewer | MigrationUnusable,
  Postgres
> = Effect.gen(function*() {
  const postgres = yield* Postgres
  // Most starts find nothing pending, and a role that may only append must be able to start, too.
  const { rows } = yield* postgres.run((db) => ledgerExists.execute(db))
  const isCurrent = rows[0]?.exists === true && (yield* pending).length === 0
  const applied = isCurrent ? [] : yield* Effect.retry(postgres.transaction(inTransaction), {
    while: (failure) => failure._tag === "PostgresError" && codeOf(failure.cause) === lockTimeout,
    schedule: Schedule.spaced(retryMs),
    times: retriesMax
  })
  const missing = yield* granted
  return { applied, problem: missing.length === 0 ? undefined : Rights.toGrant(missing) }
})

/** Grants that are still missing. Two processes may not grant at the same time. */
const granted = Effect.gen(function*() {
  const postgres = yield* Postgres
  const missing = yield* Rights.missing
  if (missing.length === 0) return missing
  // What is missing afterwards is reported: a start does not fail for it, whatever was in the way.
  yield* Effect.ignore(postgres.transaction(Effect.andThen(
    postgres.run((db) => lock.execute(db)),
    Rights.grant(missing)
  )))
  return yield* Rights.missing
})

const inTransaction = Effect.gen(function*() {
  const postgres = yield* Postgres
  yield* postgres.run((db) => lock.execute(db))
  yield* postgres.run((db) => ledger.execute(db))
  const toApply = yield* pending
  yield* Effect.forEach(toApply, apply, { discard: true })
  return toApply.map(({ name }) => name)
})

/** Migrations not applied yet. Fails if an applied one is unknown here. */
const pending = Effect.gen(function*() {
  const postgres = yield* Postgres
  const applied = yield* rowsIn(postgres)(
    sql<{ readonly name: string; readonly checksum: string }>`
      select name, checksum from wg.migrations order by name`
  )
  const known = files()
  for (const { checksum, name } of applied) {
    const file = known.find((file) => file.name === name)
    if (file === undefined) return yield* new SchemaNewer({ migration: name })
    if (file.checksum !== checksum) {
      return yield* new MigrationUnusable({
        migration: name,
        problem: "edited after it was applied"
      })
    }
  }
  return known.filter((file) => !applied.some(({ name }) => name === file.name))
})

export const schemaState = (
  applied: ReadonlyArray<string>
): "current" | "schema_behind" | "schema_newer" => {
  const known = files().map(({ name }) => name)
  if (applied.some((name) => !known.includes(name))) return "schema_newer"
  return known.every((name) => applied.includes(name)) ? "current" : "schema_behind"
}

interface MigrationFile {
  readonly name: string
  readonly url: URL
  /** SHA-256 of the migration's source. */
  readonly checksum: string
}

const directory = new URL("../../../migrations/", import.meta.url)

/** Extension of the migrations: compiled ones are next to their sources, whose checksums count. */
const extension = import.meta.url.endsWith(".ts") ? "ts" : "js"

/** Oldest first: names begin with a number of four digits. */
const files = (): ReadonlyArray<MigrationFile> =>
  readdirSync(directory)
    .filter((file) => /^\d{4}_\w+\.ts$/.test(file))
    .sort()
    .map((file) => {
      const name = file.slice(0, -".ts".length)
      const text = readFileSync(new URL(file, directory), "utf8").replaceAll("\r\n", "\n")
      return { name, url: new URL(`${name}.${extension}`, directory), checksum: sha256(text) }
    })

const apply = Effect.fn("Migrations.apply")(function*({ checksum, name, url }: MigrationFile) {
  const postgres = yield* Postgres
  const module: unknown = yield* Effect.promise(() => import(url.href))
  if (!isMigration(module)) {
    return yield* new MigrationUnusable({
      migration: name,
      problem: "exports no function named up"
    })
  }
  yield* postgres.run((db) => module.up(db))
  yield* rowsIn(postgres)(
    sql`insert into wg.migrations (name, checksum) values (${name}, ${checksum})`
  )
})

interface Migration {
  readonly up: (db: Kysely<unknown>) => Promise<void>
}

const isMigration = (module: unknown): module is Migration =>
  Predicate.hasProperty(module, "up") && Predicate.isFunction(module.up)

/** Statements queue behind the migration, so it gives up soon, lets them pass and retries. */
const lockWaitMsMax = 2_000
const retryMs = 1_000
const retriesMax = 60
const lockTimeout = "55P03"

/** Held to the end of the transaction. Without a statement timeout, as a large table takes long. */
const lock = sql`select pg_advisory_xact_lock(7265000), set_config('statement_timeout', '0', true),
  set_config('lock_timeout', ${String(lockWaitMsMax)}, true)`

const ledgerExists = sql<{ readonly exists: boolean }>`
  select to_regclass('wg.migrations') is not null as exists`

const ledger = sql`do $$ begin
  create schema if not exists wg;
  create table if not exists wg.migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now()
  );
end $$`
