/** The ceilings and waits of one grounding, as this deployment sets them. */
import { Context } from "effect"

/**
 * Limits of every grounding. Durations are milliseconds; texts are counted in UTF-16 code units.
 */
export class Limits extends Context.Service<Limits, {
  /** Milliseconds for one attempt at one search provider. Default 10,000. */
  readonly attemptTimeoutMs: number
  /**
   * Milliseconds for one attempt at one preferred engine (gate, planner, writer). Default 8,000.
   */
  readonly engineTimeoutMs: number
  /** Milliseconds for one attempt at ranking the passages. Default 8,000. */
  readonly rankTimeoutMs: number
  /** Milliseconds for one attempt at reading one page. Default 12,000. */
  readonly readTimeoutMs: number
  /** A provider that answers with no more hits than this is followed by the next. Default 2. */
  readonly hitsScarceMax: number
  /** Hits the provider scores below are left out. 0 to 1. Default 0.1. */
  readonly scoreMin: number
  /** Pages read for one request. Default 5. */
  readonly pagesMax: number
  /** Passages handed to the writer. Default 6. */
  readonly chunksMax: number
  /** Entries of the evidence store that join the pages of one request. Default 4; 0: none. */
  readonly entriesMax: number
  /** Characters of the evidence block. Default 1,400. */
  readonly evidenceCharsMax: number
  /**
   * A process whose own read models are further behind the log is not ready. Default 300,000; 0:
   * however far.
   */
  readonly readModelLagMsMax: number
}>()("web-grounding/application/ports/Limits") {}
