/**
 * Up to where the log is settled: nothing at or below it can still appear.
 *
 * A writer holds the fence before it draws a position, and becomes visible before it lets go. So
 * with no holder all drawn positions are settled; otherwise they are once none of those holders
 * is left. Continuous load cannot starve it: the remembered holders only become fewer.
 */

/** Position drawn last, read first; then who held the fence. */
export interface Reading {
  readonly drawn: bigint
  readonly holders: ReadonlyArray<string>
}

export interface Watermark {
  readonly settled: bigint
  /** A reading that awaits the end of its holders. */
  readonly pending: Reading | undefined
}

export const initial: Watermark = { settled: 0n, pending: undefined }

/**
 * Watermark after a reading, which must begin after the one before has ended. It may fall:
 * positions that a restored server has not drawn are not settled, whatever was known before.
 */
export const advance = ({ pending, settled }: Watermark, reading: Reading): Watermark => {
  if (reading.holders.length === 0) return { settled: reading.drawn, pending: undefined }
  const proven = pending !== undefined &&
    !reading.holders.some((holder) => pending.holders.includes(holder))
  return {
    settled: least(proven ? pending.drawn : settled, reading.drawn),
    pending: proven || pending === undefined ? reading : pending
  }
}

const least = (one: bigint, other: bigint): bigint => one < other ? one : other
