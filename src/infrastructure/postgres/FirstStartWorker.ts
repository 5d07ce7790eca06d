/** Worker that creates an embedded database and closes it. */
import { PGlite } from "@electric-sql/pglite"
import { Predicate } from "effect"
import { parentPort, workerData } from "node:worker_threads"

const textOf = (cause: unknown) =>
  Predicate.hasProperty(cause, "message") && Predicate.isString(cause.message)
    ? { message: cause.message }
    : {}

const numberOf = (cause: unknown) =>
  Predicate.hasProperty(cause, "errno") && Number.isSafeInteger(cause.errno)
    ? { errno: cause.errno }
    : {}

PGlite.create(String(workerData)).then((database) => database.close()).then(
  () => parentPort?.postMessage(undefined),
  (cause: unknown) => parentPort?.postMessage({ ...textOf(cause), ...numberOf(cause) })
)
