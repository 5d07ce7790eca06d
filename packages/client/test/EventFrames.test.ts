/** How the client reads server-sent events. */
import { assert, describe, it } from "@effect/vitest"
import { reader } from "../src/EventFrames.ts"

const stream = [
  "retry: 1000\n\n",
  ": hello\n\n",
  "id: 1\nevent: fact\ndata: {\"a\":\"é한😀\"}\n\n",
  "event: fact\r\nid: 2\r\ndata: one\r\ndata: two\r\n\r\n",
  "data:bare\r\r",
  "event: no-data\n\n",
  "id: x\0y\nevent: outcome\ndata:  two blanks\nunknown: field\n\n",
  "event: fact\ndata: unended"
].join("")

const tooLarge = () => new Error("too large")
const frames = [
  { event: "fact", data: "{\"a\":\"é한😀\"}" },
  { event: "fact", data: "one\ntwo" },
  { event: "message", data: "bare" },
  { event: "outcome", data: " two blanks" }
]

const read = (pieces: ReadonlyArray<string>) => pieces.flatMap(reader(1_000, tooLarge))

describe("the frames of a stream", () => {
  it("are read out of one piece, as the standard says", () => {
    assert.deepStrictEqual(read([stream]), frames)
  })

  it("are the same wherever it is cut in two, and in pieces of one byte", () => {
    const bytes = new TextEncoder().encode(stream)
    const decoded = (pieces: ReadonlyArray<Uint8Array>) => {
      const decoder = new TextDecoder()
      return pieces.map((piece) => decoder.decode(piece, { stream: true }))
    }
    for (let at = 0; at <= bytes.length; at += 1) {
      const pieces = decoded([bytes.subarray(0, at), bytes.subarray(at)])
      assert.deepStrictEqual(read(pieces), frames, `cut at ${at}`)
    }
    const single = decoded(Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))
    assert.deepStrictEqual(read(single), frames)
  })

  it("are refused when one grows beyond its bound, in one line or in many", () => {
    const long = reader(100, tooLarge)
    assert.throws(() => {
      for (let count = 0; count < 20; count += 1) long("x".repeat(10))
    }, "too large")
    const many = reader(100, tooLarge)
    assert.throws(() => {
      for (let count = 0; count < 20; count += 1) many("data: xxxxxxxx\n")
    }, "too large")
    const fine = reader(100, tooLarge)
    for (let count = 0; count < 20; count += 1) {
      assert.lengthOf(fine("data: xxxxxxxx\n\n"), 1)
      assert.lengthOf(fine(": \n\n"), 0)
    }
  })
})
