/** The session streams of the log. */
import * as Session from "../../domain/session/Session.ts"
import { SessionEvent, sessionUpcasters } from "../../domain/session/SessionEvent.ts"
import * as CommandHandler from "./CommandHandler.ts"
import * as EventCodec from "./EventCodec.ts"

export type Fact = CommandHandler.Fact<SessionEvent>

export type Loaded = CommandHandler.Loaded<Session.Session>

export const codec = EventCodec.make(SessionEvent, sessionUpcasters)

export const { catchUp, facts, handle, handleAll, load, suppose } = CommandHandler.make({
  name: "SessionLog",
  decider: { ...Session, decide: Session.decideInTime },
  codec,
  correlationOf: ({ fact }) => fact.request_id
})
