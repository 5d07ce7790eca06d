/** Identifiers, digests and the process's identity. */
import { Context, type Effect } from "effect"
import type { Digests } from "../../domain/audit/HashChain.ts"

/** Source of every identifier and secret; only `derived` is repeatable. */
export class Ids extends Context.Service<Ids, {
  /** Time-ordered UUIDv7. */
  readonly uuid: Effect.Effect<string>
  /** UUID that is always the same for the same command and ordinal. */
  readonly derived: (commandId: string, ordinal: number) => string
  /** 128 random bits, lower-case hex. */
  readonly boundary: Effect.Effect<string>
  /** 256 random bits, 43 characters of base64url. */
  readonly secret: Effect.Effect<string>
}>()("web-grounding/application/ports/Platform/Ids") {}

/** Identity of this process, to tell its calls from those of a dead one. */
export class Instance extends Context.Service<Instance, {
  readonly id: string
  /** No other live process can have this log open, so another instance's call is dead. */
  readonly sole: boolean
}>()("web-grounding/application/ports/Platform/Instance") {}

/** SHA-256 of texts as lower-case hex, and canonical JSON (RFC 8785) of values. */
export class Digest extends Context.Service<Digest, Digests>()(
  "web-grounding/application/ports/Platform/Digest"
) {}

/** Registrable domains by the public suffix list: hosts of one are not independent sources. */
export class Sites extends Context.Service<Sites, {
  /** The registrable domain of a host; `host` as `WebAddress.canonical` gives it. */
  readonly siteOf: (host: string) => string
}>()("web-grounding/application/ports/Platform/Sites") {}
