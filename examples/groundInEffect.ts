/** As `ground.ts`, in an application that is written with Effect. */
import { NodeRuntime } from "@effect/platform-node"
import { GroundingClient, layer, type Progress } from "@web-grounding/client/effect"
import { Console, Effect, Stream } from "effect"
import { randomUUID } from "node:crypto"

const url = process.argv[2] ?? "http://127.0.0.1:7420"
const question = {
  session_id: `example-${randomUUID()}`,
  topic: "How much notice must a tenant give in Japan?",
  user_asked_for_facts: true
}

const show = (step: Progress) =>
  step.type === "fact"
    ? Console.error(step.fact.stream_version, step.fact.type)
    : Console.log(JSON.stringify(step.outcome, undefined, 2))

const program = Effect.gen(function*() {
  const client = yield* GroundingClient
  yield* Stream.runForEach(client.progress(question), show)
}).pipe(
  Effect.provide(layer({ url })),
  Effect.tapError((failure) => Console.error(failure.message))
)
NodeRuntime.runMain(program, { disableErrorReporting: true })
