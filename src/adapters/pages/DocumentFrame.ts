/** A document on its way to the process that reads it. Text goes in slices, two bytes a unit. */
import { Effect, Schema } from "effect"
import type { Frame } from "../../infrastructure/process/Frame.ts"
import { bodyLengthMax, type PageDocument } from "./PageDocument.ts"

const Head = Schema.fromJsonString(Schema.Struct({
  contentType: Schema.String,
  url: Schema.String,
  body: Schema.Literals(["text", "bytes"])
}))

/** Longest slice, in UTF-16 code units or in bytes. */
const sliceLengthMax = 131_072
const lengthBytes = 4
/** Bytes of an address and a content type together, at most. */
const headBytesMax = 65_536

/** Longest frame, in bytes. */
export const frameBytesMax = 2 * bodyLengthMax + headBytesMax + lengthBytes

/** `undefined` for a document whose address or type is too long to be one. */
export const write = ({ body, contentType, url }: PageDocument): Frame | undefined => {
  const kind = typeof body === "string" ? "text" : "bytes"
  const head = Buffer.from(JSON.stringify({ contentType, url, body: kind }))
  if (head.length > headBytesMax) return undefined
  const size = Buffer.alloc(lengthBytes)
  size.writeUInt32LE(head.length)
  const bodyBytes = typeof body === "string" ? 2 * body.length : body.length
  return {
    length: lengthBytes + head.length + bodyBytes,
    pieces: piecesOf([size, head], body)
  }
}

const piecesOf = function*(
  head: ReadonlyArray<Uint8Array>,
  body: string | Uint8Array
): Generator<Uint8Array> {
  yield* head
  for (let start = 0; start < body.length; start += sliceLengthMax) {
    const end = start + sliceLengthMax
    yield typeof body === "string"
      ? Buffer.from(body.slice(start, end), "utf16le")
      : body.subarray(start, end)
  }
}

const decodeHead = Schema.decodeUnknownEffect(Head)

export const readFrame = (frame: Uint8Array) =>
  Effect.suspend(() => {
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
    const headEnd = lengthBytes + bytes.readUInt32LE()
    const rest = bytes.subarray(headEnd)
    return Effect.map(
      decodeHead(bytes.toString("utf8", lengthBytes, headEnd)),
      ({ body, contentType, url }): PageDocument => ({
        body: body === "text" ? rest.toString("utf16le") : new Uint8Array(rest),
        contentType,
        url
      })
    )
  })
