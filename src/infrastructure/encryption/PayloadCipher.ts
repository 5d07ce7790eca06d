/**
 * AES-256-GCM for payloads: a data key for each stream, encrypted by wrapping keys. Each encryption
 * has a random nonce, and authenticates the owner (`bound`): under another owner it does not
 * decrypt.
 */
import { Option, Result } from "effect"
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes
} from "node:crypto"

const algorithm = "aes-256-gcm"
const keyBytes = 32
/** Bytes of a nonce, as NIST SP 800-38D recommends for GCM. */
const nonceBytes = 12
const tagBytes = 16
const keyIdDigits = 16

/** A key that encrypts only data keys. */
export interface WrappingKey {
  /** 16 hex digits of a digest of the key; reveals nothing of it. */
  readonly id: string
  readonly key: KeyObject
}

export interface Wrapping {
  /** Wraps new data keys. */
  readonly current: WrappingKey
  /** All keys that still unwrap, the current one included, by id. */
  readonly held: ReadonlyMap<string, WrappingKey>
}

/** `unknown`: wrapped by no key of this deployment. `damaged`: changed since it was wrapped. */
export type NotUnwrapped = "unknown" | "damaged"

/** A new wrapping key in a setting's form: 32 bytes, base64. */
export const drawnKey = (): string => randomBytes(keyBytes).toString("base64")

export const isKeyText = (text: string): boolean => /^[A-Za-z0-9+/]{43}=$/.test(text)

const wrappingKey = (text: string): WrappingKey => {
  const bytes = Buffer.from(text, "base64")
  const id = hash("sha256", Buffer.concat([Buffer.from("wg:1:wrapping-key\0"), bytes]), "hex")
  return { id: id.slice(0, keyIdDigits), key: createSecretKey(bytes) }
}

/** Wrapping keys from texts that satisfy `isKeyText`; the current key first. */
export const wrappingOf = (current: string, former: ReadonlyArray<string>): Wrapping => {
  const keys = [current, ...former].map(wrappingKey)
  return {
    current: wrappingKey(current),
    held: new Map(keys.map((key) => [key.id, key]))
  }
}

export interface DataKey {
  readonly key: KeyObject
  /** Id of the wrapping key, a dot, and the encrypted data key. */
  readonly wrapped: string
}

export const drawDataKey = ({ current }: Wrapping, bound: string): DataKey => {
  const bytes = randomBytes(keyBytes)
  return { key: createSecretKey(bytes), wrapped: wrap(current, bytes, bound) }
}

const wrap = ({ id, key }: WrappingKey, bytes: Buffer, bound: string): string =>
  `${id}.${encrypt(key, bytes, bound).toString("base64url")}`

export const wrappingIdOf = (wrapped: string): string => wrapped.slice(0, wrapped.indexOf("."))

const unwrappedBytes = (
  { held }: Wrapping,
  wrapped: string,
  bound: string
): Result.Result<Buffer, NotUnwrapped> => {
  const wrapping = held.get(wrappingIdOf(wrapped))
  if (wrapping === undefined) return Result.fail("unknown")
  const text = wrapped.slice(wrapped.indexOf(".") + 1)
  return Option.match(
    Option.filter(
      decrypt(wrapping.key, Buffer.from(text, "base64url"), bound),
      ({ length }) => length === keyBytes
    ),
    { onNone: () => Result.fail("damaged"), onSome: Result.succeed }
  )
}

export const unwrap = (
  wrapping: Wrapping,
  wrapped: string,
  bound: string
): Result.Result<KeyObject, NotUnwrapped> =>
  Result.map(unwrappedBytes(wrapping, wrapped, bound), (bytes) => createSecretKey(bytes))

/** The stored data key, rewrapped under the current wrapping key. */
export const wrapAnew = (
  wrapping: Wrapping,
  wrapped: string,
  bound: string
): Result.Result<string, NotUnwrapped> =>
  Result.map(
    unwrappedBytes(wrapping, wrapped, bound),
    (bytes) => wrap(wrapping.current, bytes, bound)
  )

/** Base64 of nonce, ciphertext and tag. Decrypts only with the same `bound`. */
export const encryptText = (key: KeyObject, text: string, bound: string): string =>
  encrypt(key, Buffer.from(text, "utf8"), bound).toString("base64")

/** None for another key or another `bound`, or if changed. */
export const decryptText = (key: KeyObject, text: string, bound: string): Option.Option<string> =>
  Option.map(decrypt(key, Buffer.from(text, "base64"), bound), (bytes) => bytes.toString("utf8"))

const encrypt = (key: KeyObject, bytes: Buffer, bound: string): Buffer => {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(bound, "utf8"))
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
}

/** The cipher throws for a wrong tag. */
const decrypt = Option.liftThrowable((key: KeyObject, bytes: Buffer, bound: string): Buffer => {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes
  })
  decipher.setAAD(Buffer.from(bound, "utf8"))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
})
