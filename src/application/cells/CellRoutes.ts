/** The routing table as this process has it, and which cell it serves. */
import { Context, type Effect, type Option } from "effect"
import type { CellName, CellTable } from "../../domain/cells/CellTable.ts"
import type { CellsFileBroken } from "../../domain/health/SearchHealth.ts"

/** Name of this process's cell, and the newest routing table that it could read. */
export class CellRoutes extends Context.Service<CellRoutes, {
  /** Name of this process's cell. */
  readonly own: CellName
  /** The newest table that could be read. */
  readonly table: Effect.Effect<CellTable>
  /** Alert as long as the file cannot be read, and an older table holds. */
  readonly broken: Effect.Effect<Option.Option<CellsFileBroken>>
}>()("web-grounding/application/cells/CellRoutes") {}
