/** Faults of what an operator runs the service by: probes, the check of settings, its end, licences. */
import type { Mutant } from "./Mutant.ts"

const serving = "src/application/CheckServing.ts"
const runner = "src/application/projections/ProjectionRunner.ts"
const configTests = ["test/infrastructure/ConfigCheck.test.ts"] as const
const licences = "scripts/licences/Licences.ts"
const licenceTests = ["test/architecture/licences.test.ts"] as const
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
  },
  {
    id: "config-slips-of-families",
    file: "src/infrastructure/UnreadSettings.ts",
    text: "NearestName.distance(name, setting, editsMax) <= editsMax",
    replacement: "NearestName.distance(name, setting, editsMax) < 0",
    means: "a misspelt limit of a tenant is not told, and does not hold",
    tests: configTests
  },
  {
    id: "config-same-key-twice",
    file: "src/wiring/Contradictions.ts",
    text: "  ...repeated,",
    replacement: "",
    means: "one key in two slots spends twice its month",
    tests: configTests
  },
  {
    id: "config-first-problem-only",
    file: "src/wiring/CheckSettings.ts",
    text: `...inspected.invalid.map(told("invalid"))`,
    replacement: `...inspected.invalid.slice(0, 1).map(told("invalid"))`,
    means: "an operator mends settings one roll-out after the other",
    tests: configTests
  },
  {
    id: "config-prints-credentials",
    file: "src/wiring/CheckSettings.ts",
    text: "return Option.some(withoutCredentials(String(value)))",
    replacement: "return Option.some(String(value))",
    means: "a password in an address is printed",
    tests: configTests
  },
  {
    id: "config-tells-path",
    file: "src/infrastructure/settings/SecretFiles.ts",
    text: `? "There is no such file"`,
    replacement: `? String(cause)`,
    means: "a key that was put in the place of its file's name is printed",
    tests: configTests
  },
  {
    id: "config-file-and-value",
    file: "src/infrastructure/settings/SecretFiles.ts",
    text: `((yield* valueOf(secret)) ?? "") !== ""`,
    replacement: "false",
    means: "a key that was rotated in one place goes on being read from the other",
    tests: configTests
  },
  {
    id: "end-refuses-at-once",
    file: server,
    text: "        yield* begin\n",
    replacement: "        yield* begin\n        yield* refuse\n",
    means: "callers that a balancer still sends here fail with every restart",
    tests: ["test/faults/rollingRestart.test.ts", "test/e2e/serving.test.ts"]
  },
  {
    id: "end-keeps-connections",
    file: server,
    text: `HttpServerResponse.setHeader(response, "connection", "close")`,
    replacement: "response",
    means: "callers stay on the connection to a process that refuses them",
    tests: ["test/e2e/serving.test.ts"]
  },
  {
    id: "end-is-a-failure",
    file: "src/main.ts",
    text: "    ? onExit(0)",
    replacement: "    ? onExit(130)",
    means: "an orchestrator takes each restart for a crash",
    tests: ["test/faults/rollingRestart.test.ts"]
  },
  {
    id: "licence-any",
    file: licences,
    text: "!permitted.has(licence)",
    replacement: "licence === \"\"",
    means: "a package under a copyleft licence is depended on unnoticed",
    tests: licenceTests
  },
  {
    id: "licence-bill-short",
    file: licences,
    text: "filter(({ purl }) => purls.has(purl))",
    replacement: "filter(({ purl }) => purls.has(purl) && !purl.includes(\"/pg@\"))",
    means: "a flaw of the database driver is looked for in a bill that does not name it",
    tests: licenceTests
  }
]
