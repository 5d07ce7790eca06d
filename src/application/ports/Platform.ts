/** Fresh and derived identifiers. */
import { Context, type Effect } from "effect"
import type { Digests } from "../../domain/audit/HashChain.ts"

/** Source of every identifier and secret; only `derived` gives the same twice. */
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

// This running process, as the log's readers know it.

/**
 * Identity of this process, by which a call that another one left behind is told from one that
 * runs.
 */
export class Instance extends Context.Service<Instance, {
  /** Different for every start of the process. */
  readonly id: string
  /** No other live process can have this log open, so another instance's call is dead. */
  readonly sole: boolean
}>()("web-grounding/application/ports/Platform/Instance") {}

// Fingerprints of text and values, as the hash chain takes them.

/** SHA-256 of texts as lower-case hex, and canonical JSON (RFC 8785) of values. */
export class Digest extends Context.Service<Digest, Digests>()(
  "web-grounding/application/ports/Platform/Digest"
) {}

// Groups hosts by the party that owns them: two hosts of one party are not independent sources.

/** Registrable domains by the public suffix list: the party behind a host. */
export class Sites extends Context.Service<Sites, {
  /** The registrable domain of a host; `host` as `WebAddress.canonical` gives it. */
  readonly siteOf: (host: string) => string
}>()("web-grounding/application/ports/Platform/Sites") {}
