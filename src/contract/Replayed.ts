/** Schemas for auditors: the result of a replay, and the state of the read models. */
import { Schema } from "effect"
import { LogFault } from "../domain/audit/LogCheck.ts"
import { AnchorStatement } from "../domain/audit/MerkleTree.ts"
import { OutcomeChange } from "../domain/audit/OutcomeChange.ts"
import { NeededFact, Supposition } from "../domain/audit/Supposition.ts"
import { CallerRequest } from "../domain/request/GroundingRequest.ts"
import { momentCharsMax } from "./SessionRange.ts"

const JsonOrAbsent = Schema.UndefinedOr(Schema.Json)

/** The first event that differs from the program's result for the facts before it. */
const ReplayDifference = Schema.Struct({
  /** 1-based, in the session. */
  version: Schema.Int,
  type: Schema.String,
  /** Keys joined by dots; empty: the event as a whole. */
  path: Schema.String,
  recorded: JsonOrAbsent,
  recomputed: JsonOrAbsent
})

/**
 * Requests answered under other rules. What both rules derive alike was checked; the rest is
 * unverified.
 */
const OtherRules = Schema.Struct({
  /** The oldest rules of a request, and this build's. */
  from: Schema.Int,
  to: Schema.Int,
  /** The same of the language package, where the oldest is not this build's. */
  language: Schema.optionalKey(Schema.Struct({ from: Schema.String, to: Schema.String })),
  /** Events that these rules would make otherwise. */
  not_recomputed: Schema.Int
})

/**
 * A model, a remote ranker, or another release's engine. Its answers were checked, but only chain
 * and anchors vouch for them.
 */
const EngineAsRecorded = Schema.Struct({
  engine: Schema.String,
  version: Schema.String,
  answers: Schema.Int
})

export const Replayed = Schema.Struct({
  session_id: Schema.String,
  stream_id: Schema.String,
  events: Schema.Int,
  requests: Schema.Int,
  /** Taken from the record: they rest on page texts that the log may not keep. */
  not_recomputed: Schema.Int,
  /** Engines whose answers were taken from the record, each once, in the order of first use. */
  engines_as_recorded: Schema.Array(EngineAsRecorded),
  /** `undefined`: all was recomputed under its own rules. */
  other_rules: Schema.UndefinedOr(OtherRules),
  /** `undefined`: each event's hash follows from its predecessor's. */
  chain_fault: Schema.UndefinedOr(Schema.Struct({ version: Schema.Int, kind: Schema.String })),
  /** `undefined`: identical. */
  difference: Schema.UndefinedOr(ReplayDifference)
})
export type Replayed = typeof Replayed.Type

export const SessionVerdict = Schema.Struct({
  session_id: Schema.String,
  stream_id: Schema.String,
  /** ISO 8601 UTC. */
  began_at: Schema.String,
  /** `different`: also with a broken chain. `other_rules`: identical as far as the rules agree. */
  verdict: Schema.Literals(["identical", "other_rules", "different", "erased", "unreadable"]),
  /** Absent where it could not be replayed. */
  replayed: Schema.optionalKey(Replayed)
})
export type SessionVerdict = typeof SessionVerdict.Type

export const SessionVerdicts = Schema.Struct({
  /** The newest first. */
  sessions: Schema.Array(SessionVerdict),
  /** `cursor` of the next page. Absent at the end. */
  next: Schema.optionalKey(Schema.String)
})
export type SessionVerdicts = typeof SessionVerdicts.Type

export const RebuiltView = Schema.Struct({
  model: Schema.String,
  /** Rows, or entries, that follow from the log. */
  rows: Schema.Int,
  /** Rows or entries that were added, changed or removed to match the log. */
  corrected: Schema.Int,
  /**
   * `under_way`: another call runs. `moving`: rows changed at each comparison; retry. Else the read
   * model's state.
   */
  passed: Schema.optionalKey(
    Schema.Literals(["under_way", "moving", "rebuilding", "halted", "retired"])
  )
})
export type RebuiltView = typeof RebuiltView.Type

// Schemas of a what-if over a recorded session: the supposition and its result.

export const WhatIfInput = Schema.Struct({
  session_id: CallerRequest.fields.session_id,
  suppose: Supposition
})

const WhatIfRequest = Schema.Struct({
  request_id: Schema.String,
  /**
   * `undetermined`: an unrecorded fact is needed, see `needs`. `unfinished`: no recorded answer to
   * compare with.
   */
  verdict: Schema.Literals(["same", "changed", "undetermined", "unfinished"]),
  change: Schema.optionalKey(OutcomeChange),
  needs: Schema.Array(NeededFact)
})
export type WhatIfRequest = typeof WhatIfRequest.Type

export const WhatIf = Schema.Struct({
  session_id: Schema.String,
  stream_id: Schema.String,
  /** The rules of the oldest request, and this build's, which every answer was computed by. */
  rules: Schema.Struct({ from: Schema.Int, to: Schema.Int }),
  /** In the order of their arrival. */
  requests: Schema.Array(WhatIfRequest)
})
export type WhatIf = typeof WhatIf.Type

// Schemas of a verification of the log: its scope and its result.

export const VerifyLogInput = Schema.Struct({
  /** Default: the tenant's streams. `deployment` needs the scope `admin` too. */
  reach: Schema.optionalKey(Schema.Literals(["tenant", "deployment"])),
  /** This session of the tenant alone. */
  session_id: Schema.optionalKey(CallerRequest.fields.session_id),
  /** Anchor of an earlier answer, to be compared too; with the reach `deployment`. */
  anchor: Schema.optionalKey(Schema.Struct({
    ...AnchorStatement.fields,
    at: Schema.String.check(Schema.isMaxLength(momentCharsMax))
  }))
})

export const LogVerification = Schema.Struct({
  sound: Schema.Boolean,
  events: Schema.Int,
  streams: Schema.Int,
  /** Payloads and metadata as the store keeps them, which may be compressed. */
  bytes: Schema.Int,
  /** Events without payload, of which only the chain was checked. */
  erased: Schema.Int,
  /** Last position verified, decimal digits. */
  position: Schema.String,
  faults_count: Schema.Int,
  /** The first 100, in the order in which they were met. */
  faults: Schema.Array(LogFault),
  duration_ms: Schema.Finite,
  anchors: Schema.optionalKey(Schema.Struct({
    /** Different ones whose signature verifies, including a given one. */
    count: Schema.Int,
    /** Events after the newest of them. */
    uncovered: Schema.Int,
    /** Whether `ANCHOR_FILE` was read: a writer to the database can forge the anchors in it. */
    outside: Schema.Boolean
  })),
  /** New anchor of a sound whole log: keep it outside the database and pass it next time. */
  anchor: Schema.optionalKey(AnchorStatement)
})
export type LogVerification = typeof LogVerification.Type
