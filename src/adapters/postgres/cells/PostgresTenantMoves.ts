/** Moves of tenants that a cell's database knows of, for whoever serves from it. */
import { Effect, Layer } from "effect"
import { sql } from "kysely"
import type { MoveState } from "../../../application/cells/CellStore.ts"
import { TenantMoves } from "../../../application/cells/TenantMoves.ts"
import { EventStoreUnavailable } from "../../../application/ports/EventStore.ts"
import { Postgres } from "../../../infrastructure/postgres/Postgres.ts"

export const moves = ({ run }: Postgres["Service"]) =>
  Effect.map(
    run((db) =>
      sql<{
        readonly tenant_id: string
        readonly state: MoveState
        readonly cell: string
      }>`select tenant_id, state, cell from wg.tenant_moves order by tenant_id`.execute(db)
    ),
    ({ rows }) => rows.map(({ cell, state, tenant_id }) => ({ tenantId: tenant_id, state, cell }))
  )

export const layer = Layer.effect(
  TenantMoves,
  Effect.map(Postgres, (postgres) => ({
    all: Effect.mapError(
      moves(postgres),
      (cause) => new EventStoreUnavailable({ operation: "cells", cause })
    )
  }))
)
