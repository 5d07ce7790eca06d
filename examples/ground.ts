/** Asks a running service one question: each fact as it is recorded, then the outcome. */
import { connect, GroundingError } from "@web-grounding/client"

const client = connect(process.argv[2] ?? "http://127.0.0.1:7420")

const question = {
  session_id: `example-${crypto.randomUUID()}`,
  topic: "How much notice must a tenant give in Japan?",
  user_asked_for_facts: true
}

try {
  for await (const step of client.progress(question, { timeoutMs: 30_000 })) {
    if (step.type === "fact") console.error(step.fact.stream_version, step.fact.type)
    else console.log(JSON.stringify(step.outcome, undefined, 2))
  }
} catch (error) {
  if (!(error instanceof GroundingError)) throw error
  console.error(error.name, error.message)
  process.exitCode = 1
}
