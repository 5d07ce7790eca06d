/**
 * Erases all sessions of a person, one after the other, by the list that the read model keeps of
 * them. Whoever writes meanwhile is missed: asked again it erases what is new.
 */
import { Effect, Schema } from "effect"
import { ErasureFailure, type ErasureReport, type SubjectErasure } from "../contract/Erasure.ts"
import { InternalFailure } from "../contract/PublicFailure.ts"
import type { InputOf } from "../contract/ServiceOperations.ts"
import { EraseSessions } from "./EraseSessions.ts"
import type { Caller } from "./GroundQuestion.ts"
import { QueryReadModels, ReadFrom } from "./QueryReadModels.ts"

/** A failure leaves those erased that were reached, each recorded. */
export type EraseSubject = (
  input: InputOf<"EraseSubject">,
  caller: Caller
) => Effect.Effect<SubjectErasure, ErasureFailure>

/** Sessions of one page of the list. */
const pageSessions = 100

const isErasureFailure = Schema.is(ErasureFailure)

export const make = Effect.gen(function*() {
  const records = yield* QueryReadModels
  const { erase } = yield* EraseSessions

  const erased = (session_id: string, caller: Caller) =>
    erase({ session_id, reason: "subject" }, caller).pipe(
      Effect.map((report): SubjectErasure => ({ erasures: [report], held: [] })),
      Effect.catchTag(
        "SessionHeld",
        ({ matter }) =>
          Effect.succeed<SubjectErasure>({ erasures: [], held: [{ session_id, matter }] })
      )
    )

  const eraseSubject: EraseSubject = Effect.fn("EraseSubject")(function*({ subject }, caller) {
    const erasures: Array<ErasureReport> = []
    const held: Array<SubjectErasure["held"][number]> = []
    let cursor: string | undefined
    do {
      const page = yield* Effect.mapError(
        records.sessions(
          { subject, limit: pageSessions, ...(cursor === undefined ? {} : { cursor }) },
          caller
        ).pipe(Effect.provideService(ReadFrom, "store")),
        (failure) => isErasureFailure(failure) ? failure : new InternalFailure()
      )
      for (const { session_id } of page.sessions) {
        const one = yield* erased(session_id, caller)
        erasures.push(...one.erasures)
        held.push(...one.held)
      }
      cursor = page.next
    } while (cursor !== undefined)
    return { erasures, held }
  })
  return eraseSubject
})
