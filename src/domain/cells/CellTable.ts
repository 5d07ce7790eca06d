/**
 * The routing table of a deployment with several databases: its cells, and which of them serves a
 * tenant. Pure: whoever has the file's text reads it here.
 */
import { Result, Schema } from "effect"
import { TenantId } from "../access/AccessToken.ts"

/** Name of a cell: 1 to 40 lower-case letters, digits and hyphens, the first one no hyphen. */
export const CellName = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,39}$/, {
    message: "Expected 1 to 40 lower-case letters, digits and hyphens, the first one no hyphen"
  })
)
export type CellName = typeof CellName.Type

/** Address at which callers reach a cell, without a slash at the end. */
const CellUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[A-Za-z0-9.-]+(?::\d{1,5})?$/, {
    message: "Expected http: or https:, a host and perhaps a port"
  })
)

export const CellTable = Schema.Struct({
  /** Cell of every tenant that `tenants` does not name. */
  default: CellName,
  cells: Schema.Record(Schema.String, Schema.Struct({ url: CellUrl })),
  /** Tenants of other cells. */
  tenants: Schema.optionalKey(Schema.Record(Schema.String, CellName))
})
export type CellTable = typeof CellTable.Type

/** Longest file that is read, in bytes. */
export const fileBytesMax = 8 * 1_024 * 1_024

const isCellName = Schema.is(CellName)
const isTenantId = Schema.is(TenantId)

const decodeTable = Schema.decodeUnknownResult(Schema.fromJsonString(CellTable))

/** The table in a text, or one sentence on what is wrong with it. */
export const parse = (text: string): Result.Result<CellTable, string> =>
  Result.flatMap(
    Result.mapError(decodeTable(text), ({ message }) => message.split("\n")[0] ?? "no table"),
    (table) => {
      const names = Object.keys(table.cells)
      const misnamed = names.find((cell) => !isCellName(cell)) ??
        Object.keys(table.tenants ?? {}).find((tenant) => !isTenantId(tenant))
      if (misnamed !== undefined) return Result.fail(`No name of a cell or tenant: ${misnamed}`)
      const unknown = [table.default, ...Object.values(table.tenants ?? {})]
        .find((cell) => !Object.hasOwn(table.cells, cell))
      return unknown === undefined
        ? Result.succeed(table)
        : Result.fail(`The cell ${unknown} is not among the cells`)
    }
  )

/** Cell that serves a tenant. */
export const cellOf = ({ default: fallback, tenants = {} }: CellTable, tenantId: string): string =>
  Object.hasOwn(tenants, tenantId) ? tenants[tenantId] ?? fallback : fallback

/** Address of a cell. Absent: the table does not name it. */
export const addressOf = ({ cells }: CellTable, cell: string): string | undefined =>
  Object.hasOwn(cells, cell) ? cells[cell]?.url : undefined

/** The table with a tenant in a cell. */
export const withTenant = (table: CellTable, tenantId: string, cell: CellName): CellTable => {
  const others = Object.entries(table.tenants ?? {}).filter(([tenant]) => tenant !== tenantId)
  return {
    ...table,
    tenants: Object.fromEntries(cell === table.default ? others : [...others, [tenantId, cell]])
  }
}

/** The table as its file has it. */
export const textOf = (table: CellTable): string => `${JSON.stringify(table, undefined, 2)}\n`
