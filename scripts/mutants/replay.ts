/** Faults of replay: what a forged log must not get past. */
import type { Mutant } from "./Mutant.ts"

const engines = "src/application/replay/RecordedEngines.ts"
const session = "src/application/replay/ReplaySession.ts"
const step = "src/application/replay/RecomputeStep.ts"
const others = "src/application/replay/OtherRulesCheck.ts"
const clock = "src/application/replay/FixedClock.ts"
const replayed = ["test/application/ReplaySession.test.ts"] as const
const older = ["test/application/OtherRules.test.ts"] as const
const unkept = ["test/application/PageTexts.test.ts"] as const
const modelled = ["test/application/ResearchTopic.test.ts"] as const
const judged = ["test/e2e/judges.test.ts"] as const
const tampered = ["test/faults/tamperedLog.test.ts"] as const
const forged = ["test/application/ForgedSteps.test.ts"] as const

const range = "src/application/replay/SessionRange.ts"
const manySessions = "src/application/replay/ReplaySessions.ts"
const many = ["test/application/ReplaySessions.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "replay-trusts-local",
    file: engines,
    text: "const engines = isOf(rung, local)",
    replacement: "const engines = rung.engine === \"\"",
    means: "a forged proposal, plan, score or draft of a local engine passes for what it computed",
    tests: replayed
  },
  {
    id: "replay-other-version",
    file: engines,
    text: "engine === local?.engine && version === local.version",
    replacement: "engine === local?.engine",
    means: "what an older version of a local engine said is called forged",
    tests: forged
  },
  {
    id: "replay-forgets-faults",
    file: engines,
    text: "? failing\n",
    replacement: "? []\n",
    means: "a session in which a model failed is called different",
    tests: forged
  },
  {
    id: "replay-forgets-usage",
    file: engines,
    text: "index === 0 ? Effect.andThen(charge, answer) : answer",
    replacement: "answer",
    means: "a session that a model answered is called different for the tokens it used",
    tests: modelled
  },
  {
    id: "replay-counts-none",
    file: session,
    text: "(isTaken ? 1 : 0)",
    replacement: "0",
    means: "an auditor is told that all was recomputed though page texts were not kept",
    tests: unkept
  },
  {
    id: "replay-counts-all",
    file: session,
    text: "const isTaken = RecomputeStep.isUnseen(step) &&",
    replacement: "const isTaken = RecomputeStep.isUnseen(step) ||",
    means: "an auditor is told that parts were not recomputed which were",
    tests: replayed
  },
  {
    id: "replay-no-chain",
    file: session,
    text: "chain_fault: Result.isFailure(verified) ? verified.failure : undefined",
    replacement: "chain_fault: undefined",
    means: "an edited log is told as sound",
    tests: replayed
  },
  {
    id: "replay-no-difference",
    file: session,
    text: "difference: comparison.difference",
    replacement: "difference: undefined",
    means: "a forged answer is told as recomputed",
    tests: replayed
  },
  {
    id: "replay-refuses-tampered",
    file: session,
    text: `"read on"`,
    replacement: `"refuse"`,
    means: "an auditor gets no replay of the very log that was changed",
    tests: tampered
  },
  {
    id: "replay-never-folds",
    file: session,
    text: "session: Session.evolve(session, fact.event)",
    replacement: "session",
    means: "every session is called different from its second event on",
    tests: replayed
  },
  {
    id: "replay-counts-no-others",
    file: session,
    text: "underOtherRules: counts.underOtherRules + (isOther ? 1 : 0)",
    replacement: "underOtherRules: 0",
    means: "a session of older rules is told as recomputed though it could not be",
    tests: older
  },
  {
    id: "replay-excuses-all",
    file: session,
    text: "return rules !== undefined && rules !== rulesVersion",
    replacement: "return true",
    means: "every forgery is excused as the work of other rules",
    tests: replayed
  },
  {
    id: "replay-excuses-unknown",
    file: session,
    text: "return rules !== undefined && rules !== rulesVersion",
    replacement: "return rules !== rulesVersion",
    means: "events without a request are excused as the work of other rules",
    tests: forged
  },
  {
    id: "replay-excuses-nothing",
    file: session,
    text: "return rules !== undefined && rules !== rulesVersion",
    replacement: "return false",
    means: "every session of an older release is called forged",
    tests: older
  },
  {
    id: "replay-excuses-answers",
    file: session,
    text: "event.texts_version !== textsVersion",
    replacement: "event.texts_version === textsVersion",
    means: "a forged answer is excused as the text of another release",
    tests: replayed
  },
  {
    id: "replay-raw-older-shape",
    file: session,
    text: `stored.schemaVersion === schemaVersion
`,
    replacement: `stored.schemaVersion !== 0
`,
    means: "a session recorded in an older shape is called different",
    tests: older
  },
  {
    id: "replay-counts-events",
    file: session,
    text: "requests: new Set(facts.map(({ event }) => event.request_id)).size",
    replacement: "requests: facts.length",
    means: "an auditor reads a wrong number of requests",
    tests: replayed
  },
  {
    id: "replay-budget-of-others",
    file: others,
    text: "return remaining > 0",
    replacement: "return remaining >= 0",
    means: "a session of older rules passes with more searches than its budget",
    tests: older
  },
  {
    id: "replay-quotes-of-others",
    file: others,
    text: `return misplaced === undefined
    ? undefined`,
    replacement: `return misplaced !== null
    ? undefined`,
    means: "a session of older rules passes with quotes that its pages do not hold",
    tests: older
  },
  {
    id: "replay-query-of-record",
    file: step,
    text: "CallStarted.make({ ...event, ...planned })",
    replacement: "event",
    means: "a query that was never planned passes as sent",
    tests: replayed
  },
  {
    id: "replay-cached-query-of-record",
    file: step,
    text: "CacheUsed.make({ ...event, ...planned })",
    replacement: "event",
    means: "a cached answer to another query passes",
    tests: forged
  },
  {
    id: "replay-stop-anytime",
    file: step,
    text: "event._tag === \"WEB_GROUNDING_SEARCH_STOPPED\" && step._tag === \"StopSearch\"",
    replacement: "event._tag === \"WEB_GROUNDING_SEARCH_STOPPED\"",
    means: "a search passes as given up before it was planned",
    tests: forged
  },
  {
    id: "replay-snippets-of-record",
    file: step,
    text: `event.pages.some(({ reader }) => reader !== "snippet")`,
    replacement: "event.pages.length > 0",
    means: "a forged page text passes as a provider's snippet",
    tests: replayed
  },
  {
    id: "replay-unkept-recomputed",
    file: step,
    text: `step._tag === "Read" && readingOf(step.grounding) > 0`,
    replacement: `step._tag === "Read" && readingOf(step.grounding) > 1`,
    means: "a session without consent to keep texts is called different",
    tests: unkept
  },
  {
    id: "replay-no-judgements",
    file: engines,
    text: "recorded(judging?.rung, judging?.judgements, undefined)",
    replacement: "recorded(judging?.rung, [], undefined)",
    means: "a session in which a judge demoted a claim is called different",
    tests: judged
  },
  {
    id: "replay-fields-of-others",
    file: session,
    text: "const difference = unread ?? (",
    replacement: "const difference = (",
    means: "a field that somebody put into a session of older rules passes as theirs",
    tests: older
  },
  {
    id: "replay-hides-engines",
    file: engines,
    text: "rung === undefined || isOf(rung, local) ? []",
    replacement: "rung !== null ? []",
    means: "an auditor is not told whose answers were taken from the record",
    tests: forged
  },
  {
    id: "replay-all-cursor",
    file: range,
    text: "return cursor !== undefined && cursor < end ? cursor : end",
    replacement: "return end",
    means: "a run over a span of time never goes on from where it was",
    tests: many
  },
  {
    id: "replay-all-until",
    file: range,
    text: "if (until === undefined) return cursor",
    replacement: "if (until !== null) return cursor",
    means: "sessions that began later are counted among those of a span of time",
    tests: many
  },
  {
    id: "replay-all-since",
    file: range,
    text: "const found = read.filter(({ streamId }) => streamId >= from)",
    replacement: "const found = read",
    means: "sessions that began earlier are counted among those of a span of time",
    tests: many
  },
  {
    id: "replay-all-verdict",
    file: manySessions,
    text: "chain_fault !== undefined || difference !== undefined",
    replacement: "chain_fault !== undefined",
    means: "a session that differs is counted as identical, and the run ends with success",
    tests: many
  },
  {
    id: "replay-clock-runs",
    file: clock,
    text: "currentTimeMillis: Effect.succeed(millis)",
    replacement: "currentTimeMillis: clock.currentTimeMillis",
    means: "every session is called different for the time it was written at",
    tests: replayed
  }
]
