/** Faults of the face for agents: what they are told, what they may ask, and what they keep open. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const raw = ["test/e2e/mcp.test.ts"] as const
const overHttp = ["test/e2e/mcpHttp.test.ts"] as const
const fences = ["test/adapters/FencedText.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("src/adapters/mcp/AgentToolHandlers.ts", raw, [
    {
      id: "agents-cancel-ignored",
      text: "          Effect.provide(services)\n",
      replacement: "          Effect.provide(services),\n          Effect.uninterruptible\n",
      means: "a cancelled call goes on, and its conversation waits for it"
    }
  ]),
  ...faultsIn("src/adapters/mcp/Progress.ts", raw, [
    {
      id: "agents-other-progress",
      text: "Queue.offer(facts, stored.type)",
      replacement: "Queue.offer(facts, stored.eventId)",
      means: "an agent is not told which fact was recorded"
    }
  ]),
  ...faultsIn("src/adapters/mcp/FencedText.ts", fences, [
    {
      id: "agents-plain-lines",
      text: "BoxedText.escaped(line, boundary)",
      replacement: "line",
      means: "a page's words pose as a turn of the conversation",
      tests: fences
    }
  ]),
  ...faultsIn("src/adapters/mcp/RecordResources.ts", ["test/faults/httpRequests.test.ts"], [
    {
      id: "agents-missing-as-bug",
      text: "Effect.mapError(({ message }) => new McpSchema.InvalidParams({ message })),",
      replacement: "Effect.orDie,",
      means: "an agent that names a session which is not there is told of a bug of the service"
    }
  ]),
  ...faultsIn("src/contract/AgentTools.ts", raw, [
    {
      id: "agents-consent",
      text: "  consent_raw_content: _consent,\n",
      replacement: "",
      means: "an agent consents, in a person's name, that raw content is kept"
    }
  ]),
  ...faultsIn("src/application/FindHits.ts", raw, [
    {
      id: "agents-no-shared-hits",
      text: ": ReadSources.sourcesOf(outcome).map(hitOf)",
      replacement: ": []",
      means: "the second to search for the same words is told that there is nothing"
    }
  ]),
  ...faultsIn("src/wiring/Mcp.ts", raw, [
    {
      id: "agents-directory-kept",
      text: "const idleMsMax = 10_000",
      replacement: "const idleMsMax = 600_000",
      means: "an idle agent locks out the service and the agent beside it"
    },
    {
      id: "agents-directory-not-awaited",
      text: "while: isHeld",
      replacement: "while: () => false",
      means: "a call dies at the lock of an agent that is about to be idle"
    }
  ]),
  ...faultsIn("src/adapters/mcp/McpFace.ts", overHttp, [
    {
      id: "agents-any-body",
      text: "ByteSize.fromInputUnsafe(bodyBytesMax)",
      replacement: "ByteSize.fromInputUnsafe(1_024 * bodyBytesMax)",
      means: "one message fills the service's memory"
    },
    {
      id: "agents-old-revisions",
      text: "  McpProtocol.v2026_07_28,\n",
      replacement: "",
      means: "an agent of the newest revision, which has no session, is turned away"
    }
  ])
]
