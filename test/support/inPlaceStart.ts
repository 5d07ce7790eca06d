/**
 * The saboteur of `test/faults/firstStart.test.ts`: makes an embedded database in its own event
 * loop, as a start without a worker would.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { PGlite } from "@electric-sql/pglite"
import { Effect } from "effect"
import { join } from "node:path"

const directory = join(String(process.env["WEB_GROUNDING_DATA_DIR"]), "data.new")

NodeRuntime.runMain(Effect.promise(() => PGlite.create(directory)))
