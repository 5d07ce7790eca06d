/** A document on its way to the process that reads it. */
import { Effect, Schema } from "effect"
import { bodyLengthMax, type PageDocument } from "./PageDocument.ts"
import type { Frame } from "./sealed/Frame.ts"

const Head = Schema.fromJsonString(
  Schema.Struct({ contentType: Schema.String, url: Schema.String })
)

const lengthBytes = 4
/** Bytes of an address and a content type together, at most. */
const headBytesMax = 65_536

/** Longest frame, in bytes. */
export const frameBytesMax = bodyLengthMax + headBytesMax + lengthBytes

/** `undefined` for a document whose address or type is too long to be one. */
export const write = ({ body, contentType, url }: PageDocument): Frame | undefined => {
  const head = Buffer.from(JSON.stringify({ contentType, url }))
  if (head.length > headBytesMax) return undefined
  const size = Buffer.alloc(lengthBytes)
  size.writeUInt32LE(head.length)
  return { length: lengthBytes + head.length + body.length, pieces: [size, head, body] }
}

const decodeHead = Schema.decodeUnknownEffect(Head)

export const readFrame = (frame: Uint8Array) =>
  Effect.suspend(() => {
    const bytes = Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength)
    const headEnd = lengthBytes + bytes.readUInt32LE()
    return Effect.map(
      decodeHead(bytes.toString("utf8", lengthBytes, headEnd)),
      (head): PageDocument => ({ ...head, body: new Uint8Array(bytes.subarray(headEnd)) })
    )
  })
