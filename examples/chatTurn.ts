/**
 * Turns of one chat that look things up where they can, and go on where they cannot: the user gets an
 * answer also when the service is slow, busy or away. `node examples/chatTurn.ts ADDRESS QUESTION…`.
 */
import { type Client, connect, GroundingError } from "@web-grounding/client"

interface Turn {
  readonly session_id: string
  readonly said: string
  /** The user has left, or pressed stop. */
  readonly signal: AbortSignal
}

/** How long a user waits before the answer begins. */
const lookUpMs = 8_000

const unaided = "[SYSTEM: Nothing could be looked up. Answer from existing knowledge, and say so.]"

/** What the model gets besides the conversation. Rejects only when the turn was given up. */
const contextFor = async (
  client: Client,
  { said, session_id, signal }: Turn
): Promise<string> => {
  try {
    const asked = { session_id, topic: said, user_question: said, user_asked_for_facts: true }
    const { llm_context } = await client.ground(asked, { signal, timeoutMs: lookUpMs })
    // Says itself what to do where nothing was searched, found or answered.
    return llm_context
  } catch (error) {
    if (!(error instanceof GroundingError) || signal.aborted) throw error
    console.error(`not looked up: ${error.name}: ${error.message}`)
    return unaided
  }
}

const [
  address = "http://127.0.0.1:7420",
  said = "How much notice must a tenant give in Japan?",
  ...more
] = process.argv.slice(2)
const client = connect(address, { token: process.env["WEB_GROUNDING_TOKEN"] })
const session_id = `chat-${crypto.randomUUID()}`
const { signal } = new AbortController()

// No turn names a phase: the first one that finds something sets the session up, and later ones are
// searched because the user asks for facts. They share the session's budget.
for (const question of [said, ...more]) {
  // Web text in the context is fenced: it goes to the model as data, never as instructions.
  const messages = [
    { role: "system", content: await contextFor(client, { session_id, said: question, signal }) },
    { role: "user", content: question }
  ]
  console.log(JSON.stringify(messages, undefined, 2))
}
