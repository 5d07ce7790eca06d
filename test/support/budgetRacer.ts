/** A process whose callers all want a search of the same sessions at the same time. */
import { Effect, Layer, Redacted } from "effect"
import * as SessionLog from "../../src/application/log/SessionLog.ts"
import { rulesVersion } from "../../src/domain/session/RulesVersion.ts"
import { proposeNeed, type SessionCommand, tellFact } from "../../src/domain/session/Session.ts"
import { CallStarted, QueryPlanned, Requested } from "../../src/domain/session/SessionEvent.ts"
import * as PostgresServer from "../../src/infrastructure/postgres/PostgresServer.ts"
import { ids } from "../../src/wiring/Storage.ts"
import * as PlainEventStore from "./plainEventStore.ts"
import { endWith } from "./processes.ts"
import { callStarted, moment, need, requestOf, rung } from "./sessionFacts.ts"

export interface Race {
  readonly databaseUrl: string
  readonly sessions: ReadonlyArray<string>
  readonly callers: number
  readonly tier: "standard" | "premium"
}

const tenant_id = "race"

const storeOf = ({ databaseUrl }: Race) =>
  PlainEventStore.layer.pipe(
    Layer.provide(PostgresServer.layer({
      url: Redacted.make(databaseUrl),
      poolMax: 8,
      durability: "unchecked"
    }))
  )

const caller = Effect.fnUntraced(function*(race: Race, session_id: string, request_id: string) {
  const request = requestOf({
    session_id,
    request_id,
    topic: request_id,
    tier: race.tier,
    phase: "mid_chat",
    user_asked_for_facts: true
  })
  const commands: ReadonlyArray<SessionCommand> = [
    tellFact(Requested.make({
      request_id,
      request,
      requested_at: moment,
      policy: { pages_max: 5, chunks_max: 6, evidence_chars_max: 1_400 },
      boundary: "0",
      rules_version: rulesVersion
    })),
    proposeNeed({ request_id, proposed: need, rung }),
    tellFact(QueryPlanned.make({
      request_id,
      plan: { queries: ["one"], must_have_evidence: [], stop_conditions: [] },
      rung
    })),
    tellFact(
      CallStarted.make({ ...withoutTag(callStarted(0, { request_id })), call_id: request_id })
    )
  ]
  const started = yield* SessionLog.load({ tenant_id, session_id })
  let loaded: SessionLog.Loaded = started
  for (const command of commands) loaded = yield* SessionLog.handle(loaded, command, "racer")
})

const withoutTag = <Fields extends { readonly _tag: string }>({ _tag, ...fields }: Fields) => fields

/** Refusals are what most callers must get. */
const run = (race: Race, process: string) =>
  Effect.forEach(race.sessions, (session) =>
    Effect.forEach(
      Array.from({ length: race.callers }, (_, index) => `${process}-${index}`),
      (request) => Effect.ignore(caller(race, session, request)),
      { concurrency: "unbounded", discard: true }
    ), { concurrency: 4, discard: true }).pipe(Effect.provide(Layer.merge(storeOf(race), ids)))

if (process.argv[2] !== undefined && process.argv[1]?.includes("budgetRacer.")) {
  const race: Race = JSON.parse(process.argv[2])
  endWith(Effect.runPromise(run(race, String(process.pid))))
}
