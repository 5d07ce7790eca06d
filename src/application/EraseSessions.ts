/** Erases sessions, sets legal holds and lists erasures, for authorized callers. */
import { Context, Effect, Layer, Schema } from "effect"
import {
  ErasureFailure,
  ErasureNotAllowed,
  type ErasureReport,
  type SubjectErasure
} from "../contract/Erasure.ts"
import { InternalFailure, InvalidInput, SessionNotFound } from "../contract/PublicFailure.ts"
import type { InputOf, UseCase } from "../contract/ServiceOperations.ts"
import { SessionHeld } from "../domain/erasure/ErasureRecord.ts"
import { asGiven } from "../domain/request/GivenFields.ts"
import * as EraseSession from "./erasure/EraseSession.ts"
import type { ErasureRefused } from "./erasure/EraseSession.ts"
import type { Caller } from "./GroundQuestion.ts"
import * as InPublic from "./InPublic.ts"
import { ProjectionRunner } from "./projections/ProjectionRunner.ts"
import { QueryReadModels, ReadFrom } from "./QueryReadModels.ts"

const listedDefault = 100

export class EraseSessions extends Context.Service<EraseSessions, {
  /** Erases a session; for one erased before, the first report is returned. */
  readonly EraseSession: UseCase<"EraseSession", Caller>
  readonly SetLegalHold: UseCase<"SetLegalHold", Caller>
  readonly ListErasures: UseCase<"ListErasures", Caller>
}>()("web-grounding/application/EraseSessions") {}

export const layer = Layer.effect(
  EraseSessions,
  Effect.gen(function*() {
    const services = yield* Effect.context<EraseSession.Needs>()
    return EraseSessions.of({
      EraseSession: ({ reason = "requested", session_id }, { actor, tenantId }) =>
        EraseSession.erased({ tenant_id: tenantId, session_id }, { reason, actor }).pipe(
          Effect.provide(services),
          inPublic(session_id)
        ),
      SetLegalHold: ({ held, matter, session_id }, { actor, tenantId }) => {
        if (held && matter === undefined) {
          const problem = "Expected what it is held for"
          return new InvalidInput({ field: "matter", problem })
        }
        const fact = held ? { matter: matter ?? "" } : undefined
        return EraseSession.holding({ tenant_id: tenantId, session_id }, fact, actor).pipe(
          Effect.provide(services),
          inPublic(session_id),
          Effect.as({ held })
        )
      },
      ListErasures: ({ limit = listedDefault }, { tenantId }) =>
        EraseSession.listErasures(tenantId, limit).pipe(Effect.provide(services), inPublic(""))
    })
  })
)

type InsideFailure = Effect.Error<
  | ReturnType<typeof EraseSession.erased>
  | ReturnType<typeof EraseSession.holding>
  | ReturnType<typeof EraseSession.listErasures>
>

const inPublic = (session_id: string) => <A, R>(erasing: Effect.Effect<A, InsideFailure, R>) =>
  erasing.pipe(
    Effect.catchTags({
      ErasureRefused: ({ reason }) => Effect.fail(refusalOf(reason, session_id)),
      // The sources to erase come from the store itself, so they exist.
      EvidenceNotFound: () => new InternalFailure()
    }),
    InPublic.inPublic("an erasure failed", session_id)
  )

const refusalOf = (
  reason: ErasureRefused["reason"],
  session_id: string
): SessionNotFound | SessionHeld | ErasureNotAllowed => {
  switch (reason) {
    case "unknown_session":
      return new SessionNotFound({ session_id })
    case "held":
      // The hold was set in the database, not by the service.
      return new SessionHeld({ session_id, matter: "not recorded" })
    case "not_allowed":
      return new ErasureNotAllowed()
  }
}

// Erases all sessions of a person, by the read model's list. Events written while this runs are not
// erased; run it again to catch them.

/** A failure leaves the sessions reached so far erased, each recorded. */
export type EraseSubject = (
  input: InputOf<"EraseSubject">,
  caller: Caller
) => Effect.Effect<SubjectErasure, ErasureFailure>

const pageSessions = 100

const isErasureFailure = Schema.is(ErasureFailure)

export const make = Effect.gen(function*() {
  const records = yield* QueryReadModels
  const { EraseSession } = yield* EraseSessions
  const { holdsAll } = yield* ProjectionRunner

  /** With a stale list nothing is erased: a part would look like all. */
  const listed = holdsAll("sessions").pipe(
    Effect.flatMap((isThere) => isThere ? Effect.void : Effect.fail(InPublic.storeDown())),
    InPublic.inPublic("the sessions of a person were not listed")
  )

  const eraseSubject: EraseSubject = Effect.fn("EraseSubject")(function*({ subject }, caller) {
    const erasures: Array<ErasureReport> = []
    const held: Array<SubjectErasure["held"][number]> = []
    let cursor: string | undefined
    yield* listed
    do {
      const page = yield* Effect.mapError(
        records.ListSessions(
          { subject, limit: pageSessions, ...asGiven({ cursor }) },
          caller
        ).pipe(Effect.provideService(ReadFrom, "store")),
        (failure) => isErasureFailure(failure) ? failure : new InternalFailure()
      )
      for (const { session_id } of page.sessions) {
        yield* EraseSession({ session_id, reason: "subject" }, caller).pipe(
          Effect.map((report) => erasures.push(report)),
          Effect.catchTag(
            "SessionHeld",
            ({ matter }) => Effect.sync(() => held.push({ session_id, matter }))
          )
        )
      }
      cursor = page.next
    } while (cursor !== undefined)
    return { erasures, held }
  })
  return eraseSubject
})
