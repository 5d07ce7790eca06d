/**
 * The chain of digests that makes every edit inside a stream show.
 *
 * A payload's digest is salted, so that it survives erasure without giving the payload away. The
 * link covers header, metadata and that digest, so an erased event still verifies. A rewound tail
 * or a missing stream does not show here: signed anchors are for those.
 *
 * ```ts
 * import { Result } from "effect"
 * import { canonical } from "../../infrastructure/CanonicalJson.ts"
 * import { sha256 } from "../../infrastructure/Digest.ts"
 * import * as HashChain from "./HashChain.ts"
 *
 * const digests = { canonical, sha256 }
 * const streamId = "0198c0de-0000-7000-8000-000000000001"
 * const start = { streamId, version: 0, hash: HashChain.genesis(digests, streamId) }
 * const draft = {
 *   eventId: "0198c0de-0000-7000-8000-000000000002",
 *   type: "WEB_GROUNDING_REQUESTED",
 *   schemaVersion: 1,
 *   data: { topic: "notice" },
 *   metadata: { actor: "me" }
 * }
 * const recordedAt = "2026-11-21T00:00:00.000Z"
 * const salted = { recordedAt, salt: () => "ab".repeat(16) }
 * const sealed = HashChain.seal(digests, start, [draft], salted)
 * const [first] = Result.getOrThrow(sealed)
 * if (first === undefined) throw new Error("nothing was sealed")
 * const event = { ...first, ...draft, recordedAt }
 * const head = { streamId, version: 1, hash: first.hash }
 * Result.isSuccess(HashChain.verify(digests, head, [event])) // => true
 *
 * const edited = { ...event, data: { topic: "deposit" } }
 * const fault = Result.flip(HashChain.verify(digests, head, [edited]))
 * fault // => Result.succeed({ kind: "payload_edited", version: 1 })
 * ```
 */
import { Result, type Schema } from "effect"

export interface Digests {
  /** SHA-256 of the UTF-8 bytes, lower-case hex. */
  readonly sha256: (text: string) => string
  /** RFC 8785 text of a value, or why it has none. */
  readonly canonical: (value: unknown) => Result.Result<string, string>
}

export interface Draft {
  /** Lower-case UUID, derived from the command and the event's ordinal. */
  readonly eventId: string
  readonly type: string
  /** Version of the stored shape, from 1. */
  readonly schemaVersion: number
  /** JSON that PostgreSQL keeps unchanged: no NUL, no lone surrogate, finite numbers. */
  readonly data: Schema.Json
  readonly metadata: object
}

/** An event with its chain fields and the texts that its digests were taken over. */
export interface Sealed<D extends Draft> {
  readonly draft: D
  readonly version: number
  readonly dataText: string
  readonly metadataText: string
  readonly salt: string
  readonly payloadDigest: string
  readonly hash: string
}

/** Fields of a recorded event that the chain covers. */
export interface Link extends Omit<Draft, "data"> {
  /** 1-based index in its stream. */
  readonly version: number
  /** ISO 8601 UTC with milliseconds, by the log's clock; covered by the hash. */
  readonly recordedAt: string
  /** `null` after erasure, and for a payload that is the JSON `null`. */
  readonly data: Schema.Json | null
  /** Lower-case hex. `null` exactly after erasure. */
  readonly salt: string | null
  /** SHA-256 of salt and canonical data, lower-case hex. */
  readonly payloadDigest: string
  /** SHA-256 that chains this event to its predecessor, lower-case hex. */
  readonly hash: string
}

/** End of a stream: its key, its number of events and the hash of the last one. */
export interface Head {
  /** UUIDv7. Freshly minted when the stream holds nothing yet. */
  readonly streamId: string
  /** Events in the stream. 0: nothing recorded yet. */
  readonly version: number
  /** Hash of the last event, or the stream's genesis hash; lower-case hex. */
  readonly hash: string
}

/** The first fault of a stream, at the version where it shows. */
export interface ChainFault {
  readonly kind: "payload_edited" | "link_broken" | "version_gap" | "head_mismatch"
  readonly version: number
}

export interface NotSealable {
  readonly type: string
  readonly problem: string
}

export const genesis = ({ sha256 }: Digests, streamId: string): string =>
  sha256(`wg:1:genesis\0${streamId}`)

const payloadDigest = ({ sha256 }: Digests, salt: string, dataText: string): string =>
  sha256(`wg:1:payload\0${salt}${dataText}`)

export interface Header {
  readonly streamId: string
  readonly version: number
  readonly eventId: string
  readonly type: string
  readonly schemaVersion: number
  readonly recordedAt: string
  readonly metadataText: string
}

const link = (
  { sha256 }: Digests,
  previous: string,
  header: Header,
  payloadDigest: string
): string => {
  const { eventId, metadataText, recordedAt, schemaVersion, streamId, type, version } = header
  return sha256(
    `wg:1:event\0${previous}["${streamId}",${version},"${eventId}",${JSON.stringify(type)},` +
      `${schemaVersion},"${recordedAt}",${metadataText}]${payloadDigest}`
  )
}

/** Chains drafts to a head, in their order. `salt` gives a fresh one for each. */
export const seal = <D extends Draft>(
  digests: Digests,
  head: Head,
  drafts: ReadonlyArray<D>,
  { recordedAt, salt }: { readonly recordedAt: string; readonly salt: () => string }
): Result.Result<ReadonlyArray<Sealed<D>>, NotSealable> => {
  const sealed: Array<Sealed<D>> = []
  for (const draft of drafts) {
    const { eventId, schemaVersion, type } = draft
    const refuse = (problem: string) => Result.fail({ type, problem })
    if (!uuid.test(eventId)) return refuse("an event id that is not a lower-case UUID")
    if (!typeName.test(type)) return refuse("a type that is not A-Z, 0-9 and underscore")
    const data = digests.canonical(draft.data)
    if (Result.isFailure(data)) return refuse(data.failure)
    const metadata = digests.canonical(draft.metadata)
    if (Result.isFailure(metadata)) return refuse(metadata.failure)

    const version = head.version + sealed.length + 1
    const metadataText = metadata.success
    const payloadSalt = salt()
    const digest = payloadDigest(digests, payloadSalt, data.success)
    const previous = sealed.at(-1)?.hash ?? head.hash
    const header = { streamId: head.streamId, version, eventId, type, schemaVersion, recordedAt }
    sealed.push({
      draft,
      version,
      dataText: data.success,
      metadataText,
      salt: payloadSalt,
      payloadDigest: digest,
      hash: link(digests, previous, { ...header, metadataText }, digest)
    })
  }
  return Result.succeed(sealed)
}

/** Checks a whole stream, oldest event first, against its head. Fails with the first fault. */
export const verify = (
  digests: Digests,
  head: Head,
  events: ReadonlyArray<Link>
): Result.Result<void, ChainFault> =>
  verifyAfter(digests, { version: 0, hash: genesis(digests, head.streamId) }, head, events)

/** Verifies the events after a verified head, oldest first. Fails with the first fault. */
export const verifyAfter = (
  digests: Digests,
  known: Pick<Head, "version" | "hash">,
  head: Head,
  events: ReadonlyArray<Link>
): Result.Result<void, ChainFault> => {
  let previous = known.hash
  let version = known.version
  for (const event of events) {
    version += 1
    const fault = eventFault(digests, head.streamId, event, { version, previous })
    if (fault !== undefined) return Result.fail({ kind: fault, version })
    previous = event.hash
  }
  return head.version === version && head.hash === previous
    ? Result.void
    : Result.fail({ kind: "head_mismatch", version })
}

export const eventFault = (
  digests: Digests,
  streamId: string,
  event: Link,
  expected: { readonly version: number; readonly previous: string }
): ChainFault["kind"] | undefined => {
  if (event.version !== expected.version) return "version_gap"
  if (!payloadStands(digests, event)) return "payload_edited"
  const metadata = digests.canonical(event.metadata)
  if (Result.isFailure(metadata)) return "link_broken"
  const header = { ...event, streamId, metadataText: metadata.success }
  const hash = link(digests, expected.previous, header, event.payloadDigest)
  return hash === event.hash ? undefined : "link_broken"
}

/** Whether the payload fits its digest. An erased one, whose salt is gone too, counts as sound. */
export const payloadStands = (digests: Digests, event: Link): boolean => {
  if (event.salt === null) return event.data === null
  const data = digests.canonical(event.data)
  return Result.isSuccess(data) &&
    payloadDigest(digests, event.salt, data.success) === event.payloadDigest
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const typeName = /^[A-Z][A-Z0-9_]*$/
