/** Events that another log recorded, as the statements of an append take them. */
import { Result } from "effect"
import {
  appendEventsMax,
  type LoggedEvent,
  type NewEvent
} from "../../application/ports/EventStore.ts"
import type * as HashChain from "../../domain/audit/HashChain.ts"
import { canonical } from "../../infrastructure/CanonicalJson.ts"

type Group = readonly [LoggedEvent, ...ReadonlyArray<LoggedEvent>]

/** Events after one another of one stream and one time: they go in by one statement. */
export const groupsOf = (events: ReadonlyArray<LoggedEvent>): ReadonlyArray<Group> => {
  const groups: Array<[LoggedEvent, ...Array<LoggedEvent>]> = []
  for (const event of events) {
    const last = groups.at(-1)
    const isSame = last !== undefined && last.length < appendEventsMax &&
      last[0].streamId === event.streamId && last[0].recordedAt === event.recordedAt
    if (isSame) last.push(event)
    else groups.push([event])
  }
  return groups
}

/** As it was sealed where it was recorded. */
export const resealed = (
  event: LoggedEvent
): Result.Result<HashChain.Sealed<NewEvent>, HashChain.NotSealable> =>
  Result.gen(function*() {
    const { hash, payloadDigest, salt, type, version } = event
    const refused = (problem: string): HashChain.NotSealable => ({ type, problem })
    if (salt === null) return yield* Result.fail(refused("an event without its payload"))
    const dataText = yield* Result.mapError(canonical(event.data), refused)
    const metadataText = yield* Result.mapError(canonical(event.metadata), refused)
    return { draft: event, version, dataText, metadataText, salt, payloadDigest, hash }
  })
