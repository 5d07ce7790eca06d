/**
 * Answers in memory, so that a repeated request needs no read, verification and fold of its
 * session. Reused only for the same tenant, session, request and question, while the log has the
 * same head.
 */
import { Effect } from "effect"
import { type GroundingRequest, isSame } from "../../domain/request/GroundingRequest.ts"
import type { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
import { EventStore, type StreamHead } from "../ports/EventStore.ts"

/** Answers in memory, some ten kilobytes each; the least recently used are dropped. */
const answersMax = 1_000

interface KeptAnswer {
  readonly head: StreamHead
  readonly outcome: GroundingOutcome
}

interface Kept extends KeptAnswer {
  readonly request: GroundingRequest
}

export const make = Effect.map(EventStore, (store) => {
  const answers = new Map<string, Kept>()

  /** `undefined`: the log must be read. */
  const recall = Effect.fnUntraced(function*(tenantId: string, request: GroundingRequest) {
    const key = keyOf(tenantId, request)
    const known = answers.get(key)
    if (known === undefined || !isSame(known.request, request)) return undefined
    const { head } = yield* store.read(known.head.ref, known.head.version, 0)
    answers.delete(key)
    if (!isAt(known.head, head)) return undefined
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

  const answered = Effect.fnUntraced(function*<E, R>(
    tenantId: string,
    request: GroundingRequest,
    ground: Effect.Effect<KeptAnswer, E, R>
  ) {
    const known = yield* recall(tenantId, request).pipe(
      // The read of the whole session reports the fault.
      Effect.orElseSucceed(() => undefined)
    )
    if (known !== undefined) return known
    const answer = yield* ground
    // Copied, since its quotations are slices that would keep whole pages in memory.
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
