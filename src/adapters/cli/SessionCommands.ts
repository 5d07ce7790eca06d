/** `session` and `replay`: what a session holds, and whether it can be recomputed. */
import { Console, Effect, Option } from "effect"
import type { Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type EventView, everyEvent } from "../../application/EventView.ts"
import type { PublicApi } from "../../application/PublicApi.ts"
import type { Replayed } from "../../application/replay/ReplaySession.ts"
import { ViewAudience } from "../../domain/view/ViewAudience.ts"
import { because, CommandFailed } from "./CommandFailed.ts"
import * as PackText from "./PackText.ts"
import * as Terminal from "./Terminal.ts"
import type { Wiring } from "./Wiring.ts"

const flags = {
  session_id: Argument.String("session").pipe(Argument.withDescription("Session id")),
  json: Flag.Boolean("json").pipe(
    Flag.withDescription("Print JSON instead of text"),
    Flag.withDefault(false)
  )
}

const ask = <A, E extends Error>(
  { application, tenantId }: Wiring,
  question: (
    api: PublicApi["Service"],
    caller: { tenantId: string; actor: string }
  ) => Effect.Effect<A, E>
) =>
  Effect.gen(function*() {
    const caller = { tenantId: yield* tenantId, actor: "cli" }
    const { api } = yield* application({ mock: false })
    return yield* question(api, caller)
  }).pipe(Effect.scoped, Effect.mapError(because))

export const session = (wiring: Wiring) =>
  Command.make(
    "session",
    flags,
    Effect.fnUntraced(function*({ json, session_id }) {
      const events = yield* ask(wiring, (api, caller) =>
        everyEvent((after) => api.session({ session_id, after }, caller)))
      const { faint, strong } = yield* Terminal.style
      if (json) {
        return yield* Console.log(JSON.stringify(events, undefined, 2))
      }
      yield* Console.log(strong(`Session ${session_id}, ${events.length} events`))
      yield* Effect.forEach(events, (event) =>
        Console.log(eventLine(event, faint)))
    })
  ).pipe(Command.withDescription("List the events a session has recorded"))

const eventLine = (event: EventView, faint: (text: string) => string): string =>
  [
    String(event.stream_version).padStart(4),
    event.recorded_at,
    event.type.padEnd(30),
    `request ${event.correlation_id}`,
    faint(`${event.actor} ${event.hash.slice(0, 12)}`)
  ].join("  ")

export const pack = (wiring: Wiring) =>
  Command.make(
    "pack",
    {
      ...flags,
      request_id: Argument.String("request").pipe(Argument.withDescription("Request id")),
      audience: Flag.Literals("audience", ViewAudience.literals).pipe(
        Flag.withDescription("As this audience may see it; coach is for premium requests"),
        Flag.optional
      )
    },
    Effect.fnUntraced(function*({ audience, json, request_id, session_id }) {
      const style = yield* Terminal.style
      const printed = <A>(value: A, text: (value: A) => string) =>
        json ? JSON.stringify(value, undefined, 2) : text(value)
      const id = { session_id, request_id }
      const answer = yield* ask(wiring, (api, caller) =>
        Option.match(audience, {
          onNone: () =>
            Effect.map(
              api.pack(id, caller),
              (outcome) => printed(outcome, (whole) => PackText.render(whole, style))
            ),
          onSome: (audience) =>
            Effect.map(
              api.view({ ...id, audience }, caller),
              (view) => printed(view, ({ text }) => text)
            )
        }))
      yield* Console.log(answer)
    })
  ).pipe(Command.withDescription("Print a recorded pack, whole or as one audience may see it"))

export const replay = (wiring: Wiring) =>
  Command.make(
    "replay",
    flags,
    Effect.fnUntraced(function*({ json, session_id }) {
      const replayed = yield* ask(wiring, (api, caller) => api.replay({ session_id }, caller))
      yield* Console.log(json ? JSON.stringify(replayed, undefined, 2) : verdictOf(replayed))
      if (replayed.difference !== undefined || replayed.chain_fault !== undefined) {
        return yield* new CommandFailed({ sentence: `Session ${session_id} does not replay` })
      }
    })
  ).pipe(
    Command.withDescription("Recompute a session with the network unplugged and compare")
  )

const verdictOf = (
  { chain_fault, difference, events, not_recomputed, requests, session_id }: Replayed
): string => {
  const counts = `${events} events of ${requests} request${requests === 1 ? "" : "s"}`
  const chain = chain_fault === undefined
    ? "hash chain intact"
    : `hash chain broken at event ${chain_fault.version}: ${chain_fault.kind}`
  if (difference === undefined) {
    return [
      `Session ${session_id}: identical (${counts}, ${chain})`,
      ...(not_recomputed === 0 ? [] : [
        `  ${not_recomputed} of them as recorded: page texts are kept with consent only`
      ])
    ].join("\n")
  }
  const { path, recorded, recomputed, type, version } = difference
  return [
    `Session ${session_id}: differs at event ${version}, ${type} (${counts}, ${chain})`,
    `  at          ${path === "" ? "the event itself" : path}`,
    `  recorded    ${shown(recorded)}`,
    `  recomputed  ${shown(recomputed)}`
  ].join("\n")
}

const shownCharsMax = 300

const shown = (value: Schema.Json | undefined): string =>
  value === undefined ? "nothing" : JSON.stringify(value).slice(0, shownCharsMax)
