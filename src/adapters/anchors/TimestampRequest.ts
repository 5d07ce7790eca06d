/**
 * Time-stamp requests and answers of RFC 3161, in DER.
 *
 * Of an answer it is checked that it was granted and speaks of this request. The signature of the
 * authority is for whoever trusts it to verify: `openssl ts -verify`.
 */
import { createHash, randomBytes } from "node:crypto"

/** SEQUENCE of the OID 2.16.840.1.101.3.4.2.1 and NULL. */
const sha256Identifier = Buffer.from("300d06096086480165030402010500", "hex")
const nonceBytes = 8

const tags = { boolean: 0x01, integer: 0x02, octets: 0x04, sequence: 0x30 } as const

/** Shorter than 128 bytes, as all parts of a request are. */
const der = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.from([tag, content.length]), content])
}

export interface TimestampRequest {
  readonly body: Uint8Array
  /** DER of the digest and of the nonce, which an answer repeats. */
  readonly repeated: ReadonlyArray<Buffer>
}

/** A positive number that no earlier request had. */
const drawnNonce = (): Buffer => {
  const nonce = randomBytes(nonceBytes)
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40
  return nonce
}

/** Asks for a time stamp over these bytes, and for the certificate that signs it. */
export const timestampRequest = (
  stamped: Uint8Array,
  nonce: Uint8Array = drawnNonce()
): TimestampRequest => {
  const digest = der(tags.octets, createHash("sha256").update(stamped).digest())
  const number = der(tags.integer, nonce)
  return {
    body: der(
      tags.sequence,
      der(tags.integer, Buffer.from([1])),
      der(tags.sequence, sha256Identifier, digest),
      number,
      der(tags.boolean, Buffer.from([0xff]))
    ),
    repeated: [digest, number]
  }
}

/** Why an answer is no time stamp of the request; `undefined`: it is one. */
export const problemOf = (
  { repeated }: TimestampRequest,
  answer: Uint8Array
): string | undefined => {
  const status = statusOf(answer)
  if (status === undefined) return "The answer is no time-stamp response"
  if (status > grantedWithMods) return `The authority refused it (status ${status})`
  const isOurs = repeated.every((part) => Buffer.from(answer).includes(part))
  return isOurs ? undefined : "The time stamp is of something else"
}

/** PKIStatus: granted is 0, granted with changes 1, everything above a refusal. */
const grantedWithMods = 1

/** The first number of the first sequence in the outermost one, if the whole answer is one. */
const statusOf = (answer: Uint8Array): number | undefined => {
  const whole = contentAt(answer, 0, tags.sequence)
  if (whole === undefined || whole.end !== answer.length) return undefined
  const info = contentAt(answer, whole.start, tags.sequence)
  if (info === undefined || info.end > whole.end) return undefined
  const number = contentAt(answer, info.start, tags.integer)
  return number === undefined || number.end > info.end || number.end - number.start !== 1
    ? undefined
    : answer[number.start]
}

interface Span {
  readonly start: number
  readonly end: number
}

const longForm = 0x80
const lengthBytesMax = 4

/** Content of the element at a place, if it bears this tag. */
const contentAt = (bytes: Uint8Array, place: number, tag: number): Span | undefined => {
  const short = bytes[place + 1]
  if (bytes[place] !== tag || short === undefined) return undefined
  if (short < longForm) return { start: place + 2, end: place + 2 + short }
  const count = short - longForm
  if (count === 0 || count > lengthBytesMax) return undefined
  const start = place + 2 + count
  const length = bytes.subarray(place + 2, start)
    .reduce((sum, byte) => sum * 256 + byte, 0)
  return { start, end: start + length }
}
