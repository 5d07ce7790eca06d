/** Faults of what stands between the service and its database: poolers and standbys. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const poolers = ["test/faults/poolers.test.ts"] as const
const standby = ["test/faults/standby.test.ts"] as const
const embedded = ["test/infrastructure/EmbeddedPostgres.test.ts"] as const
const freshness = ["test/infrastructure/StandbyFreshness.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("src/infrastructure/postgres/PostgresServer.ts", poolers, [
    {
      id: "pooler-named",
      text: "pooler === \"none\" ? \"named\" : \"unnamed\"",
      replacement: "\"named\"",
      means: "behind a pooler statements fail whenever two callers share a connection",
      tests: ["test/contract/PooledPostgres.test.ts"]
    },
    {
      id: "pooler-role",
      text: "return misfits.length === 0 ? undefined : { _tag: \"RoleSettings\"",
      replacement: "return misfits.length >= 0 ? undefined : { _tag: \"RoleSettings\"",
      means: "behind a pooler statements run without a ceiling and times in the server's zone"
    },
    {
      id: "pooler-options",
      text: "return misfits.length === 0 ? undefined : { _tag: \"SettingsLost\"",
      replacement: "return misfits.length >= 0 ? undefined : { _tag: \"SettingsLost\"",
      means: "an address with options of its own makes times come in the server's zone"
    },
    {
      id: "standby-served",
      text: "if (isStandby) return yield*",
      replacement: "if (isStandby && options.poolMax === 0) return yield*",
      means: "the service starts on a standby and fails with the first append",
      tests: standby
    }
  ]),
  ...faultsIn("src/infrastructure/postgres/EmbeddedPostgres.ts", embedded, [{
    id: "embedded-compiled",
    text: "[\"--no-wasm-tier-up\", \"--no-wasm-dynamic-tiering\"]",
    replacement: "[\"--no-wasm-tier-up\"]",
    means: "each command holds 600 MB more and computes 0.6 s longer"
  }]),
  ...faultsIn("src/infrastructure/postgres/Pool.ts", poolers, [{
    id: "pooler-zone",
    text: "if (hours === \"+00\" && minutes === \"00\") return",
    replacement: "if (hours !== undefined) return",
    means: "a role that gets another zone shifts every time that is read by hours"
  }, {
    id: "pooler-parameters",
    text: "...(pooler === \"none\" ? startupOf(ceilings) : {}),",
    replacement: "...startupOf(ceilings),",
    means: "no pooler lets the service in"
  }]),
  ...faultsIn("src/infrastructure/postgres/ServerSession.ts", poolers, [
    {
      id: "pooler-unseen",
      text: "isPooled: row?.pid !== pid,",
      replacement: "isPooled: row?.pid === undefined,",
      means: "a pooler that nobody told of is told of as something else, or not at all"
    },
    {
      id: "pooler-ceiling",
      text: "Number(ms) > 0 && (pooler === \"none\" || Number(ms) <= msMax)",
      replacement: "Number(ms) > 0",
      means: "statements run longer than the operator allowed"
    }
  ]),
  ...faultsIn("src/infrastructure/postgres/Migrations.ts", poolers, [{
    id: "migrations-session-lock",
    text: "select pg_advisory_xact_lock(7265000)",
    replacement: "select pg_advisory_lock(7265000)",
    means: "a pooler's connection keeps the lock, and the next release waits for ever"
  }]),
  ...faultsIn("src/adapters/postgres/SettledLog.ts", standby, [{
    id: "standby-settled",
    text: "if (row?.is_standby === true)",
    replacement: "if (row?.is_standby === undefined)",
    means: "readers pass events that are written a moment later, and never see them"
  }]),
  ...faultsIn("src/infrastructure/postgres/HotStandby.ts", standby, [
    {
      id: "standby-other",
      text: "if (mismatch === \"another server\")",
      replacement: "if (there === undefined && mismatch === \"another server\")",
      means: "a wrong address of the standby is told in a log line alone"
    },
    {
      id: "standby-silent",
      text: "    Effect.timeoutOrElse({\n      duration: answerMsMax,",
      replacement: "    Effect.timeoutOrElse({\n      duration: answerMsMax * 1_000_000,",
      means: "a standby that fell silent once is looked at no more"
    },
    {
      id: "standby-waited",
      text: "reason._tag === \"Unreachable\"",
      replacement: "reason._tag === \"MalformedUrl\"",
      means: "the service does not start while its standby is away"
    },
    {
      id: "standby-late",
      text: "Effect.flatMap(isFresh, (fresh) =>",
      replacement: "Effect.flatMap(Ref.get(isExamined), (fresh) =>",
      means: "lists come from a standby however late it is"
    }
  ]),
  ...faultsIn("src/infrastructure/postgres/StandbyFreshness.ts", freshness, [
    {
      id: "standby-reached",
      text: "ahead.filter(({ place }) => place <= to)",
      replacement: "ahead.filter(({ place }) => place >= 0n)",
      means: "a standby whose replay stands still counts as fresh"
    },
    {
      id: "standby-bound",
      text: "nowMs - asOfMs <= lagMsMax",
      replacement: "nowMs - asOfMs <= 1_000 * lagMsMax",
      means: "lists lag a thousand times longer than the operator allowed"
    },
    {
      id: "standby-timeline",
      text: "return standby.timeline === primary.timeline ?",
      replacement: "return standby.system === primary.system ?",
      means: "after a failover lists come from a standby of the server that is gone"
    },
    {
      id: "standby-marks",
      text: ".slice(-marksMax)",
      replacement: "",
      means: "memory grows for as long as the standby is away"
    }
  ]),
  ...faultsIn("src/application/EraseSubject.ts", standby, [{
    id: "standby-erasure",
    text: "Effect.provideService(ReadFrom, \"store\")",
    replacement: "Effect.provideService(ReadFrom, \"standby\")",
    means: "an erasure leaves the sessions of a person that the standby does not have yet"
  }])
]
