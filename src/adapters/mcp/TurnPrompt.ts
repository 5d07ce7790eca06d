/** The prompt that grounds one turn: what the web says of it, in its fence, before the question. */
import { Context, Effect } from "effect"
import * as McpSchema from "effect/ai/McpSchema"
import { McpServer } from "effect/ai/McpServer"
import type { AgentCalls } from "./AgentCalls.ts"
import { withSession } from "./AgentToolHandlers.ts"

const description = "Grounds the user's question in the web, and puts what was found before it"

/** Arguments of the prompt, each a field of the request as text; `country` is the region's. */
const texts = [
  { name: "user_question", description: "What the user asks", required: true },
  { name: "topic", description: "What it is about; default: the question" },
  { name: "session_id", description: "The conversation, which shares a budget" },
  { name: "country", description: "Where the answer is to hold, e.g. JP" },
  { name: "locale", description: "Language of the answer, e.g. en or ko-KR" }
] as const

/** Adds the prompt to the server that is being built. */
export const register = Effect.fnUntraced(function*({ call }: AgentCalls) {
  const server = yield* McpServer
  yield* server.addPrompt({
    prompt: new McpSchema.Prompt({
      name: "ground_turn",
      title: "Ground a turn",
      description,
      arguments: texts.map((text) => McpSchema.PromptArgument.make(text))
    }),
    annotations: Context.empty(),
    completions: {},
    handle: (given) => {
      const { country, locale, session_id, topic, user_question } = given
      const input = withSession({
        ...(locale === undefined ? {} : { locale }),
        ...(session_id === undefined ? {} : { session_id }),
        ...(user_question === undefined ? {} : { user_question }),
        user_asked_for_facts: true,
        topic: topic ?? user_question ?? "",
        ...(country === undefined ? {} : { region: { country } })
      })
      return call(({ Ground }) => Ground(input, () => Effect.void))
        .pipe(
          Effect.mapError(({ message }) => new McpSchema.InvalidParams({ message })),
          Effect.map(({ llm_context }) =>
            new McpSchema.GetPromptResult({
              description,
              messages: [llm_context, user_question ?? ""].map((text) =>
                McpSchema.PromptMessage.make({
                  role: "user",
                  content: McpSchema.TextContent.make({ text })
                })
              )
            })
          )
        )
    }
  })
})
