/** Answers and failures of the steps' engines, above all models. */
import { Schema } from "effect"
import { EngineFault } from "../session/EngineDetail.ts"
import type { SessionEvent } from "../session/SessionEvent.ts"
import { rungsOf } from "../session/SessionFacts.ts"
import type { FailingEngine } from "./SearchHealth.ts"

export const MinuteAnswers = Schema.Struct({
  /** ISO 8601 UTC to the minute, when the facts were recorded. */
  minute: Schema.String,
  engine: Schema.String,
  answered: Schema.Int,
  failed: Schema.Int,
  reason: Schema.optionalKey(EngineFault)
})
export type MinuteAnswers = typeof MinuteAnswers.Type

/**
 * Engines of the fact, each with its failure; `undefined`: it answered. Readers are left out, and
 * engines that rested: they were not asked.
 */
const askedIn = (fact: SessionEvent) =>
  rungsOf(fact).filter(([name]) => name !== "reader").flatMap(([, { engine, faults }]) => [
    { engine, reason: undefined },
    ...faults.filter(({ detail }) => detail !== "resting")
  ])

export const enginesIn = (fact: SessionEvent): ReadonlyArray<string> => [
  ...new Set(askedIn(fact).map(({ engine }) => engine))
]

export const recordAnswers = (row: MinuteAnswers, fact: SessionEvent): MinuteAnswers =>
  askedIn(fact).filter(({ engine }) => engine === row.engine).reduce(
    (sum, { reason }) =>
      reason === undefined
        ? { ...sum, answered: sum.answered + 1 }
        : { ...sum, failed: sum.failed + 1, reason },
    row
  )

const askedMin = 5
const failedShareMax = 0.5

export const failingOf = (rows: ReadonlyArray<MinuteAnswers>): ReadonlyArray<FailingEngine> =>
  [...Map.groupBy(rows, ({ engine }) => engine)].sort().flatMap(([engine, own]) => {
    const failed = own.reduce((sum, row) => sum + row.failed, 0)
    const asked = own.reduce((sum, row) => sum + row.answered, failed)
    const reason = own.findLast((row) => row.reason !== undefined)?.reason
    return reason === undefined || asked < askedMin || failed <= failedShareMax * asked
      ? []
      : [{ engine, asked, failed, reason }]
  })
