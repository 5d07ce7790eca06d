/**
 * Prepares an embedded store and prints a line for each SIGINT that it hears meanwhile.
 *
 * With `in_place` it prepares in its own event loop, as a start without a worker would: the
 * saboteur of `test/faults/firstStart.test.ts`.
 */
import { PGlite } from "@electric-sql/pglite"
import { Effect } from "effect"
import { writeSync } from "node:fs"
import { join } from "node:path"
import { prepare } from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"

const dataDir = join(String(process.env["WEB_GROUNDING_DATA_DIR"]), "data")

process.on("SIGINT", () => writeSync(1, "heard\n"))
await (process.argv[2] === "in_place"
  ? PGlite.create(`${dataDir}.new`)
  : Effect.runPromise(prepare(dataDir)))
process.exit(0)
