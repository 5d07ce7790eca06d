/**
 * Answers that this process has given, so that whoever repeats a request is answered without its
 * session being read, verified and folded again.
 *
 * An answer is told only to the same tenant, session, request and question, and only while the log
 * says that the session ends where it ended then: neither erased nor continued.
 */
import { Effect } from "effect"
import { type GroundingRequest, isSame } from "../../domain/request/GroundingRequest.ts"
import type { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
import { EventStore, type StreamHead } from "../ports/EventStore.ts"

/** Answers in memory, some ten kilobytes each; those told longest ago are forgotten first. */
const answersMax = 1_000

/** An answer as it was read off the log. */
interface KeptAnswer {
  /** Head of the session at that moment. */
  readonly head: StreamHead
  readonly outcome: GroundingOutcome
}

interface Kept extends KeptAnswer {
  readonly request: GroundingRequest
}

export const make = Effect.map(EventStore, (store) => {
  const answers = new Map<string, Kept>()

  /** `undefined`: the log has to be asked for the answer. */
  const recall = Effect.fnUntraced(function*(tenantId: string, request: GroundingRequest) {
    const key = keyOf(tenantId, request)
    const known = answers.get(key)
    if (known === undefined || !isSame(known.request, request)) return undefined
    const { head } = yield* store.read(known.head.ref, known.head.version, 0)
    answers.delete(key)
    if (!isAt(known.head, head)) return undefined
    // A map keeps the order in which its keys were set.
    answers.set(key, known)
    return known.outcome
  })

  const keep = (tenantId: string, kept: Kept): void => {
    const key = keyOf(tenantId, kept.request)
    answers.delete(key)
    answers.set(key, kept)
    const [oldest] = answers.keys()
    if (answers.size > answersMax && oldest !== undefined) answers.delete(oldest)
  }

  /** Answers from memory where the log says that nothing has changed, else as `ground` does. */
  const answered = Effect.fnUntraced(function*<E, R>(
    tenantId: string,
    request: GroundingRequest,
    ground: Effect.Effect<KeptAnswer, E, R>
  ) {
    const known = yield* recall(tenantId, request).pipe(
      // Whoever asks the log for the whole session learns what is wrong with it.
      Effect.orElseSucceed(() => undefined)
    )
    if (known !== undefined) return known
    const answer = yield* ground
    // Its quotations are parts of whole pages, which they would keep in memory: copies are not.
    keep(tenantId, { head: answer.head, outcome: structuredClone(answer.outcome), request })
    return answer.outcome
  })

  return { answered }
})

const keyOf = (tenantId: string, { request_id, session_id }: GroundingRequest): string =>
  JSON.stringify([tenantId, session_id, request_id])

const isAt = (known: StreamHead, now: StreamHead): boolean =>
  now.erasedAt === undefined && now.streamId === known.streamId &&
  now.version === known.version && now.hash === known.hash
