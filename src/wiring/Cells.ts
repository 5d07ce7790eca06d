/** Wires cells: which one this process serves, and moves of tenants between two of them. */
import { Context, Data, Effect, Layer, Option, Redacted } from "effect"
import * as CellsFile from "../adapters/cells/CellsFile.ts"
import type { Cells } from "../adapters/cli/Wiring.ts"
import * as PostgresCellStore from "../adapters/postgres/cells/PostgresCellStore.ts"
import * as PostgresTenantMoves from "../adapters/postgres/cells/PostgresTenantMoves.ts"
import * as PostgresEventStore from "../adapters/postgres/PostgresEventStore.ts"
import * as PostgresLogRows from "../adapters/postgres/PostgresLogRows.ts"
import * as AccessTokens from "../application/AccessTokens.ts"
import * as VerifyLog from "../application/audit/VerifyLog.ts"
import { NotMovable } from "../application/cells/MoveTenant.ts"
import * as MoveTenant from "../application/cells/MoveTenant.ts"
import * as TenantGate from "../application/cells/TenantGate.ts"
import * as ErasureLog from "../application/erasure/ErasureLog.ts"
import * as EvidenceLog from "../application/evidence/EvidenceLog.ts"
import { Digest } from "../application/ports/Digest.ts"
import { allScopes } from "../domain/access/AccessToken.ts"
import * as CellTable from "../domain/cells/CellTable.ts"
import { canonical } from "../infrastructure/CanonicalJson.ts"
import { sha256 } from "../infrastructure/Digest.ts"
import * as PayloadKeys from "../infrastructure/encryption/PayloadKeys.ts"
import * as Migrations from "../infrastructure/postgres/Migrations.ts"
import type { Postgres } from "../infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../infrastructure/postgres/PostgresServer.ts"
import * as WrappingKeys from "../infrastructure/postgres/WrappingKeys.ts"
import * as Settings from "../infrastructure/Settings.ts"
import * as Anchoring from "./Anchoring.ts"
import * as Storage from "./Storage.ts"

/** Connections to each of the two databases. */
const connectionsMax = 2

/** A setting that the command needs is missing. */
class CellSettingMissing extends Data.TaggedError("CellSettingMissing")<{
  readonly setting: string
}> {
  override get message() {
    return `Setting ${this.setting} is missing`
  }
}

/** Nothing where there is one cell. Over the database of this process's cell. */
export const gate = Layer.unwrap(
  Effect.map(
    Settings.Settings,
    ({ CELL, CELLS_FILE }): Layer.Layer<never, CellsFile.CellsFileUnusable, Postgres> =>
      Option.isSome(CELLS_FILE) && Option.isSome(CELL)
        ? TenantGate.layer.pipe(
          Layer.provideMerge(CellsFile.layer(CELLS_FILE.value, CELL.value)),
          Layer.provide(PostgresTenantMoves.layer)
        )
        : Layer.empty
  )
)

const given = <A>(setting: string, value: Option.Option<A>) =>
  Effect.mapError(Effect.fromOption(value), () => new CellSettingMissing({ setting }))

/** A cell's database with its keys, opened for a move. */
const opened = Effect.fnUntraced(function*(
  url: Redacted.Redacted,
  own: PostgresCellStore.CellKeys["own"],
  others: PostgresCellStore.CellKeys["others"]
) {
  const settings = yield* Settings.Settings
  const database = PostgresServer.layer({
    ...Storage.serverOptions(settings),
    url,
    poolMax: connectionsMax
  }).pipe(
    Layer.merge(Layer.succeed(PayloadKeys.PayloadKeys, own))
  )
  const checked = Layer.effectDiscard(Effect.andThen(Migrations.run, WrappingKeys.check)).pipe(
    Layer.provideMerge(database)
  )
  const facts = Layer.mergeAll(Storage.ids, Layer.succeed(Digest, { sha256, canonical }))
  const parts = Layer.merge(
    AccessTokens.layer.pipe(Layer.provide(PostgresEventStore.layer)),
    VerifyLog.layer.pipe(Layer.provide(Layer.merge(Anchoring.ports, PostgresLogRows.layer)))
  ).pipe(Layer.provide(facts), Layer.provideMerge(checked))
  // Two cells are two databases, and never the same part.
  const built = yield* Layer.build(Layer.fresh(parts))
  return {
    store: yield* Effect.provide(PostgresCellStore.make({ own, others }), built),
    tokens: Context.get(built, AccessTokens.AccessTokens),
    verify: Context.get(built, VerifyLog.VerifyLog).verify
  }
})

/** Moves tenants between the cell of this process and others, for the commands. */
export const moving = Effect.gen(function*() {
  const settings = yield* Settings.Settings
  const path = yield* given("CELLS_FILE", settings.CELLS_FILE)
  const own = yield* given("CELL", settings.CELL)
  const databaseUrl = yield* given("DATABASE_URL", settings.DATABASE_URL)
  const url = Option.getOrElse(settings.ERASURE_DATABASE_URL, () => databaseUrl)
  const table = yield* CellsFile.readTable(path, own)
  const current = Settings.givenSecret(settings.PAYLOAD_KEY)
  const here = PayloadKeys.ofSettings({
    current,
    former: Settings.givenSecret(settings.PAYLOAD_KEYS_FORMER)
  })
  const source = yield* opened(url, here, Option.none())

  const moveTo: Cells["move"] = Effect.fnUntraced(
    function*(tenantId, to, done) {
      if (to === own) {
        return yield* new NotMovable({ problem: `The tenant ${tenantId} would stay in ${own}` })
      }
      if (CellTable.addressOf(table, to) === undefined) {
        return yield* new NotMovable({ problem: `CELLS_FILE names no cell ${to}` })
      }
      const targetUrl = yield* given("CELL_MOVE_DATABASE_URL", settings.CELL_MOVE_DATABASE_URL)
      const targetKey = Option.orElse(
        Settings.givenSecret(settings.CELL_MOVE_PAYLOAD_KEY),
        () => current
      )
      const there = PayloadKeys.ofSettings({ current: targetKey, former: Option.none() })
      const target = yield* opened(targetUrl, there, here)
      const tenants = [
        tenantId,
        EvidenceLog.tenantOf(tenantId),
        ErasureLog.tenantOf(tenantId)
      ]
      const summary = yield* MoveTenant.move({
        tenantId,
        from: { name: own, store: source.store },
        to: { name: to, store: target.store },
        verified: Effect.forEach(
          tenants,
          (tenant) => target.verify({ tenantId: tenant }, { mode: "full" })
        ),
        tokensCopied: Effect.flatMap(
          source.tokens.ofTenant(tenantId),
          (tokens) => target.tokens.adopt(tokens, { tenantId, actor: "cli" })
        ),
        done
      })
      const routed = yield* Effect.result(
        CellsFile.write(
          path,
          CellTable.withTenant(yield* CellsFile.readTable(path, own), tenantId, to)
        )
      )
      return { ...summary, isRouted: routed._tag === "Success" }
    },
    Effect.scoped,
    Effect.provideService(Settings.Settings, settings)
  )

  const cells: Cells = {
    own,
    table,
    moves: source.store.moves,
    move: moveTo,
    cancel: (tenantId) => MoveTenant.cancel(source.store, tenantId),
    eraseLeft: (tenantId) => MoveTenant.eraseLeft(source.store, tenantId)
  }
  return cells
}).pipe(Effect.provide(Settings.layer))

/** The running service of a cell, at its address in the routing table. */
export const attachedCell = Effect.fnUntraced(function*(cell: string) {
  const settings = yield* Settings.Settings
  const table = yield* CellsFile.readTable(yield* given("CELLS_FILE", settings.CELLS_FILE), cell)
  const token = yield* given("CELL_TOKEN", Settings.givenSecret(settings.CELL_TOKEN))
  const { attachTo } = yield* Effect.promise(() => import("./attached/Attached.ts"))
  return yield* attachTo(CellTable.addressOf(table, cell) ?? "", Redacted.value(token))
}, Effect.provide(Settings.layer))

/** Use cases of a cell's service, for commands that look. */
export const application = (cell: string) =>
  Effect.map(attachedCell(cell), (attached) => ({ ...attached, warned: Effect.void }))

/** Check that this cell serves the tenant of the settings; fails where another one does. */
export const servedHere = (built: Context.Context<never>) =>
  Effect.gen(function*() {
    const { WEB_GROUNDING_TENANT } = yield* Settings.Settings
    const { pass } = Context.get(built, TenantGate.TenantGate)
    yield* pass({ tenantId: WEB_GROUNDING_TENANT, scopes: allScopes }, "ground")
  }).pipe(Effect.provide(Settings.layer))
