/** An embedded database of a test's own, migrated: a copy of one that was made once. */
import { Effect, Layer } from "effect"
import { rmSync } from "node:fs"
import * as EmbeddedPostgres from "../../src/infrastructure/postgres/EmbeddedPostgres.ts"
import { preparedDirectory } from "./preparedDirectory.ts"

/** Its directory goes with the scope. */
export const layer = Layer.unwrap(Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => preparedDirectory("wg-embedded-")),
    (directory) => Effect.sync(() => rmSync(directory, { recursive: true, force: true }))
  ),
  (directory) => EmbeddedPostgres.layer({ directory })
))
