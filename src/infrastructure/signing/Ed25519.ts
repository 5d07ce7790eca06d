/** Ed25519 (RFC 8032) over the pre-authentication encoding of DSSE. */
import { Option } from "effect"
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  hash as oneShot,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes
} from "node:crypto"

/** SHA-256 of hex-encoded bytes, lower-case hex. */
export const sha256OfHex = (hex: string): string =>
  oneShot("sha256", Buffer.from(hex, "hex"), "hex")

export interface PrivateKey {
  /** SHA-256 of the public key as DER (SPKI), lower-case hex. */
  readonly keyId: string
  /** SPKI, PEM. */
  readonly publicPem: string
  /** Base64 signature of a text under its type. */
  readonly sign: (payloadType: string, text: string) => string
}

const attempted = Option.liftThrowable

const readPrivate = attempted((pem: string) => createPrivateKey(pem))
const readPublic = attempted((pem: string) => createPublicKey(pem))

/** An Ed25519 key as PKCS#8 PEM, with line breaks optionally written `\n`. */
export const privateKey = (pem: string): Option.Option<PrivateKey> =>
  readPrivate(pem.replaceAll("\\n", "\n")).pipe(
    Option.filter(isEd25519),
    Option.map((key) => {
      const open = createPublicKey(key)
      return {
        keyId: keyIdOf(open),
        publicPem: open.export({ type: "spki", format: "pem" }).toString(),
        sign: (payloadType, text) =>
          signBytes(null, encoded(payloadType, Buffer.from(text)), key).toString("base64")
      }
    })
  )

/** Fingerprint of a public key. None if it is no Ed25519 key. */
export const fingerprint = (pem: string): Option.Option<string> =>
  Option.map(Option.filter(readPublic(pem), isEd25519), keyIdOf)

export interface Signed {
  readonly payloadType: string
  /** Base64. */
  readonly payload: string
  /** Base64. */
  readonly signature: string
}

export const verifies = (publicPem: string, { payload, payloadType, signature }: Signed): boolean =>
  readPublic(publicPem).pipe(
    Option.filter(isEd25519),
    Option.match({
      onNone: () => false,
      onSome: (key) =>
        verifyBytes(
          null,
          encoded(payloadType, Buffer.from(payload, "base64")),
          key,
          Buffer.from(signature, "base64")
        )
    })
  )

const isEd25519 = ({ asymmetricKeyType }: KeyObject): boolean => asymmetricKeyType === "ed25519"

const keyIdOf = (key: KeyObject): string =>
  createHash("sha256").update(key.export({ type: "spki", format: "der" })).digest("hex")

/** Signed bytes. They include the type, so that bytes of one type never pass for another's. */
const encoded = (payloadType: string, payload: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.byteLength} `
    ),
    payload
  ])
