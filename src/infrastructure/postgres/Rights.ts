/**
 * Rights of the roles `wg_app` and `wg_eraser`. Each migration of a database grants the missing
 * ones, because a role may be created after the tables, or the login may not grant everything.
 */
import { Effect } from "effect"
import { type RawBuilder, sql } from "kysely"
import { Postgres, rowsIn } from "./Postgres.ts"

type Kind = "any_column" | "function" | "schema" | "sequence" | "table"

/** Privileges and objects are separated by a comma and a space. */
type Right = readonly [kind: Kind, privileges: string, objects: string, columns?: string]

const ofApp: ReadonlyArray<Right> = [
  ["schema", "usage", "wg"],
  ["sequence", "usage, select", "wg.position"],
  ["function", "execute", "wg.watermark()"],
  ["table", "select", "wg.migrations"],
  ["table", "select, insert", "wg.events, wg.streams, wg.credits, wg.anchors, wg.anchor_keys"],
  ["table", "select, insert", "wg.payload_keys, wg.wrapping_keys"],
  ["table", "select, insert, update", "wg.checkpoints, wg.dead_letters, wg.live_models"],
  ["table", "select, insert, update", "wg.query_cache, wg.pack_cache, wg.tenant_use"],
  ["table", "select, insert, update", "wg.evidence_models, wg.anchor_turn"],
  ["table", "select, insert, delete", "wg.evidence_entries, wg.evidence_vectors"],
  ["table", "select, insert, update, delete", "wg.read_models, wg.flights"],
  ["table", "select, insert, update, delete", "wg.pages_to_collect, wg.service_state"],
  ["any_column", "update", "wg.streams", "version, head_hash"],
  ["any_column", "update", "wg.credits", "used"],
  ["any_column", "update", "wg.anchors", "shipped"]
]

const ofEraser: ReadonlyArray<Right> = [
  ["schema", "usage", "wg"],
  ["table", "select", "wg.streams"],
  ["table", "delete", "wg.wrapping_keys, wg.query_cache, wg.pack_cache"],
  ["function", "execute", "wg.erase(uuid), wg.hold(uuid,boolean), wg.rewrap(uuid,text,text)"]
]

const statementsOf = (query: RawBuilder<Missing>) =>
  Effect.gen(function*() {
    const rows = yield* rowsIn(yield* Postgres)(query)
    return rows.map(({ statement }) => statement)
  })

/** Grants that the existing roles lack, as statements. */
export const missing = Effect.suspend(() => statementsOf(missingOfRoles))

/** What this login lacks of the rights of `wg_eraser`, as statements that grant it. */
export const lackedByEraser = Effect.suspend(() => statementsOf(missingOfLogin))

/** Runs the grants that this login may run. */
export const grant = Effect.fnUntraced(function*(statements: ReadonlyArray<string>) {
  const { run } = yield* Postgres
  for (const statement of statements) {
    const attempt = `do $$ begin ${statement};
      exception when insufficient_privilege then null; end $$`
    yield* run((db) => sql.raw(attempt).execute(db))
  }
})

/** A sentence for the operator. */
export const toGrant = (statements: ReadonlyArray<string>): string =>
  `Rights are missing in the database: an administrator must run ${statements.join("; ")};`

interface Missing {
  readonly statement: string
}

/** A row: the grant, and whether `role` has it. Names resolve only in a usable schema. */
const rowOf = (grantee: string) => ([kind, privileges, objects, columns]: Right): string => {
  const isTable = kind === "table" || kind === "any_column"
  const granted = columns === undefined ? privileges : `${privileges} (${columns})`
  const on = isTable ? objects : `${kind} ${objects}`
  const statement = `grant ${granted} on ${on} to ${grantee}`
  const held = objects.split(", ").flatMap((object) =>
    privileges.split(", ").map((privilege) =>
      `has_${kind}_privilege(role.oid, '${object}', '${privilege}')`
    )
  )
  return `('${statement}', case when has_schema_privilege('wg', 'usage')
    then ${held.join(" and ")} end)`
}

const missingOf = (holder: string, rows: ReadonlyArray<string>): string =>
  `select statement from pg_roles as role
    cross join lateral (values ${rows.join(", ")}) as one (statement, is_held)
    where role.rolname = ${holder} and is_held is not true`

const appRows = ofApp.map(rowOf("wg_app"))
const eraserRows = ofEraser.map(rowOf("wg_eraser"))

const missingMembership =
  `select 'grant wg_app to wg_eraser' from pg_roles as app, pg_roles as eraser
    where app.rolname = 'wg_app' and eraser.rolname = 'wg_eraser'
      and not pg_has_role(eraser.oid, app.oid, 'usage')`

const missingOfRoles = sql.raw<Missing>(`
  ${missingOf("'wg_app'", appRows)}
  union all ${missingOf("'wg_eraser'", eraserRows)}
  union all ${missingMembership}`)

/** Where a membership is missing, it alone is named: it brings the rights. */
const missingOfLogin = sql.raw<Missing>(`
  with missing as (${missingOf("current_user", [...appRows, ...eraserRows])}),
    membership as (select format('grant wg_eraser to %I', current_user) as statement
      from pg_roles where rolname = 'wg_eraser' and not pg_has_role(oid, 'usage')
      union all ${missingMembership})
  select statement from membership where exists (select from missing)
  union all select statement from missing where not exists (select from membership)`)
