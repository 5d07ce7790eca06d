/** Anchors, their public keys and the lease for making them, in three tables. */
import { Effect, Layer, Schema } from "effect"
import { type RawBuilder, sql } from "kysely"
import { AnchorLedger, AnchorsUnavailable } from "../../application/audit/MakeAnchors.ts"
import { Envelope } from "../../domain/audit/MerkleTree.ts"
import { Postgres, rowsIn } from "../../infrastructure/postgres/Postgres.ts"
import * as LogStatements from "./LogStatements.ts"

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  treeSize: Schema.Number,
  lastPosition: Schema.BigIntFromString,
  frontier: Schema.Struct({ size: Schema.Number, hashes: Schema.Array(Schema.String) }),
  envelope: Envelope,
  isShipped: Schema.Boolean
})))

const anchors = sql`select tree_size::float8 as "treeSize", last_position::text as "lastPosition",
  jsonb_build_object('size', tree_size, 'hashes', frontier) as frontier, envelope,
  shipped as "isShipped" from wg.anchors`

export const layer = Layer.effect(
  AnchorLedger,
  Effect.gen(function*() {
    const postgres = yield* Postgres
    const rowsOf = rowsIn(postgres)
    const changed = (operation: string, statement: RawBuilder<unknown>) =>
      LogStatements.once(rowsOf(statement)).pipe(Effect.catch(unavailable(operation)))
    const kept = (operation: string, statement: RawBuilder<unknown>) =>
      LogStatements.idempotent(rowsOf(statement)).pipe(
        Effect.flatMap(decodeRows),
        Effect.catch(unavailable(operation))
      )
    const first = (operation: string, statement: RawBuilder<unknown>) =>
      Effect.map(kept(operation, statement), ([anchor]) => anchor)

    return AnchorLedger.of({
      list: (afterSize, limit) =>
        kept(
          "list",
          sql`${anchors} where tree_size > ${afterSize} order by tree_size
          limit ${limit}`
        ),
      newest: first("newest", sql`${anchors} order by tree_size desc limit 1`),
      covering: (position, keyId) =>
        first(
          "covering",
          sql`${anchors} where last_position >= ${String(position)}::bigint
          and envelope -> 'signatures' @> ${JSON.stringify([{ keyid: keyId }])}::jsonb
          order by tree_size limit 1`
        ),
      before: (position) =>
        first(
          "before",
          sql`${anchors} where last_position < ${String(position)}::bigint
          order by tree_size desc limit 1`
        ),
      add: ({ envelope, frontier, lastPosition, treeSize }) =>
        Effect.map(
          changed(
            "add",
            sql`insert into wg.anchors (tree_size, last_position, frontier, envelope)
            select ${treeSize}::bigint, ${String(lastPosition)}::bigint,
              ${JSON.stringify(frontier.hashes)}::jsonb, ${JSON.stringify(envelope)}::jsonb
            where not exists (select from wg.anchors where tree_size >= ${treeSize}::bigint)
            on conflict do nothing returning tree_size`
          ),
          (rows) => rows.length > 0
        ),
      unshipped: (limit) =>
        kept("unshipped", sql`${anchors} where not shipped order by tree_size limit ${limit}`),
      markShipped: (treeSize) =>
        Effect.asVoid(changed(
          "mark as shipped",
          sql`update wg.anchors set shipped = true where tree_size = ${treeSize}`
        )),
      keys: LogStatements.idempotent(
        rowsOf(sql<{ keyId: string; pem: string }>`select key_id as "keyId", public_key as pem
          from wg.anchor_keys order by recorded_at, key_id`)
      ).pipe(Effect.catch(unavailable("keys"))),
      addKey: ({ keyId, pem }) =>
        Effect.asVoid(changed(
          "add a key",
          sql`insert into wg.anchor_keys (key_id, public_key)
          values (${keyId}, ${pem}) on conflict do nothing`
        )),
      claim: (owner, turnMs) =>
        Effect.map(
          changed(
            "claim",
            sql`insert into wg.anchor_turn as turn (owner, until)
            values (${owner}, now() + ${turnMs} * interval '1 millisecond')
            on conflict (one) do update set owner = excluded.owner, until = excluded.until
            where turn.until < now() returning owner`
          ),
          (rows) => rows.length > 0
        ),
      release: (owner) =>
        Effect.asVoid(changed(
          "release",
          sql`update wg.anchor_turn set until = '-infinity' where owner = ${owner}`
        ))
    })
  })
)

const unavailable = (operation: string) => (cause: unknown) =>
  new AnchorsUnavailable({ operation, cause })
