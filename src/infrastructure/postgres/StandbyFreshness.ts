/**
 * How fresh a standby is, by places in the primary's write-ahead log and one process's clock.
 *
 * A standby that has replayed a place holds everything that was committed before the primary was
 * there. No clock of either server is compared, and a standby that was cut off does not seem fresh.
 */

/** Place in the write-ahead log, in bytes. */
export type Place = bigint

/** The primary was at a place at a time of this process's monotonic clock, in milliseconds. */
export interface Mark {
  readonly place: Place
  readonly atMs: number
}

/** Place of a server in a write-ahead log, and the log that it is in. */
export interface Stand {
  /** Bytes in decimal digits. `null`: a standby that is no standby. */
  readonly place: string | null
  /** Eight hexadecimal digits. */
  readonly timeline: string
  readonly system: string
}

/** Why places of the two cannot be compared; `undefined`: they can. */
export const mismatchOf = (
  primary: Stand,
  standby: Stand
): "another server" | "no standby" | "on another timeline" | undefined => {
  if (standby.system !== primary.system) return "another server"
  if (standby.place === null) return "no standby"
  return standby.timeline === primary.timeline ? undefined : "on another timeline"
}

export interface Freshness {
  /** Marks that the standby has not reached, oldest first. */
  readonly ahead: ReadonlyArray<Mark>
  /** The standby holds all that was committed before this time. `undefined`: unknown. */
  readonly asOfMs: number | undefined
}

export const unknown: Freshness = { ahead: [], asOfMs: undefined }

/** Marks kept at most: a standby that is further behind is too late for any of them. */
const marksMax = 64

export const marked = ({ ahead, asOfMs }: Freshness, mark: Mark): Freshness => ({
  ahead: [...ahead, mark].slice(-marksMax),
  asOfMs
})

/** Takes in how far the standby has replayed. */
export const replayed = ({ ahead, asOfMs }: Freshness, to: Place): Freshness => {
  const reached = ahead.filter(({ place }) => place <= to)
  return {
    ahead: ahead.filter(({ place }) => place > to),
    asOfMs: reached.at(-1)?.atMs ?? asOfMs
  }
}

/** Whether the standby lags by at most `lagMsMax`. */
export const isWithin = ({ asOfMs }: Freshness, nowMs: number, lagMsMax: number): boolean =>
  asOfMs !== undefined && nowMs - asOfMs <= lagMsMax
