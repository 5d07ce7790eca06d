/** Records as resources: the events of a session, and the answer of a request. */
import { Context, Effect, Schema } from "effect"
import * as McpSchema from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import type { AskedCalls } from "../../application/operations/Calls.ts"
import { operations } from "../../contract/Operations.ts"
import type { AgentCalls } from "./AgentCalls.ts"

const mimeType = "application/json"

const encodePage = Schema.encodeEffect(Schema.toCodecJson(operations.GetSession.output))
const encodePack = Schema.encodeEffect(Schema.toCodecJson(operations.GetPack.output))

/** Adds the templates to the server that is being built. Ids in addresses are percent-encoded. */
export const register = Effect.fnUntraced(function*({ call }: AgentCalls) {
  const server = yield* McpServer

  const template = <E extends Error>(
    { path, ...about }: {
      readonly name: string
      readonly description: string
      /** Address behind the scheme, as the router and as the client reads it. */
      readonly path: readonly [route: string, uriTemplate: string]
    },
    read: (calls: AskedCalls, ids: ReadonlyArray<string>) => Effect.Effect<unknown, E>
  ) =>
    server.addResourceTemplate({
      template: new McpSchema.ResourceTemplate({
        ...about,
        uriTemplate: `web-grounding://${path[1]}`,
        mimeType
      }),
      // The router takes a single colon for the start of a parameter.
      routerPath: `web-grounding:://${path[0]}`,
      annotations: Context.empty(),
      completions: {},
      handle: (uri, ids) =>
        call((calls) => read(calls, ids)).pipe(
          Effect.mapError(({ message }) => new McpSchema.InvalidParams({ message })),
          Effect.map((json) =>
            McpSchema.ReadResourceResult.make({
              contents: [
                McpSchema.TextResourceContents.make({ uri, mimeType, text: JSON.stringify(json) })
              ]
            })
          )
        )
    })

  const page = (
    { GetSession }: AskedCalls,
    session_id = "",
    after?: string
  ) =>
    Effect.flatMap(
      GetSession({ session_id, ...(after === undefined ? {} : { after: Number(after) }) }),
      // What the use case answers fits its schema.
      (events) => Effect.orDie(encodePage(events))
    )

  yield* template({
    name: "session",
    description: "The first events of a session, oldest first; `next` says where they go on",
    path: ["sessions/:0", "sessions/{session_id}"]
  }, (calls, [sessionId]) => page(calls, sessionId))
  yield* template({
    name: "session_after",
    description: "The events of a session after a version, as `next` of the page before says",
    path: ["sessions/:0/:1", "sessions/{session_id}/{after}"]
  }, (calls, [sessionId, after]) => page(calls, sessionId, after))
  yield* template({
    name: "pack",
    description: "The recorded answer of a request",
    path: ["packs/:0/:1", "packs/{session_id}/{request_id}"]
  }, ({ GetPack }, [session_id = "", request_id = ""]) =>
    Effect.flatMap(
      GetPack({ session_id, request_id }),
      (outcome) => Effect.orDie(encodePack(outcome))
    ))
})
