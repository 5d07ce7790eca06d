/** Fingerprints of text and values, as the hash chain takes them. */
import { Context } from "effect"
import type { Digests } from "../../domain/audit/HashChain.ts"

/** SHA-256 of texts as lower-case hex, and canonical JSON (RFC 8785) of values. */
export class Digest extends Context.Service<Digest, Digests>()(
  "web-grounding/application/ports/Digest"
) {}
