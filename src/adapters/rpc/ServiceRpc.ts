/** Everything that the service answers over RPC: what callers ask, and what operators do. */
import { Effect, type Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import * as Input from "../../contract/Input.ts"
import { operations } from "../../contract/Operations.ts"
import { operatorOperations } from "../../contract/OperatorOperations.ts"
import type { InvalidInput } from "../../contract/PublicFailure.ts"
import { GroundingRpc, schemasOf } from "./GroundingRpc.ts"

export class OperatorRpc extends RpcGroup.make(
  Rpc.make("ListSessions", schemasOf(operatorOperations.ListSessions)),
  Rpc.make("GetSessionTimeline", schemasOf(operatorOperations.GetSessionTimeline)),
  Rpc.make("GetCitedPack", schemasOf(operatorOperations.GetCitedPack)),
  Rpc.make("GetActivity", schemasOf(operatorOperations.GetActivity)),
  Rpc.make("GetUsage", schemasOf(operatorOperations.GetUsage)),
  Rpc.make("ListAlerts", schemasOf(operatorOperations.ListAlerts)),
  Rpc.make("GetReceipt", schemasOf(operatorOperations.GetReceipt)),
  Rpc.make("ReplaySession", schemasOf(operatorOperations.ReplaySession)),
  Rpc.make("ReplaySessions", schemasOf(operatorOperations.ReplaySessions)),
  Rpc.make("WhatIfSession", schemasOf(operatorOperations.WhatIfSession)),
  Rpc.make("WhatIfSessions", schemasOf(operatorOperations.WhatIfSessions)),
  Rpc.make("ExportSessions", schemasOf(operatorOperations.ExportSessions)),
  Rpc.make("VerifyLog", schemasOf(operatorOperations.VerifyLog)),
  Rpc.make("EraseSession", schemasOf(operatorOperations.EraseSession)),
  Rpc.make("EraseSubject", schemasOf(operatorOperations.EraseSubject)),
  Rpc.make("SetLegalHold", schemasOf(operatorOperations.SetLegalHold)),
  Rpc.make("ListErasures", schemasOf(operatorOperations.ListErasures)),
  Rpc.make("CheckReadiness", schemasOf(operatorOperations.CheckReadiness)),
  Rpc.make("GetProjections", schemasOf(operatorOperations.GetProjections)),
  Rpc.make("RebuildProjections", schemasOf(operatorOperations.RebuildProjections)),
  Rpc.make("CollectEvidence", schemasOf(operatorOperations.CollectEvidence)),
  Rpc.make("CollectPage", schemasOf(operatorOperations.CollectPage)),
  Rpc.make("PromoteEvidence", schemasOf(operatorOperations.PromoteEvidence)),
  Rpc.make("RemoveEvidence", schemasOf(operatorOperations.RemoveEvidence)),
  Rpc.make("ReembedEvidence", schemasOf(operatorOperations.ReembedEvidence)),
  Rpc.make("GatherEvidence", schemasOf(operatorOperations.GatherEvidence)),
  Rpc.make("GetEvidenceStatus", schemasOf(operatorOperations.GetEvidenceStatus)),
  Rpc.make("CreateToken", schemasOf(operatorOperations.CreateToken)),
  Rpc.make("ListTokens", schemasOf(operatorOperations.ListTokens)),
  Rpc.make("RevokeToken", schemasOf(operatorOperations.RevokeToken))
) {}

export class ServiceRpc extends GroundingRpc.merge(OperatorRpc) {}

type Check = (input: unknown) => Effect.Effect<unknown, InvalidInput>

const checkOf = (schema: Schema.Codec<unknown, unknown>): Check => Input.decode(schema)

const checks: ReadonlyMap<string, Check> = new Map(
  Object.entries({ ...operations, ...operatorOperations })
    .map(([name, { input }]): [string, Check] => [name, checkOf(input)])
)

/** Decodes the input of a method, and drops what was decoded: the use case decodes it again. */
export const checkInput = (name: string, input: unknown): Effect.Effect<unknown, InvalidInput> =>
  checks.get(name)?.(input) ?? Effect.void
