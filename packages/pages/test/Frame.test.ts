import { assert, describe, it } from "@effect/vitest"
import * as SealedWork from "../src/sealed/SealedWork.ts"

const bytesMax = 100

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const framed = (text: string): Buffer =>
  Buffer.concat([...SealedWork.written(SealedWork.ofBytes(bytesOf(text)))])

/** What the reader says to each chunk; a whole frame as its text. */
const readingsOf = (...chunks: ReadonlyArray<Uint8Array>): ReadonlyArray<string> => {
  const read = SealedWork.reader(bytesMax)
  return chunks.map((chunk) => {
    const frame = read(chunk)
    return typeof frame === "string" ? frame : `frame ${new TextDecoder().decode(frame)}`
  })
}

describe("a frame", () => {
  it("is its length in four bytes, the least first, and then itself", () => {
    assert.deepStrictEqual([...framed("ab")], [2, 0, 0, 0, 97, 98])
    assert.deepStrictEqual([...framed("")], [0, 0, 0, 0])
  })

  it("is read whole, wherever it is cut into chunks", () => {
    const whole = framed("héllo")
    for (let cut = 1; cut < whole.length; cut++) {
      const readings = readingsOf(whole.subarray(0, cut), whole.subarray(cut))
      assert.deepStrictEqual(readings, ["more", "frame héllo"], `cut at ${cut}`)
    }
    const single = [...whole].map((byte) => Uint8Array.of(byte))
    assert.deepStrictEqual(readingsOf(...single).at(-1), "frame héllo")
    assert.deepStrictEqual(readingsOf(framed("")), ["frame "])
  })

  it("is broken when it says that it is longer than it may be, before it comes", () => {
    const head = Buffer.alloc(4)
    head.writeUInt32LE(bytesMax + 1)
    assert.deepStrictEqual(readingsOf(head), ["broken"])
    head.writeUInt32LE(bytesMax)
    assert.deepStrictEqual(readingsOf(head), ["more"])
  })

  it("is broken when something follows it", () => {
    assert.deepStrictEqual(readingsOf(Buffer.concat([framed("a"), bytesOf("b")])), ["broken"])
    const whole = framed("ab")
    const late = Buffer.concat([whole.subarray(5), bytesOf("c")])
    assert.deepStrictEqual(readingsOf(whole.subarray(0, 5), late), ["more", "broken"])
  })
})
