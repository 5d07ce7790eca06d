/**
 * One turn of a chat that looks things up where it can, and goes on where it cannot: the user gets an
 * answer also when the service is slow, busy or away. `node examples/chatTurn.ts ADDRESS QUESTION`.
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

/** What the model is told beside the conversation. Rejects only when the turn was given up. */
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

const [address = "http://127.0.0.1:7420", said = "How much notice must a tenant give in Japan?"] =
  process.argv.slice(2)
const client = connect(address, { token: process.env["WEB_GROUNDING_TOKEN"] })
const turn = {
  session_id: `chat-${crypto.randomUUID()}`,
  said,
  signal: new AbortController().signal
}

// Web text in the context stands in a box: it goes to the model as data, never as instructions.
const messages = [
  { role: "system", content: await contextFor(client, turn) },
  { role: "user", content: said }
]
console.log(JSON.stringify(messages, undefined, 2))
