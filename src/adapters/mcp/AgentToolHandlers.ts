/** Answers `agentTools` by calling the use cases; no rule lives here. */
import { Context, Effect, Option, Schema } from "effect"
import * as McpSchema from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import { randomUUID } from "node:crypto"
import * as ListResults from "../../application/ListResults.ts"
import { readSources } from "../../application/ListResults.ts"
import { type AgentTool, agentTools } from "../../contract/AgentTools.ts"
import * as Input from "../../contract/Input.ts"
import type { InvalidInput } from "../../contract/PublicFailure.ts"
import type { AgentCalls, ObservedTool } from "./AgentCalls.ts"
import { fenced } from "./FencedText.ts"
import { reporting } from "./Progress.ts"
import { toolListing, type ToolName } from "./ToolSchema.ts"
import * as ToolTrace from "./ToolTrace.ts"

/** Answer of a tool, and the same as text for whoever reads text alone. */
interface Answered {
  readonly value: unknown
  readonly text: string
}

/** Key of a result's metadata that holds the typed failure. */
const failureKey = "web-grounding/failure"

/** Session of a call that names none: its own, with a budget of its own. */
const freshSession = () => `mcp-${randomUUID()}`

/** Adds the tools to the server that is being built. */
export const register = Effect.fnUntraced(function*({ call, observed }: AgentCalls) {
  const seen: ObservedTool = observed ?? (() => (call) => call)
  const server = yield* McpServer
  const services = Context.make(McpServer, server)

  const tool = <A, E extends Error>(
    name: ToolName,
    decode: (input: unknown) => Effect.Effect<A, InvalidInput>,
    answer: (input: A) => Effect.Effect<
      Answered,
      E,
      McpSchema.McpRequestContext | McpServer
    >
  ) =>
    server.addTool({
      tool: toolListing(name),
      annotations: Context.empty(),
      handle: (given: unknown) =>
        decode(given ?? {}).pipe(
          Effect.flatMap(answer),
          Effect.flatMap(resultOf(agentTools[name])),
          Effect.catch((failure) => Effect.succeed(failed(agentTools[name], failure))),
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logError(`${name} failed`, defect), failed(agentTools[name], broken))
          ),
          seen(name),
          ToolTrace.traced(name),
          Effect.provide(services)
        )
    })

  yield* tool(
    "web_grounding",
    Input.decode(agentTools.web_grounding.input),
    (asked) =>
      reporting((report) => call((calls) => calls.Ground(withSession(asked), report))).pipe(
        Effect.map((outcome) => ({ value: outcome, text: outcome.llm_context }))
      )
  )
  yield* tool(
    "web_search",
    Input.decode(agentTools.web_search.input),
    (sought) =>
      reporting((report) =>
        call(({ Ground }) => {
          const input = ListResults.inputOf(sought, freshSession())
          return ListResults.findHits((told) => Ground(input, told), report)
        })
      ).pipe(
        Effect.map(({ found }) => ({
          value: found,
          text: [
            `${found.hits.length} hits (${found.status})`,
            fenced(
              found.hits.map(({ content, title, url }, place) =>
                `${place + 1}. ${title} ${url} ${content}`
              )
            )
          ].join("\n")
        }))
      )
  )
  yield* tool(
    "read_evidence",
    Input.decode(agentTools.read_evidence.input),
    ({ source_id, ...asked }) =>
      call(({ GetPack }) => GetPack(asked)).pipe(
        Effect.flatMap((outcome) => readSources(outcome, source_id)),
        Effect.map((reading) => ({
          value: reading,
          text: [
            `${reading.sources.length} sources of request ${reading.request_id}`,
            fenced(reading.sources.flatMap(({ quotes, source_id, title, url }) => [
              `${source_id}: ${title} ${url}`,
              ...quotes.map(({ end, start, text }) => `${source_id} ${start}-${end}: ${text}`)
            ]))
          ].join("\n")
        }))
      )
  )
  yield* tool(
    "search_evidence",
    Input.decode(agentTools.search_evidence.input),
    (asked) =>
      call(({ SearchEvidence }) => SearchEvidence(asked)).pipe(
        Effect.map((answer) => ({
          value: answer,
          text: [
            `${answer.found.length} entries`,
            fenced(answer.found.map(({ id, text, title }) => `${id}: ${title}: ${text}`))
          ].join("\n")
        }))
      )
  )
  yield* tool(
    "list_sessions",
    Input.decode(agentTools.list_sessions.input),
    (asked) =>
      call(({ ListSessions }) => ListSessions(asked)).pipe(
        Effect.map((list) => ({
          value: list,
          text: [
            `${list.sessions.length} sessions`,
            fenced(
              list.sessions.map(({ last_at, question, session_id, states }) =>
                `${session_id} ${last_at} ${Object.keys(states).join(", ")}: ${question}`
              )
            )
          ].join("\n")
        }))
      )
  )
  yield* tool(
    "session_timeline",
    Input.decode(agentTools.session_timeline.input),
    (asked) =>
      call(({ GetSessionTimeline }) => GetSessionTimeline(asked)).pipe(
        Effect.map((shown) => ({
          value: shown,
          text: [
            `${shown.groundings.length} requests of session ${shown.session.session_id}`,
            fenced(shown.groundings.flatMap(({ request_id, state, timeline }) => [
              `${request_id}: ${state}`,
              ...timeline.map(({ at, detail, title }) => `${at} ${title} ${detail}`)
            ]))
          ].join("\n")
        }))
      )
  )
  yield* tool(
    "search_health",
    Input.decode(agentTools.search_health.input),
    (asked) =>
      call(({ GetHealth }) => GetHealth(asked)).pipe(
        Effect.map((health) => ({ value: health, text: JSON.stringify(health) }))
      )
  )
})

/** Input with a session of its own where it names none. */
export const withSession = <Asked extends { readonly session_id?: string }>(asked: Asked) => ({
  ...asked,
  session_id: asked.session_id ?? freshSession()
})

const broken = { message: "The service failed; its log says why" }

const resultOf = ({ output }: AgentTool) => {
  const encode = Schema.encodeUnknownEffect(Schema.toCodecJson(output))
  return ({ text, value }: Answered) =>
    encode(value).pipe(
      // An answer of a use case fits its schema; the types say so where it was made.
      Effect.orDie,
      Effect.map((structuredContent) =>
        new McpSchema.CallToolResult({
          content: [McpSchema.TextContent.make({ text })],
          structuredContent,
          isError: false
        })
      )
    )
}

/** Result of a failed call: one sentence, and the failure's fields where callers may see them. */
const failed = ({ failure }: AgentTool, told: { readonly message: string }) =>
  new McpSchema.CallToolResult({
    content: [McpSchema.TextContent.make({ text: told.message })],
    isError: true,
    ...Option.match(Schema.encodeUnknownOption(Schema.toCodecJson(failure))(told), {
      onNone: () => ({}),
      onSome: (fields) => ({ _meta: { [failureKey]: fields } })
    })
  })
