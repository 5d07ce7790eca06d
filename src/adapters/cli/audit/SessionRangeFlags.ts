/** Flags and paging of the commands that process many sessions. */
import { Console, Effect, Option } from "effect"
import { Argument, type Command } from "effect/cli"
import type { SessionRange } from "../../../contract/SessionRange.ts"
import { asGiven } from "../../../domain/request/GivenFields.ts"
import * as Flags from "../terminal/Flags.ts"

/** Sessions in one page: progress is shown after each. */
const pageSessions = 20

export const oneOrAll = Argument.optional(
  Flags.argument("session", "Session id; left out with --all")
)

export const rangeFlags = {
  all: Flags.bool("all", "Every session of the tenant, the newest first"),
  since: Flags.text("since", "With --all: sessions that began at this time or later, ISO 8601"),
  until: Flags.text("until", "With --all: sessions that began before this time, ISO 8601"),
  cursor: Flags.text("cursor", "With --all: go on behind the session where an earlier run ended"),
  limit: Flags.whole("limit", "With --all: sessions at most; default: all of them")
}

export type RangeGiven = Omit<Command.Command.Config.Infer<typeof rangeFlags>, "all">

interface Page<Session> {
  readonly sessions: ReadonlyArray<Session>
  readonly next?: string
}

/** Returns the next cursor if more follow. Shows progress on standard error. */
export const eachPage = <Session, E, R, E2, R2>(
  given: RangeGiven,
  ask: (range: typeof SessionRange.Encoded) => Effect.Effect<Page<Session>, E, R>,
  take: (session: Session) => Effect.Effect<void, E2, R2>
): Effect.Effect<string | undefined, E | E2, R | R2> => {
  const from = (cursor: Option.Option<string>, done: number): Effect.Effect<
    string | undefined,
    E | E2,
    R | R2
  > => {
    const left = Option.getOrElse(given.limit, () => Infinity) - done
    if (left <= 0) return Effect.succeed(Option.getOrUndefined(cursor))
    const range = {
      ...asGiven({ since: given.since, until: given.until, cursor }),
      limit: Math.min(left, pageSessions)
    }
    return Effect.gen(function*() {
      const { next, sessions } = yield* ask(range)
      yield* Effect.forEach(sessions, take, { discard: true })
      const all = done + sessions.length
      if (next === undefined) return undefined
      yield* Console.error(`${all} sessions, next --cursor ${next}`)
      return yield* from(Option.some(next), all)
    })
  }
  return from(given.cursor, 0)
}
