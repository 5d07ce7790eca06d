/** Faults of what an operator runs the service by: probes. */
import type { Mutant } from "./Mutant.ts"

const serving = "src/application/CheckServing.ts"
const runner = "src/application/projections/ProjectionRunner.ts"
const server = "src/adapters/rpc/GroundingRpcServer.ts"

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "probe-lag-unlimited",
    file: serving,
    text: "ms > readModelLagMsMax",
    replacement: "ms > Infinity",
    means: "a process that cannot keep its read models up goes on being given calls",
    tests: ["test/e2e/serving.test.ts"]
  },
  {
    id: "probe-lag-of-others",
    file: runner,
    text: `owner === instance.id && state === "running"`,
    replacement: `state === "running"`,
    means: "one process that is behind takes every replica out of service",
    tests: ["test/application/FollowedLog.test.ts"]
  },
  {
    id: "probe-start-at-once",
    file: runner,
    text: "const begun = yield* Ref.make(false)",
    replacement: "const begun = yield* Ref.make(true)",
    means: "a process counts as started before its read models were ever read on",
    tests: ["test/application/FollowedLog.test.ts"]
  },
  {
    id: "probe-liveness-asks",
    file: server,
    text: `HttpRouter.add("GET", "/livez", HttpServerResponse.json({ status: "alive" })),`,
    replacement:
      `HttpRouter.add("GET", "/livez", Effect.flatMap(CheckServing, ({ reason }) => Effect.flatMap(reason, (told) => HttpServerResponse.json({ status: "alive" }, { status: Option.isSome(told) ? 503 : 200 })))),`,
    means: "an orchestrator restarts every replica because the database is away",
    tests: ["test/faults/probes.test.ts"]
  },
  {
    id: "readiness-key-unheard",
    file: "src/application/CheckReadiness.ts",
    text: "if (known.some(isSent)) return",
    replacement: "if (known.length > 0) return",
    means: "the audit says of a key that nobody heard that it was asked with",
    tests: ["test/application/CheckReadiness.test.ts"]
  }
]
