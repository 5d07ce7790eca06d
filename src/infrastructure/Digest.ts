/** SHA-256, salts and identifiers of the log. */
import { createHash, hash, randomBytes, randomFillSync } from "node:crypto"

/** Random bytes are drawn in blocks: one system call serves some five hundred salts. */
const randomPoolBytes = 8_192
const saltBytes = 16
const uuidSequenceMax = 0xfff

/** SHA-256 of a text's UTF-8 bytes, lower-case hex. */
export const sha256 = (text: string): string => hash("sha256", text, "hex")

/** 16 random bytes, lower-case hex. */
export const salt = (): string => randomHex(saltBytes)

const secretBytes = 32

/** 32 random bytes, base64url. */
export const secret = (): string => randomBytes(secretBytes).toString("base64url")

/** Strictly increasing in a process: an earlier millisecond increments the last id. */
export const uuidv7 = (epochMs: number): string => {
  const fresh = epochMs > last.epochMs
  const exhausted = !fresh && last.sequence === uuidSequenceMax
  last.epochMs = fresh ? epochMs : last.epochMs + (exhausted ? 1 : 0)
  last.sequence = fresh || exhausted ? 0 : last.sequence + 1
  const time = last.epochMs.toString(16).padStart(12, "0")
  const sequence = last.sequence.toString(16).padStart(3, "0")
  return hyphenated(`${time}7${sequence}${withVariant(randomHex(8))}`)
}

/** Name-based UUID (RFC 9562 version 5): stable for a namespace and a name. */
export const uuidv5 = (namespace: string, name: string): string => {
  const bytes = Buffer.from(namespace.replaceAll("-", ""), "hex")
  const digest = createHash("sha1").update(bytes).update(name, "utf8").digest("hex")
  return hyphenated(
    `${digest.slice(0, 12)}5${digest.slice(13, 16)}${withVariant(digest.slice(16, 32))}`
  )
}

const last = { epochMs: 0, sequence: 0 }

const random = { bytes: Buffer.alloc(randomPoolBytes), at: randomPoolBytes }

const randomHex = (size: number): string => {
  if (random.at + size > randomPoolBytes) {
    randomFillSync(random.bytes)
    random.at = 0
  }
  random.at += size
  return random.bytes.toString("hex", random.at - size, random.at)
}

const withVariant = (hex: string): string =>
  `${(0x8 | (Number.parseInt(hex.charAt(0), 16) & 0x3)).toString(16)}${hex.slice(1)}`

const hyphenated = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${
    hex.slice(20)
  }`
