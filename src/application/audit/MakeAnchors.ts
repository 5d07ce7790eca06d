/**
 * Signs anchors of the log, at intervals or on demand. The tree grows from the last anchor's
 * frontier: only later events are read. One process at a time holds the claim; one that lost it
 * changes nothing.
 */
import {
  Array as Arr,
  Context,
  DateTime,
  Duration,
  Effect,
  Layer,
  Option,
  Result,
  Schema,
  Stream
} from "effect"
import * as MerkleTree from "../../domain/audit/MerkleTree.ts"
import type { Envelope, Frontier, Hash } from "../../domain/audit/MerkleTree.ts"
import { EventStore, type EventStoreUnavailable, LogPosition } from "../ports/EventStore.ts"
import { Digest, Instance } from "../ports/Platform.ts"

/** Time after which a dead process loses its claim. */
const turnMs = 600_000
/** Anchors shipped in one round, oldest first. */
const shippedMax = 1_000
/** Share of the interval within which an existing anchor is recent enough. */
const freshShare = 0.9

/** The newest anchor is not what was signed, so that no anchor may follow it. */
export class AnchorsTampered extends Schema.TaggedError<AnchorsTampered>()("AnchorsTampered", {
  tree_size: Schema.Int
}) {
  override get message(): string {
    return `The anchor over ${this.tree_size} events is not as it was signed: see verify --all`
  }
}

export class AnchorTurnTaken extends Schema.TaggedError<AnchorTurnTaken>()("AnchorTurnTaken", {}) {
  override get message(): string {
    return "Another process is making an anchor"
  }
}

interface Made {
  /** None: nothing was recorded since the newest. */
  readonly anchor: Option.Option<MerkleTree.AnchorStatement>
  readonly shipped: number
}

type MakingFailed =
  | AnchorKeyMissing
  | AnchorsTampered
  | AnchorTurnTaken
  | AnchorsUnavailable
  | AnchorNotShipped
  | EventStoreUnavailable

export class MakeAnchors extends Context.Service<MakeAnchors, {
  /** Signs what was recorded since the newest anchor, and ships every unshipped one. */
  readonly make: Effect.Effect<Made, MakingFailed>
  /** Makes one anchor each interval for all processes together; without a key none. */
  readonly follow: Effect.Effect<void>
}>()("web-grounding/application/audit/MakeAnchors") {}

export const decodeStatement = Schema.decodeUnknownEffect(
  Schema.fromJsonString(MerkleTree.AnchorStatement)
)

/** `everyMs` is the time between two anchors; 0: none. */
export const layer = (everyMs: number) =>
  Layer.effect(
    MakeAnchors,
    Effect.gen(function*() {
      const store = yield* EventStore
      const ledger = yield* AnchorLedger
      const keys = yield* AnchorKeys
      const outlets = yield* AnchorOutlets
      const digest = yield* Digest
      const { id } = yield* Instance

      const trusted = Effect.fnUntraced(
        function*({ envelope, frontier }: KeptAnchor) {
          const text = yield* keys.open(MerkleTree.payloadType, envelope, yield* ledger.keys)
          const statement = yield* decodeStatement(text)
          const isSame = frontier.size === statement.tree_size &&
            MerkleTree.rootOf(keys.hash, frontier) === statement.root_hash
          return isSame ? statement : yield* Effect.fail("unreadable" as const)
        },
        (opened, { treeSize }) =>
          Effect.mapError(
            opened,
            (failure) =>
              typeof failure !== "string" && failure._tag === "AnchorsUnavailable"
                ? failure
                : new AnchorsTampered({ tree_size: treeSize })
          )
      )

      const grown = Effect.fnUntraced(function*(from: {
        readonly frontier: Frontier
        readonly logId: string | undefined
        readonly lastPosition: LogPosition
      }) {
        const tree = MerkleTree.grow(keys.hash, from.frontier)
        let { lastPosition, logId } = from
        yield* Stream.runForEachArray(store.all(lastPosition), (events) =>
          Effect.sync(() => {
            for (const event of events) {
              tree.take(MerkleTree.leaf(digest.sha256, MerkleTree.entryOf(event)))
              logId ??= event.hash
              lastPosition = event.position
            }
          }))
        return { frontier: tree.frontier(), logId, lastPosition }
      })

      const sign = Effect.gen(function*() {
        const key = yield* Effect.fromOption(keys.current).pipe(
          Effect.mapError(() => new AnchorKeyMissing())
        )
        yield* ledger.addKey(key)
        const newest = yield* ledger.newest
        const before = newest === undefined ? undefined : yield* trusted(newest)
        const lastPosition = LogPosition.make(BigInt(before?.last_position ?? "0"))
        const frontier = newest?.frontier ?? MerkleTree.emptyFrontier
        const now = yield* grown({ frontier, logId: before?.log_id, lastPosition })
        if (now.logId === undefined || now.frontier.size === frontier.size) return Option.none()
        const statement: MerkleTree.AnchorStatement = {
          log_id: now.logId,
          tree_size: now.frontier.size,
          root_hash: MerkleTree.rootOf(keys.hash, now.frontier),
          last_position: String(now.lastPosition),
          at: DateTime.formatIso(DateTime.makeUnsafe(yield* store.now))
        }
        // Strings and a number: it has canonical text.
        const text = Result.getOrThrow(digest.canonical(statement))
        const isAdded = yield* ledger.add({
          treeSize: statement.tree_size,
          lastPosition: now.lastPosition,
          frontier: now.frontier,
          envelope: yield* keys.seal(MerkleTree.payloadType, text),
          isShipped: false
        })
        return isAdded ? Option.some(statement) : Option.none()
      })

      const ship = Effect.gen(function*() {
        const waiting = outlets.isSet ? yield* ledger.unshipped(shippedMax) : []
        yield* Effect.forEach(waiting, ({ envelope, treeSize }) =>
          Effect.andThen(outlets.ship(envelope), ledger.markShipped(treeSize)))
        return waiting.length
      })

      const make = Effect.gen(function*() {
        if (Option.isNone(keys.current)) {
          return yield* new AnchorKeyMissing()
        }
        if (!(yield* ledger.claim(id, turnMs))) {
          return yield* new AnchorTurnTaken()
        }
        return yield* Effect.gen(function*() {
          const anchor = yield* sign
          return { anchor, shipped: yield* ship }
        }).pipe(Effect.ensuring(Effect.ignore(ledger.release(id))))
      })

      const isDue = Effect.gen(function*() {
        const newest = yield* ledger.newest
        if (newest === undefined || (outlets.isSet && !newest.isShipped)) {
          return true
        }
        const { at } = yield* trusted(newest)
        return (yield* store.now) - (Date.parse(at) || 0) >= everyMs * freshShare
      })

      const reported = (failure: { readonly _tag: string; readonly message: string }) =>
        failure._tag === "AnchorTurnTaken"
          ? Effect.void
          : Effect.annotateLogs(Effect.logError("no anchor was made"), {
            reason: failure._tag,
            problem: failure.message
          })
      const round = Effect.catch(Effect.when(make, isDue), reported)

      return MakeAnchors.of({
        make,
        follow: everyMs === 0 || Option.isNone(keys.current)
          ? Effect.void
          : Effect.forever(Effect.andThen(round, Effect.sleep(Duration.millis(everyMs))))
      })
    })
  )

/** The table of anchors could not be read or written. May be retried. */
export class AnchorsUnavailable
  extends Schema.TaggedError<AnchorsUnavailable>()("AnchorsUnavailable", {
    operation: Schema.String,
    cause: Schema.Defect()
  })
{
  override get message(): string {
    return `The anchors could not be reached: ${this.operation}`
  }
}

/** A signed anchor as the database keeps it, with the state from which the next one is computed. */
export interface KeptAnchor {
  readonly treeSize: number
  readonly lastPosition: bigint
  readonly frontier: Frontier
  readonly envelope: Envelope
  readonly isShipped: boolean
}

/** Anchors, ordered by the size of their trees. */
export class AnchorLedger extends Context.Service<AnchorLedger, {
  readonly list: (
    afterSize: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<KeptAnchor>, AnchorsUnavailable>
  readonly newest: Effect.Effect<KeptAnchor | undefined, AnchorsUnavailable>
  /** The oldest that this key signed and that covers the position. */
  readonly covering: (
    position: bigint,
    keyId: string
  ) => Effect.Effect<KeptAnchor | undefined, AnchorsUnavailable>
  /** The newest that does not cover the position. */
  readonly before: (position: bigint) => Effect.Effect<KeptAnchor | undefined, AnchorsUnavailable>
  /** False where an anchor of its size or a larger one exists. */
  readonly add: (anchor: KeptAnchor) => Effect.Effect<boolean, AnchorsUnavailable>
  readonly unshipped: (
    limit: number
  ) => Effect.Effect<ReadonlyArray<KeptAnchor>, AnchorsUnavailable>
  readonly markShipped: (treeSize: number) => Effect.Effect<void, AnchorsUnavailable>
  readonly keys: Effect.Effect<ReadonlyArray<PublicKey>, AnchorsUnavailable>
  /** Does nothing where the key is known. */
  readonly addKey: (key: PublicKey) => Effect.Effect<void, AnchorsUnavailable>
  /** Claims the making of anchors for a time, unless another owner has it. */
  readonly claim: (owner: string, turnMs: number) => Effect.Effect<boolean, AnchorsUnavailable>
  readonly release: (owner: string) => Effect.Effect<void, AnchorsUnavailable>
}>()("web-grounding/application/audit/MakeAnchors/AnchorLedger") {}

// The key that signs anchors and receipts, and verification of its signatures and former keys'.

/** No key is set. An operator sets one; nothing is retried. */
export class AnchorKeyMissing
  extends Schema.TaggedError<AnchorKeyMissing>()("AnchorKeyMissing", {})
{
  override get message(): string {
    return "No key signs anchors: set ANCHOR_KEY or ANCHOR_KEY_FILE to an Ed25519 key " +
      "(openssl genpkey -algorithm ed25519)"
  }
}

export interface PublicKey {
  /** SHA-256 of the key as DER (SPKI), lower-case hex. */
  readonly keyId: string
  /** SPKI, PEM. */
  readonly pem: string
}

/** Signs texts and verifies signed ones. The private key is never exposed. */
export class AnchorKeys extends Context.Service<AnchorKeys, {
  /** None: no key is set. */
  readonly current: Option.Option<PublicKey>
  /** Signs a text under its type, as DSSE says. */
  readonly seal: (payloadType: string, text: string) => Effect.Effect<Envelope, AnchorKeyMissing>
  /**
   * `unknown_key`: none of these signed it. `bad_signature`: the named one did not sign these
   * bytes. `unreadable`: of another type, or not text.
   */
  readonly open: (
    payloadType: string,
    envelope: Envelope,
    known: ReadonlyArray<PublicKey>
  ) => Effect.Effect<string, "unknown_key" | "bad_signature" | "unreadable">
  readonly hash: Hash
}>()("web-grounding/application/audit/MakeAnchors/AnchorKeys") {}

/** An anchor was not delivered. It is sent again with the next one. */
export class AnchorNotShipped extends Schema.TaggedError<AnchorNotShipped>()("AnchorNotShipped", {
  outlet: Schema.Literals(["ANCHOR_FILE", "ANCHOR_COMMAND"]),
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.outlet}: ${this.problem}`
  }
}

/** Ships anchors to the configured file and command, out of the database administrator's reach. */
export class AnchorOutlets extends Context.Service<AnchorOutlets, {
  readonly isSet: boolean
  /** Ships to each outlet, even if another fails. The same anchor may arrive twice. */
  readonly ship: (envelope: Envelope) => Effect.Effect<void, AnchorNotShipped>
  /** Lines of the file, as anchors; `undefined` for a line that is none. Absent: no file is set. */
  readonly recorded: Effect.Effect<
    ReadonlyArray<Envelope | undefined> | undefined,
    AnchorNotShipped
  >
}>()("web-grounding/application/audit/MakeAnchors/AnchorOutlets") {}

/** More than a hundred years of one an hour. */
export const anchorsMax = 1_000_000

/** Oldest first. One whose signature does not verify is left out: `VerifyLog` reports it. */
export const list = Effect.gen(function*() {
  const { keys: known, list } = yield* AnchorLedger
  const { open } = yield* AnchorKeys
  const keys = yield* known
  const opened = yield* Effect.forEach(
    yield* list(0, anchorsMax),
    ({ envelope }) =>
      open(MerkleTree.payloadType, envelope, keys).pipe(
        Effect.flatMap(decodeStatement),
        Effect.option
      )
  )
  return Arr.getSomes(opened)
})
