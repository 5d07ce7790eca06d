/** The session streams of the log. */
import { requestIdOf, type Session } from "../../domain/session/Session.ts"
import { SessionEvent, sessionUpcasters } from "../../domain/session/SessionEvent.ts"
import * as TimelySession from "../../domain/session/TimelySession.ts"
import * as CommandHandler from "./CommandHandler.ts"
import * as EventCodec from "./EventCodec.ts"

export type Fact = CommandHandler.Fact<SessionEvent>

export type Loaded = CommandHandler.Loaded<Session>

export const codec = EventCodec.make(SessionEvent, sessionUpcasters)

export const { catchUp, facts, handle, handleAll, load, suppose } = CommandHandler.make({
  name: "SessionLog",
  decider: TimelySession,
  codec,
  correlationOf: requestIdOf
})
