/** Fingerprints of text. */
import { Context } from "effect"

export class Digest extends Context.Service<Digest, {
  /** SHA-256 of the text as UTF-8, lower-case hex. */
  readonly sha256: (text: string) => string
}>()("web-grounding/application/ports/Digest") {}
