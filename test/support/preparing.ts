/** Prepares an embedded store and prints a line for each SIGINT that it hears meanwhile. */
import { Effect } from "effect"
import { writeSync } from "node:fs"
import { join } from "node:path"
import { prepare } from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"

process.on("SIGINT", () => writeSync(1, "heard\n"))
await Effect.runPromise(prepare(join(String(process.env["WEB_GROUNDING_DATA_DIR"]), "data")))
process.exit(0)
