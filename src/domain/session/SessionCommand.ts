/** Commands of a session. Time and ids arrive here; the decider makes none. */
import type { SearchNeed } from "../need/SearchNeed.ts"
import type { Rung } from "./Rung.ts"
import type { Decided, SessionEvent } from "./SessionEvent.ts"

/** A gate's proposal: phase and budget, as they stand when it is recorded, make the decision. */
export interface ProposeNeed {
  readonly _tag: "ProposeNeed"
  readonly request_id: string
  readonly proposed: SearchNeed
  readonly rung: Rung
}

/** Every fact but the decision is recorded as it is told, when it is new. */
export type ToldFact = Exclude<SessionEvent, typeof Decided.Type>

export interface TellFact<Fact extends ToldFact = ToldFact> {
  readonly _tag: "TellFact"
  readonly fact: Fact
  /**
   * How often the evidence had been read when the fact came about: facts that rest on an older
   * reading are dropped. Told with evidence, ranking and pack.
   */
  readonly reading?: number
}

export type SessionCommand = ProposeNeed | TellFact

export const proposeNeed = (need: Omit<ProposeNeed, "_tag">): ProposeNeed => ({
  _tag: "ProposeNeed",
  ...need
})

export const tellFact = <Fact extends ToldFact>(fact: Fact, reading?: number): TellFact<Fact> => ({
  _tag: "TellFact",
  fact,
  ...(reading === undefined ? {} : { reading })
})

export const requestIdOf = (command: SessionCommand): string =>
  command._tag === "ProposeNeed" ? command.request_id : command.fact.request_id
