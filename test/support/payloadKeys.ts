/** Keys of payloads for tests: drawn anew in each process. */
import { Layer, Option } from "effect"
import * as PayloadCipher from "../../src/infrastructure/encryption/PayloadCipher.ts"
import { PayloadKeys } from "../../src/infrastructure/encryption/PayloadKeys.ts"

export const key = PayloadCipher.drawnKey()

/** A deployment that wraps with the key and unwraps with the former ones too. */
export const layerOf = (current: string, former: ReadonlyArray<string> = []) =>
  Layer.succeed(PayloadKeys, Option.some(PayloadCipher.wrappingOf(current, former)))

export const layer = layerOf(key)

export const plaintext = Layer.succeed(PayloadKeys, Option.none())
