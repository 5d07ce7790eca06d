/** Faults of the face over HTTP: what is told, in which order, and to whom. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const progress = ["test/e2e/httpProgress.test.ts"] as const
const problems = ["test/e2e/httpProblems.test.ts"] as const
const faces = ["test/e2e/httpFaces.test.ts"] as const
const any = ["test/faults/httpRequests.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("src/contract/PublicFailure.ts", ["test/e2e/versions.test.ts"], [
    {
      id: "http-any-version",
      text: "version === undefined || majorOf(version) === majorOf(contractVersion)",
      replacement: "version !== undefined || majorOf(contractVersion) === undefined",
      means: "a caller of another contract is answered as if it were understood"
    },
    {
      id: "http-exact-version",
      text: "majorOf(version) === majorOf(contractVersion)",
      replacement: "version === contractVersion",
      means: "a client that knows one field more is turned away"
    }
  ]),
  ...faultsIn("src/adapters/rpc/GroundingRpcServer.ts", ["test/e2e/versions.test.ts"], [
    {
      id: "http-version-unsaid",
      text: "versioned(guard(access(app)))",
      replacement: "guard(access(app))",
      means: "a client does not learn which contract it is answered by"
    }
  ]),
  ...faultsIn("src/client.ts", ["test/e2e/versions.test.ts"], [
    {
      id: "http-client-headers",
      text: "              [versionHeader]: contractVersion,\n              ...headers\n",
      replacement: "              ...headers,\n              [versionHeader]: contractVersion\n",
      means: "a header that the caller names is overruled"
    }
  ]),
  ...faultsIn("src/adapters/http/Progress.ts", progress, [
    {
      id: "http-others-facts",
      text: "if (event.correlation_id !== asked) return\n",
      replacement: "",
      means: "a caller is told the facts of another request of the session"
    },
    {
      id: "http-gap",
      text: "if (last !== undefined && stored.version > last + 1) yield* Effect.ignore(readOn)\n",
      replacement: "",
      means: "what was recorded between two reports is told late"
    },
    {
      id: "http-resume",
      text: "  let last = after\n",
      replacement: "  let last = after === undefined ? undefined : 0\n",
      means: "whoever goes on is told everything again"
    },
    {
      id: "http-drained-follower",
      text: "if (yield* isRefusing) return",
      replacement: "if (false as boolean) return",
      means: "whoever follows a request is cut off without a word when the service ends"
    },
    {
      id: "http-followed-early",
      text: "    yield* told.readOn\n    if (Option.isSome(pack))",
      replacement: "    if (Option.isSome(pack))",
      means: "an answer is told without the facts before it"
    }
  ]),
  ...faultsIn("src/adapters/http/EventStream.ts", progress, [
    {
      id: "http-detached",
      text: "    Effect.forkIn(scope)\n  )\n  yield* Effect.timeoutOption",
      replacement: "    Effect.forkDetach\n  )\n  yield* Effect.timeoutOption",
      means: "a grounding whose caller went away keeps its place"
    },
    {
      id: "http-early-status",
      text: "isFirst ? Effect.void : failed(failure)",
      replacement: "isFirst ? Effect.void : Effect.void",
      means: "a stream that fails ends without saying so"
    }
  ]),
  ...faultsIn("src/adapters/http/AskedInput.ts", problems, [
    {
      id: "http-first-problem",
      text: `{ errors: "all", onExcessProperty: "error" }`,
      replacement: `{ errors: "first", onExcessProperty: "error" }`,
      means: "a caller is told one problem of its input at a time",
      tests: faces
    },
    {
      id: "http-ignored-silently",
      text: "({ input, ignored: unknown.map(fieldOf) })",
      replacement: "({ input, ignored: [] })",
      means: "a misspelt field is left out and nobody is told"
    },
    {
      id: "http-path-overruled",
      text: "Object.hasOwn(sent, field) && sent[field] !== value",
      replacement: "Object.hasOwn(sent, field) && sent[field] === undefined",
      means: "a body that contradicts its path is answered"
    },
    {
      id: "http-unbounded-json",
      text: "if (size !== undefined) return Effect.fail",
      replacement: "if (size === \"\") return Effect.fail",
      means: "a body of nothing but brackets is parsed"
    }
  ]),
  ...faultsIn("src/adapters/http/OpenApiDocument.ts", ["test/e2e/httpDocs.test.ts"], [
    {
      id: "http-token-not-asked",
      text: "    ...described,\n    summary,",
      replacement: "    ...operation,\n    summary,",
      means: "a generated client leaves the caller's token out"
    }
  ]),
  ...faultsIn("src/adapters/http/Problem.ts", problems, [
    {
      id: "http-retry-after",
      text: "Math.ceil(retry_after_ms / msInSecond)",
      replacement: "Math.ceil(retry_after_ms)",
      means: "a caller waits a thousand times too long"
    }
  ]),
  ...faultsIn("src/adapters/http/HttpFace.ts", problems, [
    {
      id: "http-header-injection",
      text: ".map((field) => encodeURIComponent(field.toWellFormed()))",
      replacement: ".map((field) => field)",
      means: "a field's name breaks the head of the answer"
    },
    {
      id: "http-bug-told",
      text: "problemAnswer(failed(new InternalFailure()))",
      replacement: "problemAnswer(Problem.refusedBy(\"internal-failure\", String(defect)))",
      means: "a bug's text is told to callers",
      tests: any,
      equivalent: "the use cases turn their own bugs into a failure before this sees them"
    },
    {
      id: "http-unplaced",
      text: `type !== "application/json") return yield* jsonExpected`,
      replacement: `type === "") return yield* jsonExpected`,
      means: "a body of another type is read as JSON"
    }
  ])
]
