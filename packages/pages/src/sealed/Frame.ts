/** Frames a message on a stream of bytes: its length in four bytes, then the message. */

const headBytes = 4

export interface Frame {
  /** Bytes of all pieces together. */
  readonly length: number
  readonly pieces: Iterable<Uint8Array>
}

/** A frame in the pieces in which it is written, so that it is never whole in memory twice. */
export const written = function*({ length, pieces }: Frame): Generator<Uint8Array> {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE(length)
  yield head
  yield* pieces
}

export const ofBytes = (bytes: Uint8Array): Frame => ({ length: bytes.length, pieces: [bytes] })

/**
 * Reads one frame from chunks as they come. `more` until it is whole; `broken` when it is longer
 * than `bytesMax` or something follows it.
 */
export const reader = (bytesMax: number): (chunk: Uint8Array) => Uint8Array | "more" | "broken" => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  let length: number | undefined
  return (chunk) => {
    chunks.push(chunk)
    bytes += chunk.length
    if (length === undefined) {
      if (bytes < headBytes) return "more"
      length = Buffer.concat(chunks).readUInt32LE()
    }
    if (length > bytesMax || bytes > headBytes + length) return "broken"
    return bytes < headBytes + length ? "more" : Buffer.concat(chunks).subarray(headBytes)
  }
}
