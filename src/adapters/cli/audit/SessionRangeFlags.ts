/** Flags and paging of the commands that process many sessions. */
import { Console, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import type { SessionRange } from "../../../contract/SessionRange.ts"
import { asGiven } from "../../../domain/request/GivenFields.ts"

/** Sessions in one page: progress is shown after each. */
const pageSessions = 20

const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

export const rangeFlags = {
  all: Flag.Boolean("all").pipe(
    Flag.withDescription("Every session of the tenant, the newest first"),
    Flag.withDefault(false)
  ),
  since: text("since", "With --all: sessions that began at this time or later, ISO 8601"),
  until: text("until", "With --all: sessions that began before this time, ISO 8601"),
  cursor: text("cursor", "With --all: go on behind the session where an earlier run ended"),
  limit: Flag.Int("limit").pipe(
    Flag.withDescription("With --all: sessions at most; default: all of them"),
    Flag.optional
  )
}

export interface RangeGiven {
  readonly since: Option.Option<string>
  readonly until: Option.Option<string>
  readonly cursor: Option.Option<string>
  readonly limit: Option.Option<number>
}

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
