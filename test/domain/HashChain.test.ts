import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as HashChain from "../../src/domain/audit/HashChain.ts"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"
import { sha256, uuidv5 } from "../../src/infrastructure/Digest.ts"

const digests: HashChain.Digests = { sha256, canonical }
const streamId = "0199c8f0-0000-7000-8000-000000000000"
const recordedAt = "2026-11-21T22:49:09.123Z"
const trials = 300

/** Deterministic numbers below `bound`: a failure names its trial. */
const randomOf = (seed: number) => {
  const state = { word: seed * 2_654_435_761 >>> 0 || 1 }
  return (bound: number) => {
    state.word ^= state.word << 13
    state.word ^= state.word >>> 17
    state.word ^= state.word << 5
    return (state.word >>> 0) % bound
  }
}

const draft = (seed: number, index: number): HashChain.Draft => ({
  eventId: uuidv5(streamId, `${seed}/${index}`),
  type: index % 3 === 0 ? "WEB_GROUNDING_PLANNED" : "WEB_GROUNDING_CALLED",
  schemaVersion: 1 + index % 2,
  data: { query: `q ${seed} ${index}`, results: [{ rank: index, score: index / 7 }] },
  metadata: { correlation_id: `g-${seed}`, causation_id: `${index}`, actor: "test" }
})

interface Log {
  readonly head: HashChain.Head
  readonly events: ReadonlyArray<HashChain.Link>
}

const genesisHead = { streamId, version: 0, hash: HashChain.genesis(digests, streamId) }

const extended = (log: Log, drafts: ReadonlyArray<HashChain.Draft>): Log => {
  let salts = 0
  const salt = () => sha256(`${log.head.version}/${salts++}`).slice(0, 32)
  const sealed = Result.getOrThrow(HashChain.seal(digests, log.head, drafts, { recordedAt, salt }))
  const events = sealed.map(({ draft, hash, payloadDigest, salt, version }) => ({
    ...draft,
    version,
    recordedAt,
    salt,
    payloadDigest,
    hash
  }))
  const last = events.at(-1)!
  return {
    head: { streamId, version: last.version, hash: last.hash },
    events: [...log.events, ...events]
  }
}

/** A log of 2 to 31 events, appended a few at a time. */
const logOf = (seed: number): Log => {
  const random = randomOf(seed)
  let log: Log = { head: genesisHead, events: [] }
  const length = 2 + random(30)
  while (log.events.length < length) {
    const size = Math.min(1 + random(5), length - log.events.length)
    const from = log.events.length
    log = extended(log, Array.from({ length: size }, (_, index) => draft(seed, from + index)))
  }
  return log
}

const renumbered = (events: ReadonlyArray<HashChain.Link>) =>
  events.map((event, index) => ({ ...event, version: index + 1 }))

const edits: ReadonlyArray<readonly [string, (event: HashChain.Link) => HashChain.Link]> = [
  ["data", (event) => ({ ...event, data: { ...Object(event.data), query: "other" } })],
  ["metadata", (event) => ({ ...event, metadata: { ...event.metadata, actor: "other" } })],
  ["type", (event) => ({ ...event, type: `${event.type}X` })],
  ["schemaVersion", (event) => ({ ...event, schemaVersion: event.schemaVersion + 1 })],
  ["recordedAt", (event) => ({ ...event, recordedAt: "2026-11-21T22:49:09.124Z" })],
  ["eventId", (event) => ({ ...event, eventId: uuidv5(streamId, event.eventId) })],
  ["salt", (event) => ({ ...event, salt: sha256(event.hash).slice(0, 32) })],
  ["payloadDigest", (event) => ({ ...event, payloadDigest: sha256(event.payloadDigest) })],
  ["hash", (event) => ({ ...event, hash: sha256(event.hash) })],
  ["data without salt", (event) => ({ ...event, salt: null })],
  ["salt without data", (event) => ({ ...event, data: null })]
]

describe("the hash chain", () => {
  const assertFault = (log: Log, version: number, kinds: ReadonlyArray<string>, what: string) => {
    const found = HashChain.verify(digests, log.head, log.events)
    assert.isTrue(Result.isFailure(found), `${what}: unseen`)
    if (Result.isFailure(found)) {
      assert.strictEqual(found.failure.version, version, what)
      assert.include(kinds, found.failure.kind, what)
    }
  }

  it("raises no false alarm on clean logs", () => {
    for (let seed = 1; seed <= trials; seed++) {
      const { events, head } = logOf(seed)
      assert.isTrue(Result.isSuccess(HashChain.verify(digests, head, events)), `seed ${seed}`)
    }
    assert.isTrue(Result.isSuccess(HashChain.verify(digests, genesisHead, [])))
  })

  it("still verifies a log whose payloads are erased, in part or whole", () => {
    for (let seed = 1; seed <= trials; seed++) {
      const { events, head } = logOf(seed)
      const random = randomOf(seed + 7)
      const erased = events.map((event) =>
        random(2) === 0 ? { ...event, data: null, salt: null } : event
      )
      assert.isTrue(Result.isSuccess(HashChain.verify(digests, head, erased)), `seed ${seed}`)
    }
  })

  it.each(edits)("sees an edit of %s, at its version", (name, edit) => {
    for (let seed = 1; seed <= trials; seed++) {
      const { events, head } = logOf(seed)
      const at = randomOf(seed + 1)(events.length)
      const edited = events.map((event, index) => index === at ? edit(event) : event)
      assertFault({ head, events: edited }, at + 1, ["payload_edited", "link_broken"], name)
    }
  })

  it("sees a missing event, also when the rest is renumbered", () => {
    for (let seed = 1; seed <= trials; seed++) {
      const { events, head } = logOf(seed)
      const at = randomOf(seed + 2)(events.length - 1)
      const rest = events.filter((_, index) => index !== at)
      assertFault({ head, events: rest }, at + 1, ["version_gap"], `seed ${seed}`)
      assertFault({ head, events: renumbered(rest) }, at + 1, ["link_broken"], `seed ${seed}`)
    }
  })

  it("sees a missing tail against the head", () => {
    for (let seed = 1; seed <= trials; seed++) {
      const { events, head } = logOf(seed)
      const kept = events.slice(0, randomOf(seed + 3)(events.length))
      assertFault({ head, events: kept }, kept.length, ["head_mismatch"], `seed ${seed}`)
    }
  })

  it("sees two events swapped, also when renumbered", () => {
    for (let seed = 1; seed <= trials; seed++) {
      const { events, head } = logOf(seed)
      const at = randomOf(seed + 4)(events.length - 1)
      const swapped = events.map((event, index) =>
        index === at ? events[at + 1]! : index === at + 1 ? events[at]! : event
      )
      assertFault({ head, events: swapped }, at + 1, ["version_gap"], `seed ${seed}`)
      assertFault({ head, events: renumbered(swapped) }, at + 1, ["link_broken"], `seed ${seed}`)
    }
  })

  it("sees an event that occurs twice", () => {
    for (let seed = 1; seed <= trials; seed++) {
      const { events, head } = logOf(seed)
      const at = randomOf(seed + 5)(events.length)
      const twice = events.toSpliced(at, 0, events[at]!)
      assertFault({ head, events: twice }, at + 2, ["version_gap"], `seed ${seed}`)
      assertFault({ head, events: renumbered(twice) }, at + 2, ["link_broken"], `seed ${seed}`)
    }
  })

  it("finds an inserted event, chained or not", () => {
    for (let seed = 1; seed <= trials; seed++) {
      const { events, head } = logOf(seed)
      const at = randomOf(seed + 6)(events.length)
      const before = events[at - 1]
      const place = { streamId, version: at, hash: before?.hash ?? genesisHead.hash }
      const forged = extended({ head: place, events: [] }, [draft(seed + 1, at)]).events
      const slipped = renumbered(events.toSpliced(at, 0, ...forged))
      assertFault({ head, events: slipped }, at + 2, ["link_broken"], `seed ${seed}`)
      const longer = extended({ head, events }, [draft(seed + 2, events.length)])
      assertFault(
        { head, events: longer.events },
        events.length + 1,
        ["head_mismatch"],
        `seed ${seed}`
      )
    }
  })

  it("sees another stream's events and another stream's head", () => {
    const { events, head } = logOf(1)
    const other = "0199c8f0-0000-7000-8000-000000000001"
    assertFault({ head: { ...head, streamId: other }, events }, 1, ["link_broken"], "stream")
    const stale = logOf(2).head
    assertFault({ head: { ...stale, streamId }, events }, events.length, ["head_mismatch"], "head")
  })

  it("sees a head whose hash alone, or whose version alone, is not the last event's", () => {
    const { events, head } = logOf(1)
    const otherHash = { ...head, hash: sha256(head.hash) }
    assertFault({ head: otherHash, events }, events.length, ["head_mismatch"], "hash")
    for (const version of [head.version - 1, head.version + 1]) {
      const otherVersion = { ...head, version }
      assertFault({ head: otherVersion, events }, events.length, ["head_mismatch"], "version")
    }
    const started = { ...genesisHead, hash: sha256("another genesis") }
    assertFault({ head: started, events: [] }, 0, ["head_mismatch"], "an empty stream's hash")
  })

  it("goes on from a position that was verified before, and from no other", () => {
    const { events, head } = logOf(1)
    const after = (version: number, hash = events[version - 1]?.hash ?? "") =>
      HashChain.verifyAfter(digests, { version, hash }, head, events.slice(version))
    for (const { version } of events) {
      assert.isTrue(Result.isSuccess(after(version)), `version ${version}`)
    }
    const broken = HashChain.verifyAfter(
      digests,
      { version: 1, hash: sha256("another event") },
      head,
      events.slice(1)
    )
    assert.deepStrictEqual(broken, Result.fail({ kind: "link_broken" as const, version: 2 }))
    const skipped = HashChain.verifyAfter(
      digests,
      { version: 1, hash: events[0]?.hash ?? "" },
      head,
      events.slice(2)
    )
    assert.deepStrictEqual(skipped, Result.fail({ kind: "version_gap" as const, version: 2 }))
  })

  it.each([
    ["an event id in capitals", { eventId: "0199C8F0-0000-7000-8000-000000000000" }],
    ["an event id that is none", { eventId: "1" }],
    ["an event id with more behind it", { eventId: `${streamId}0` }],
    ["a type in small letters", { type: "web_grounding" }],
    ["a type with a NUL in it", { type: "WEB\0GROUNDING" }],
    ["data that has no canonical text", { data: JSON.parse("1e999") }],
    ["metadata that has none", { metadata: { at: NaN } }]
  ])("seals no event with %s", (_, odd) => {
    const sealing = { recordedAt, salt: () => "00" }
    const drafts = [draft(1, 0), { ...draft(1, 1), ...odd }]
    assert.isTrue(Result.isFailure(HashChain.seal(digests, genesisHead, drafts, sealing)))
    assert.isTrue(Result.isSuccess(HashChain.seal(digests, genesisHead, [draft(1, 0)], sealing)))
  })

  /** Computed apart from this code: Python's hashlib and uuid over hand-written texts. */
  it("keeps the formula that stored logs were chained by", () => {
    assert.strictEqual(
      genesisHead.hash,
      "c59212615bd73622625c80daa29200e0ba02bbe4a610786fae0fb98bfcb886ff"
    )
    const [event] = extended({ head: genesisHead, events: [] }, [draft(1, 0)]).events
    assert.strictEqual(
      event?.payloadDigest,
      "07dc9e1ecfa6fc3d9f2aeccff6d07b3e5d9edd87fd85f99deb9e64b44fa64e7e"
    )
    assert.strictEqual(
      event?.hash,
      "55533e3028aff3d17272fd869ae763c97bb36eb625eb970e1fe97cce7b803e5e"
    )
  })
})
