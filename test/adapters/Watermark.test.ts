/** Up to where readers may go, reading by reading. */
import { assert, describe, it } from "@effect/vitest"
import * as SettledLog from "../../src/adapters/postgres/SettledLog.ts"

/** What is settled after each reading: the drawn positions, and the holders of the lock. */
const settledBy = (
  ...readings: ReadonlyArray<readonly [drawn: bigint, holders: ReadonlyArray<string>]>
) => {
  let watermark = SettledLog.initial
  return readings.map(([drawn, holders]) => {
    watermark = SettledLog.advance(watermark, { drawn, holders })
    return watermark.settled
  })
}

describe("the watermark", () => {
  it("is all that was drawn without writers", () => {
    assert.deepStrictEqual(settledBy([3n, []], [7n, []]), [3n, 7n])
  })

  it("stays while a writer of an earlier reading is at work", () => {
    assert.deepStrictEqual(settledBy([3n, []], [5n, ["a"]], [6n, ["a", "b"]]), [3n, 3n, 3n])
  })

  it("moves to the earlier reading once its writers are done, though others have begun", () => {
    assert.deepStrictEqual(settledBy([5n, ["a"]], [9n, ["b"]], [12n, ["c"]]), [0n, 5n, 9n])
  })

  it("waits for every writer of the reading that it goes by", () => {
    assert.deepStrictEqual(
      settledBy([5n, ["a", "b"]], [6n, ["b"]], [7n, ["b", "c"]], [9n, ["c"]]),
      [0n, 0n, 0n, 5n]
    )
  })

  it("goes by the first reading until that one is settled", () => {
    assert.deepStrictEqual(settledBy([5n, ["a"]], [9n, ["a", "b"]], [9n, ["b"]]), [0n, 0n, 5n])
  })

  it("falls back to what a restored server has drawn, with and without writers", () => {
    assert.deepStrictEqual(settledBy([90n, []], [40n, []]), [90n, 40n])
    assert.deepStrictEqual(settledBy([90n, []], [40n, ["a"]]), [90n, 40n])
    assert.deepStrictEqual(settledBy([90n, ["a"]], [40n, ["b"]]), [0n, 40n])
  })
})
