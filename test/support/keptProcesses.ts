/**
 * A service of two small processes, as the service's own are started and kept. The argument says
 * how they are: `sound`, `failing` (they never serve) or `slow` (they take seconds to tell their text
 * and to end).
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect, Scope } from "effect"
import cluster from "node:cluster"
import { createServer } from "node:http"
import * as ServiceProcess from "../../src/infrastructure/process/ServiceProcess.ts"
import * as ServiceProcesses from "../../src/infrastructure/process/ServiceProcesses.ts"

const [, , manner] = process.argv
const failedCode = 3

/** Longer than a database that does not answer keeps a scrape. */
const slowText = "2500 millis"
const slowEnd = "700 millis"

/** Answers with its process id; `/texts` with the texts of all, `/hang` never again. */
const small = Effect.gen(function*() {
  if (manner === "failing") process.exit(failedCode)
  const text = Effect.sync(() => `of ${process.pid}`)
  const texts = yield* ServiceProcess.linked(
    manner === "slow" ? Effect.delay(text, slowText) : text
  )
  if (manner === "slow") {
    yield* Effect.addFinalizer(() =>
      Console.log("begins to end").pipe(
        Effect.andThen(Effect.sleep(slowEnd)),
        Effect.andThen(Console.log("has ended"))
      )
    )
  }
  const server = createServer((request, response) => {
    response.setHeader("connection", "close")
    // Hears nothing any more, and takes nothing from others meanwhile.
    if (request.url === "/hang") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    if (request.url !== "/texts") return void response.end(String(process.pid))
    void Effect.runPromise(texts).then((all) => response.end(JSON.stringify(all)))
  })
  yield* Effect.callback<void>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.void))
  })
  const address = server.address()
  const port = typeof address === "object" ? address?.port : 0
  yield* ServiceProcess.tellServing(`http://127.0.0.1:${port}`)
})

const kept = ServiceProcesses.started({ count: 2, endMsMax: 1_000, silenceMsMax: 5_000 }).pipe(
  Effect.tap(Console.log)
)

const program = Effect.gen(function*() {
  const scope = yield* Scope.Scope
  yield* Scope.provide(cluster.isWorker ? small : kept, scope)
  yield* Effect.never
}).pipe(Effect.scoped)

NodeRuntime.runMain(program, { disableErrorReporting: true })
