/** Fingerprints of text and values, as the hash chain takes them. */
import { Context } from "effect"
import type { Digests } from "../../domain/audit/HashChain.ts"

export class Digest extends Context.Service<Digest, Digests>()(
  "web-grounding/application/ports/Digest"
) {}
