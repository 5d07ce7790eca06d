/** `ground`: asks one question and prints the pack, or the whole outcome as JSON. */
import { Console, Effect, Option, Ref } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { randomUUID } from "node:crypto"
import type { Caller } from "../../application/GroundQuestion.ts"
import * as Input from "../../contract/Input.ts"
import { Phase, Tier } from "../../domain/request/GroundingRequest.ts"
import { isOpenTo, ViewAudience } from "../../domain/view/ViewSchemas.ts"
import { because, CommandFailed } from "./CommandFailed.ts"
import * as FactText from "./FactText.ts"
import * as PackText from "./PackText.ts"
import * as Terminal from "./Terminal.ts"
import type { Wiring } from "./Wiring.ts"

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const flags = {
  topic: Argument.String("topic").pipe(
    Argument.withDescription("The question or topic, in one or two sentences")
  ),
  session: text("session", "Session id; a fresh one when absent"),
  request: text("request", "Request id; the same one gives the recorded answer"),
  tier: Flag.Literals("tier", Tier.literals).pipe(
    Flag.withDescription("Budget tier"),
    Flag.withDefault("standard")
  ),
  phase: Flag.Literals("phase", Phase.literals).pipe(
    Flag.withDescription("Where in the session the question arises"),
    Flag.withDefault("mid_chat")
  ),
  audience: Flag.Literals("audience", ViewAudience.literals).pipe(
    Flag.withDescription("Print the pack as this audience may see it; coach needs --tier premium"),
    Flag.optional
  ),
  country: text("country", "ISO 3166 country code, e.g. JP"),
  city: text("city", "City, together with --country"),
  locale: text("locale", "Language of messages, e.g. en or ko"),
  deadline: Flag.Int("deadline-ms").pipe(
    Flag.withDescription("Milliseconds the answer may take"),
    Flag.optional
  ),
  sandbox: Flag.Boolean("sandbox").pipe(
    Flag.withDescription("Search the bundled sandbox: no key, no internet"),
    Flag.withDefault(false)
  ),
  stored: Flag.Boolean("stored").pipe(
    Flag.withDescription("Ask the evidence store alone, without a search"),
    Flag.withDefault(false)
  ),
  model: text("model", "Model to think with; with --sandbox one of its own, e.g. good"),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print the whole outcome as JSON"),
    Flag.withDefault(false)
  )
}

const checkInput = Input.decode(Input.GroundInput)

export const make = ({ application, tenantId }: Wiring) =>
  Command.make(
    "ground",
    flags,
    Effect.fnUntraced(
      function*(asked) {
        const input = inputOf(asked)
        // Wrong input is told before anything is loaded or opened.
        yield* checkInput(input)
        const caller: Caller = { tenantId: yield* tenantId, actor: "cli" }
        const style = yield* Terminal.style
        const progress = yield* Terminal.progressStyle
        const audience = Option.getOrUndefined(asked.audience)
        if (audience !== undefined && !isOpenTo(audience, asked.tier)) {
          return yield* new CommandFailed({
            sentence: `--audience ${audience} needs --tier premium`
          })
        }
        const recorded = yield* Ref.make(Option.none<string>())
        const told = Effect.flatMap(
          Ref.get(recorded),
          Option.match({
            onNone: () => Effect.void,
            onSome: (requestId) =>
              Console.error(FactText.cutOff(input.session_id, requestId, progress))
          })
        )
        const { outcome, view } = yield* Effect.gen(function*() {
          const { api } = yield* application({
            mock: asked.sandbox,
            model: Option.getOrUndefined(asked.model)
          })
          const outcome = yield* api.ground(input, caller, ({ event, stored }) =>
            Effect.andThen(
              Ref.set(recorded, Option.some(event.request_id)),
              asked.json ? Effect.void : Console.error(FactText.factText(event, stored, progress))
            ))
          const { request_id, session_id } = outcome
          return {
            outcome,
            view: audience === undefined
              ? undefined
              : yield* api.view({ session_id, request_id, audience }, caller)
          }
        }).pipe(
          Effect.scoped,
          Effect.onInterrupt(() => told)
        )
        if (view !== undefined) {
          return yield* Console.log(asked.json ? JSON.stringify(view, undefined, 2) : view.text)
        }
        yield* Console.log(
          asked.json ? JSON.stringify(outcome, undefined, 2) : PackText.render(outcome, style)
        )
      },
      Effect.mapError(because)
    )
  ).pipe(
    Command.withDescription("Ground one question and print the cited pack"),
    Command.withExamples([{
      command: "ground \"How much notice must a tenant give in Japan?\" --sandbox",
      description: "Try it without a key and without internet"
    }])
  )

type Asked = Command.Command.Config.Infer<typeof flags>

/** Each question typed without a session has a budget of its own. Short: it is typed again. */
const freshSession = () => `cli-${randomUUID().slice(0, 8)}`

/** Who types a question at a terminal asks for facts. */
const inputOf = (asked: Asked) => ({
  topic: asked.topic,
  session_id: Option.getOrElse(asked.session, freshSession),
  tier: asked.tier,
  phase: asked.phase,
  user_asked_for_facts: true,
  ...overridesOf(asked),
  ...optional("request_id", asked.request),
  ...optional("locale", asked.locale),
  ...optional("deadline_ms", asked.deadline),
  ...(Option.isSome(asked.country) || Option.isSome(asked.city)
    ? { region: { ...optional("country", asked.country), ...optional("city", asked.city) } }
    : {})
})

/** Absent when nothing is overridden: a request is compared with others by what it holds. */
const overridesOf = ({ stored }: Asked) => {
  const overrides = {
    ...(stored ? { sources: "store" } : {})
  }
  return Object.keys(overrides).length === 0 ? {} : { overrides }
}

const optional = <A>(key: string, value: Option.Option<A>) =>
  Option.match(value, { onNone: () => ({}), onSome: (some) => ({ [key]: some }) })
