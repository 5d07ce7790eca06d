/** The tables of operations in `docs/reference/operations.md`, made of the contract's. */
import { readFileSync } from "node:fs"
import { type Operation, operations } from "../../src/contract/Operations.ts"
import { operatorOperations } from "../../src/contract/ServiceOperations.ts"

const file = "docs/reference/operations.md"

const head = "| Operation | Over HTTP | Scope | Cost | What it does |\n" +
  "| --- | --- | --- | --- | --- |\n"

const rowOf = ([name, { cost, http, scope, summary }]: readonly [string, Operation]): string =>
  `| \`${name}\` | \`${http.method} ${http.path}\` | ${scope} | ${cost} | ${summary} |\n`

const tableOf = (table: Readonly<Record<string, Operation>>): string =>
  head + Object.entries(table).map(rowOf).join("")

const tables = [tableOf(operations), tableOf(operatorOperations)]

const [before = "", between = "", ...after] = readFileSync(file, "utf8").split(head)
  .map((part, index) => index === 0 ? part : part.replace(/^(?:\|.*\n)+/, ""))

/** The document with the tables as they are in the contract. */
export const text = `${before}${tables[0]}${between}${tables[1]}${after.join(head)}`
