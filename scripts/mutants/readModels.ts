/** Faults of the read models' tables. */
import type { Mutant } from "./Mutant.ts"

const models = "src/adapters/postgres/models/PostgresReadModels.ts"
const rows = "src/adapters/postgres/models/ReadModelStatements.ts"
const pages = "src/adapters/postgres/models/CommittedPages.ts"
const gathered = "src/adapters/postgres/grouped/Gathered.ts"
const gatheredTests = ["test/contract/Gathered.test.ts"] as const
const modelTests = ["test/contract/PostgresReadModels.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "models-take-held",
    file: rows,
    text: "or lease_until < now())",
    replacement: "or lease_until > now())",
    means: "two processes write one read model",
    tests: modelTests
  },
  {
    id: "models-take-for-ever",
    file: rows,
    text: `(lease_owner is null or lease_owner = \${owner} or lease_until < now())`,
    replacement: `(lease_owner is null or lease_owner = \${owner})`,
    means: "a read model stands still for ever after its owner was killed",
    tests: modelTests
  },
  {
    id: "models-token-stands",
    file: rows,
    text: `lease_token = own.lease_token + (own.lease_owner is distinct from \${owner})::int`,
    replacement: "lease_token = own.lease_token",
    means: "a late owner that comes back writes over the next one's rows",
    tests: modelTests
  },
  {
    id: "models-any-token",
    file: rows,
    text: "and own.lease_owner = given.owner and own.lease_token = given.token",
    replacement: "and own.lease_owner = given.owner",
    means: "an owner's earlier lease still writes",
    tests: modelTests
  },
  {
    id: "models-any-owner",
    file: rows,
    text: "and own.lease_owner = given.owner and own.lease_token = given.token",
    replacement: "and own.lease_token = given.token",
    means: "a lease that ended still writes",
    tests: modelTests,
    equivalent:
      "Whoever takes a lease from another owner raises its token, so the token tells it too; " +
      "the owner is told beside it for who reads the table."
  },
  {
    id: "models-any-position",
    file: rows,
    text: "and own.position = given.position",
    replacement: "and own.position is not null",
    means: "a page that was taken twice counts twice",
    tests: modelTests
  },
  {
    id: "models-spoilt-together",
    file: pages,
    text: "Effect.forEach(writes, alone)",
    replacement: "Effect.succeed(writes.map(() => exit))",
    means: "one event that one read model cannot take in keeps all of them from reading on",
    tests: modelTests
  },
  {
    id: "models-twice-together",
    file: pages,
    text: "moved.size < writes.length",
    replacement: "moved.size === 0",
    means:
      "a page that is taken twice at the same moment counts twice, and one without a lease too",
    tests: modelTests
  },
  {
    id: "models-rows-mixed",
    file: pages,
    text: "loaded.get(Statements.idOf(id))?.map",
    replacement: "[...loaded.values()].flat().map",
    means: "a projection folds on from another one's rows of the same key",
    tests: modelTests
  },
  {
    id: "gathered-impatient",
    file: gathered,
    text: "nowMs - ms < lateAfterMs",
    replacement: "nowMs - ms < 0",
    means: "under load appends go in many small groups",
    tests: gatheredTests
  },
  {
    id: "gathered-behind-the-stuck",
    file: gathered,
    text: "      beginLate()\n",
    replacement: "",
    means: "a lock on one stream holds all appends of the process up",
    tests: gatheredTests
  },
  {
    id: "gathered-never-beside",
    file: gathered,
    text: "inTime === 1 && waiting.length >= besideFrom",
    replacement: "inTime === 1 && waiting.length < 0",
    means: "this process waits while the database works, and the other way round",
    tests: gatheredTests
  },
  {
    id: "gathered-always-beside",
    file: gathered,
    text: "inTime === 1 && waiting.length >= besideFrom",
    replacement: "inTime < groupsMax && waiting.length >= besideFrom",
    means: "under load appends go in as many groups as may be under way",
    tests: gatheredTests
  },
  {
    id: "gathered-unshared",
    file: gathered,
    text: "waiting.length < 2 * besideFrom",
    replacement: "waiting.length > 0",
    means: "all that wait go in one group, and none is made up meanwhile",
    tests: gatheredTests
  },
  {
    id: "gathered-without-the-answered",
    file: gathered,
    text: "if (waiting.length > 0) beginSoon()",
    replacement: "begin()",
    means: "writers that wait for their answers go in two groups by turns, each half as large",
    tests: gatheredTests
  },
  {
    id: "gathered-lone-waits",
    file: gathered,
    text: "&& sizeOfLast === 1 &&",
    replacement: "&& sizeOfLast < 0 &&",
    means: "whoever appends one after the other waits a turn of the event loop for nobody",
    tests: gatheredTests
  },
  {
    id: "gathered-each-alone",
    file: gathered,
    text: "&& sizeOfLast === 1 &&",
    replacement: "&& sizeOfLast > 0 &&",
    means: "the first of all that call at once goes alone, and the others wait for it",
    tests: gatheredTests
  },
  {
    id: "gathered-readers-apart",
    file: gathered,
    text: "if (follower === \"at once\" && sizeOfLast",
    replacement: "if (sizeOfLast",
    means: "read models that ask at the same moment are answered by two statements",
    tests: gatheredTests
  },
  {
    id: "gathered-one-group",
    file: gathered,
    text: "        waiting = rest\n",
    replacement: "        waiting = []\n",
    means: "whoever asks for more than one group takes is never answered",
    tests: gatheredTests
  },
  {
    id: "gathered-unwaited",
    file: gathered,
    text: "waiting = waiting.filter((one) => one !== own)",
    replacement: "waiting = [...waiting]",
    means: "what nobody waits for any more is written all the same",
    tests: gatheredTests
  },
  {
    id: "gathered-outside-transaction",
    file: gathered,
    text: "isInside ? alone(call) : together(call)",
    replacement: "isInside ? together(call) : together(call)",
    means: "a statement of a transaction stands when it is rolled back, or waits for it for ever",
    tests: gatheredTests
  },
  {
    id: "gathered-for-ever",
    file: gathered,
    text: "if (expiry === undefined || isExpiring ||",
    replacement: "if (expiry !== undefined || isExpiring ||",
    means: "an append waits without limit while the statements before it hang",
    tests: gatheredTests
  },
  {
    id: "gathered-expired-all",
    file: gathered,
    text: "untilMs(call) <= nowMs",
    replacement: "untilMs(call) > 0",
    means: "whoever waits for a moment while others are under way is refused",
    tests: gatheredTests
  },
  {
    id: "gathered-expired-once",
    file: gathered,
    text: "        expire()\n      })",
    replacement: "      })",
    means: "whose time is over later than others' waits without limit",
    tests: gatheredTests
  },
  {
    id: "gathered-no-ceiling",
    file: gathered,
    text: "if (begunMs.size >= groupsMax) return 0",
    replacement: "if (begunMs.size >= Infinity) return 0",
    means: "as many groups are sent at once as there are calls",
    tests: gatheredTests
  },
  {
    id: "models-corrected-apart",
    file: "src/adapters/postgres/models/PostgresReadModels.ts",
    text: `          const rows = yield* load(id, keys)
          yield* CommittedPages.save(`,
    replacement: `          const rows = yield* load(id, keys)
          yield* postgres.run((db) => Statements.drop(id).execute(db))
          yield* CommittedPages.save(`,
    means: "a correction takes away the rows that were right",
    tests: modelTests
  },
  {
    id: "models-halted-corrected",
    file: rows,
    text: `and state in ('running', 'rebuilding') for update`,
    replacement: "for update",
    means: "a read model is changed after an operator has halted it",
    tests: modelTests
  },
  {
    id: "models-halted-write",
    file: rows,
    text: `        and own.state in ('running', 'rebuilding')
      returning own.consumer_id\``,
    replacement: "      returning own.consumer_id`",
    means: "a read model goes on after an operator has halted it",
    tests: modelTests
  },
  {
    id: "models-load-any-version",
    file: rows,
    text: "idOf({ model, version: model_version })",
    replacement: "idOf({ model, version: Math.min(model_version, 1) })",
    means: "a rebuild folds on without the rows that it wrote before",
    tests: modelTests
  },
  {
    id: "models-remove-any-version",
    file: rows,
    text: `using \${given(rows)} where \${isGiven}`,
    replacement: `using \${given(rows)}
      where own.model = given.model and own.key = given.key`,
    means: "a rebuild takes away rows that readers still see",
    tests: modelTests
  },
  {
    id: "models-retired-token",
    file: rows,
    text: "lease_token = lease_token + 1, updated_at",
    replacement: "updated_at",
    means: "what a retired model's last owner still commits is taken",
    tests: modelTests,
    equivalent:
      "A retired model has no owner and is not taken again, and a commit needs both; the token " +
      "is a second fence."
  },
  {
    id: "models-retired-runs",
    file: rows,
    text: "set state = 'retired', lease_owner = null",
    replacement: "set state = 'running', lease_owner = null",
    means: "an old release writes its version of the model on",
    tests: modelTests
  },
  {
    id: "models-older-lets-in",
    file: rows,
    text: `when model_version < \${version} then 'rebuilding'`,
    replacement: `when model_version <> \${version} then 'rebuilding'`,
    means: "an older release takes the read model back to its own version",
    tests: modelTests
  },
  {
    id: "models-halt-any",
    file: rows,
    text: `lease_until = null, updated_at = now()
      where consumer_id = \${consumer} and lease_owner = \${lease.owner}
        and lease_token = \${lease.token}::bigint
      returning`,
    replacement: `lease_until = null, updated_at = now()
      where consumer_id = \${consumer} and lease_owner = \${lease.owner}
        and \${lease.token}::bigint > 0
      returning`,
    means: "an earlier lease halts a read model that goes on well",
    tests: modelTests
  },
  {
    id: "models-release-any",
    file: rows,
    text: `lease_until = null
      where consumer_id = \${consumer} and lease_owner = \${lease.owner}
        and lease_token = \${lease.token}::bigint\``,
    replacement: `lease_until = null
      where consumer_id = \${consumer} and lease_owner = \${lease.owner}
        and \${lease.token}::bigint > 0\``,
    means: "an earlier lease gives back the later one",
    tests: modelTests
  },
  {
    id: "models-range-until",
    file: rows,
    text: `and own.key >= \${from} and own.key < \${until}`,
    replacement: `and own.key >= \${from} and own.key <= \${until}`,
    means: "a report of a day counts the first minute of the next",
    tests: modelTests
  },
  {
    id: "models-range-order",
    file: rows,
    text: `order by own.key limit \${limit}`,
    replacement: `limit \${limit}`,
    means: "a report that is cut shows minutes by chance",
    tests: modelTests
  },
  {
    id: "models-range-any-version",
    file: rows,
    text: "on own.model = live.model and own.model_version = live.model_version",
    replacement: "on own.model = live.model",
    means: "readers see rows of two versions mixed",
    tests: modelTests
  },
  {
    id: "models-early-switch",
    file: models,
    text: `if (BigInt(shown?.position ?? "0") > BigInt(own.position)) return lease`,
    replacement: "",
    means: "a rebuilt model goes live before it has caught up, and figures drop",
    tests: modelTests
  },
  {
    id: "models-switch-any-token",
    file: models,
    text: `own.lease_token !== lease.token
`,
    replacement: `false
`,
    means: "an earlier lease switches a model while the next one still builds it",
    tests: modelTests
  },
  {
    id: "models-switch-any-owner",
    file: models,
    text: `own.state !== "rebuilding" || own.lease_owner !== lease.owner ||`,
    replacement: `own.state !== "rebuilding" ||`,
    means: "a process without the lease switches a model",
    tests: modelTests
  },
  {
    id: "models-old-rows-stay",
    file: models,
    text: "yield* postgres.run((db) => Statements.drop(old).execute(db))",
    replacement: "",
    means: "each rebuild leaves its old rows in the table for ever",
    tests: modelTests
  },
  {
    id: "models-rows-apart",
    file: pages,
    text: "postgres.transaction(Effect.gen(function*() {\n      yield* advance",
    replacement: "Effect.scoped(Effect.gen(function*() {\n      yield* advance",
    means: "a crash between checkpoint and rows loses a page for ever",
    tests: modelTests
  },
  {
    id: "models-refusal-outage",
    file: models,
    text: "const refusal = /^(22|23|54)/",
    replacement: "const refusal = /^(99)/",
    means: "one row that the database refuses stops the read model for ever",
    tests: modelTests
  },
  {
    id: "models-letters-twice",
    file: rows,
    text: `on conflict (consumer_id, position) do update
        set attempts = excluded.attempts, error = excluded.error, parked_at = now()`,
    replacement: "",
    means: "an event that is set aside a second time stops the read model",
    tests: modelTests
  }
]
