/** The key of the settings behind the port, and the check of signatures. */
import { Effect, Layer, Option, Redacted } from "effect"
import {
  AnchorKeyMissing,
  AnchorKeys,
  type PublicKey
} from "../../application/audit/MakeAnchors.ts"
import type { Envelope } from "../../domain/audit/MerkleTree.ts"
import * as Ed25519 from "../../infrastructure/signing/Ed25519.ts"

const strictText = new TextDecoder("utf-8", { fatal: true })
const decoded = Option.liftThrowable((base64: string) =>
  strictText.decode(Buffer.from(base64, "base64"))
)

/**
 * Key that signs anchors and receipts, by the settings. One that cannot be read signs nothing; the
 * settings are checked before.
 */
export const layer = (key: Option.Option<Redacted.Redacted>) => {
  const own = Option.flatMap(key, (pem) => Ed25519.privateKey(Redacted.value(pem)))
  return Layer.succeed(AnchorKeys, {
    current: Option.map(own, ({ keyId, publicPem }) => ({ keyId, pem: publicPem })),
    hash: Ed25519.sha256OfHex,
    seal: (payloadType, text) =>
      Option.match(own, {
        onNone: () => Effect.fail(new AnchorKeyMissing()),
        onSome: ({ keyId, sign }) =>
          Effect.sync(() => ({
            payloadType,
            payload: Buffer.from(text).toString("base64"),
            signatures: [{ keyid: keyId, sig: sign(payloadType, text) }]
          }))
      }),
    open: Effect.fnUntraced(function*(
      payloadType: string,
      envelope: Envelope,
      known: ReadonlyArray<PublicKey>
    ) {
      const [signature] = envelope.signatures
      if (envelope.payloadType !== payloadType || signature === undefined) {
        return yield* Effect.fail("unreadable" as const)
      }
      const key = known.find(({ keyId, pem }) =>
        keyId === signature.keyid &&
        Option.contains(Ed25519.fingerprint(pem), keyId)
      )
      if (key === undefined) return yield* Effect.fail("unknown_key" as const)
      const { payload } = envelope
      if (!Ed25519.verifies(key.pem, { payloadType, payload, signature: signature.sig })) {
        return yield* Effect.fail("bad_signature" as const)
      }
      return yield* Effect.mapError(
        Effect.fromOption(decoded(payload)),
        () => "unreadable" as const
      )
    })
  })
}
