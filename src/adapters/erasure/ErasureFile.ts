/** Reports of erasures in a file of JSON Lines outside the database. */
import { Effect, Layer, Predicate } from "effect"
import { open } from "node:fs/promises"
import { ErasureList } from "../../application/erasure/EraseSession.ts"

const ownerOnly = 0o600

/** Each report is a line at the end of the file, on disk before the call is answered. */
export const layer = (path: string) =>
  Layer.succeed(ErasureList, {
    keep: (report) =>
      Effect.tryPromise(() =>
        open(path, "a", ownerOnly).then((handle) =>
          handle.writeFile(`${JSON.stringify(report)}\n`).then(() => handle.sync())
            .finally(() => handle.close())
        )
      ).pipe(
        Effect.catch((failed) =>
          // The path is not told: it may be a secret's that was put in its place.
          Effect.logError("an erasure was not put at the end of ERASURE_FILE", {
            session_id: report.session_id,
            stream_id: report.stream_id,
            problem: Predicate.hasProperty(failed.cause, "code") ? failed.cause.code : "unknown"
          })
        )
      )
  })
