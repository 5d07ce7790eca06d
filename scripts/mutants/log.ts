/** Faults of the log and its clock in PostgreSQL. */
import type { Mutant } from "./Mutant.ts"

const log = "src/adapters/postgres/LogStatements.ts"
const group = "src/adapters/postgres/GroupAppend.ts"
const groupTexts = "src/adapters/postgres/GroupStatements.ts"
const arrays = "src/infrastructure/postgres/ArrayParameter.ts"
const store = "src/adapters/postgres/PostgresEventStore.ts"
const heads = "src/adapters/postgres/grouped/StreamHeads.ts"
const headChecks = "migrations/0022_newest_event_first.ts"
const headTests = ["test/contract/StreamHeads.test.ts"] as const
const streamKeys = "src/adapters/postgres/StreamKeys.ts"
const settled = "src/adapters/postgres/SettledLog.ts"
const mark = "src/adapters/postgres/Watermark.ts"
const clock = "src/adapters/postgres/DatabaseClock.ts"
const logTests = ["test/contract/PostgresEventStore.test.ts"] as const
const tailTests = [
  "test/contract/PostgresEventStore.test.ts",
  "test/faults/liveTail.test.ts"
] as const
const markTests = ["test/adapters/Watermark.test.ts"] as const
const clockTests = ["test/adapters/DatabaseClock.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "group-refusal-closes",
    file: "src/infrastructure/postgres/Postgres.ts",
    text: "release(error && isRefusal(error) ? undefined : error)",
    replacement: "release(error)",
    means:
      "a statement that the embedded store refuses takes its one connection from all that follow",
    tests: ["test/contract/EmbeddedEventStore.test.ts"]
  },
  {
    id: "group-any-head",
    file: groupTexts,
    text: `
          and own.version = given.version and own.head_hash = given.before`,
    replacement: "",
    means: "under load a writer goes on from a head that has passed",
    tests: logTests,
    equivalent:
      "The trigger on heads and the unique index on versions refuse the group then, and each goes " +
      "alone, by the statement that looks."
  },
  {
    id: "group-erased",
    file: groupTexts,
    text: `
          and own.erased_at is null`,
    replacement: "",
    means: "under load what a person had erased is written on",
    tests: logTests
  },
  {
    id: "group-scans",
    file: groupTexts,
    text: "where given.version > 0 and given.count > 0 and",
    replacement: "where given.version > 0 and",
    means: "a connection that planned while there were few streams reads all of them ever after",
    tests: ["test/faults/logPlans.test.ts"]
  },
  {
    id: "group-word-null",
    file: "src/adapters/postgres/AppendStatement.ts",
    text: "textArray(events.map(({ draft }) => draft.type))",
    replacement: "plainArray(events.map(({ draft }) => draft.type))",
    means: "a type of event that is a word of the server's fails every append of its group",
    tests: logTests,
    equivalent: "The group is refused, and each append goes alone, where the type is a parameter."
  },
  {
    id: "group-wrong-kind",
    file: group,
    text: "ofOwn.filter(({ head }) => head.version > 0)",
    replacement: "ofOwn.filter(({ head }) => head.version > 1)",
    means: "an append among others is answered by none of the statements",
    tests: logTests,
    equivalent: "What no group answers goes alone: it costs a statement of its own."
  },
  {
    id: "group-conflict-spreads",
    file: group,
    text: "byStream.get(streamId) ?? []",
    replacement: "byStream.size < appends.length ? [] : byStream.get(streamId) ?? []",
    means: "one conflict fails its neighbours in the group, which then try again without end",
    tests: logTests,
    equivalent:
      "A neighbour that is told of a conflict looks, finds its own events by their ids, and goes " +
      "on: it costs a reading each."
  },
  {
    id: "group-conflict-fails-all",
    file: group,
    text: "onFailure: () => [],",
    replacement: "onFailure: (cause) => appends.map((append) => [append, Exit.fail(cause)]),",
    means: "one append that the database refuses fails all that came at the same moment",
    tests: logTests
  },
  {
    id: "group-rows-mixed",
    file: group,
    text: "byStream.get(streamId) ?? []",
    replacement: "[...byStream.values()][0] ?? byStream.get(streamId) ?? []",
    means: "an append is told the positions of another one, and a conflict is told as a success",
    tests: logTests
  },
  {
    id: "group-order",
    file: groupTexts,
    text: "order by event.place",
    replacement: "order by event.place desc",
    means: "readers of the whole log are given a session's facts in another order",
    tests: logTests
  },
  {
    id: "group-twins",
    file: group,
    text: "const ofOwn = firstOfEachStream(appends)",
    replacement: "const ofOwn = firstOfEachStream([]).concat(appends)",
    means: "two appends at one head spoil a group for all others",
    tests: logTests,
    equivalent: "The unique index on stream and version refuses the group, and each goes alone."
  },
  {
    id: "array-bytes",
    file: arrays,
    text: "Buffer.byteLength(text) + versionBytes",
    replacement: "text.length + versionBytes",
    means: "a text in another script than ours is cut, or breaks the statement",
    tests: ["test/infrastructure/ArrayParameter.test.ts"]
  },
  {
    id: "array-bytea-text",
    file: arrays,
    text: "hexes.join(`\",\"\\\\\\\\x`)",
    replacement: "hexes.join(`\",\"`)",
    means: "seals of all but the first event of a group are stored as the text of their digits",
    tests: ["test/infrastructure/ArrayParameter.test.ts"]
  },
  {
    id: "heads-statement-each",
    file: heads,
    text: "const callsMax = 64",
    replacement: "const callsMax = 1",
    means: "each of many repeated requests costs a statement",
    tests: headTests
  },
  {
    id: "heads-of-others",
    file: heads,
    text: "Number(row.place) - 1",
    replacement: "Number(row.place) - 2",
    means: "a request is answered by the head of another session",
    tests: headTests
  },
  {
    id: "heads-any-tenant",
    file: heads,
    text: "tenant_id = asked.ref ->> 0 and ",
    replacement: "",
    means: "a session is told the head of another tenant's session of the same name",
    tests: headTests
  },
  {
    id: "heads-fail-together",
    file: heads,
    text: ": yield* Effect.forEach(asked, alone, { concurrency: callsMax })",
    replacement: ": asked.map(() => Exit.failCause(rows.cause))",
    means: "one connection that is lost fails all requests of that moment",
    tests: headTests
  },
  {
    id: "heads-one-for-all",
    file: headChecks,
    text: "select pg_catalog.bool_and(moved.version",
    replacement: "select pg_catalog.bool_or(moved.version",
    means: "a statement that moves one head with its events moves others without",
    tests: ["test/faults/appendOnly.test.ts"]
  },
  {
    id: "heads-from-nothing",
    file: headChecks,
    text: "coalesce(before.version, 0) as before",
    replacement: "after.version - 1 as before",
    means: "a head moves over versions that nobody recorded",
    tests: ["test/faults/appendOnly.test.ts"]
  },
  {
    id: "heads-first-any-hash",
    file: headChecks,
    text: "            and ${hashOf} ${equal} after.head_hash\n",
    replacement: "",
    means: "a head is moved to a hash that no event has",
    tests: ["test/faults/appendOnly.test.ts"]
  },
  {
    id: "heads-first-gap",
    file: headChecks,
    text: "            and (event.version ${minus} 1) ${equal} ${before}\n",
    replacement: "",
    means: "a head moves over versions that nobody recorded, beside its newest event",
    tests: ["test/faults/appendOnly.test.ts"]
  },
  {
    id: "heads-first-stray",
    file: headChecks,
    text: "          order by event.version desc limit 1) is not true)",
    replacement: "            and event.version ${equal} after.version) is not true)",
    means: "an event lies behind a head, where the next append is to be",
    tests: ["test/faults/appendOnly.test.ts"]
  },
  {
    id: "heads-shadowed",
    file: headChecks,
    text: "const equal = \"operator(pg_catalog.=)\"",
    replacement: "const equal = \"=\"",
    means: "who brings operators of his own rewrites a head",
    tests: ["test/faults/appendOnly.test.ts"]
  },
  {
    id: "log-order",
    file: log,
    text: "order by version limit",
    replacement: "limit",
    means: "events are folded in the order in which the server happens to find them",
    tests: logTests
  },
  {
    id: "log-erased",
    file: log,
    text: " and erased_at is null",
    replacement: "",
    means: "what a person had erased is written on, with new personal data",
    tests: logTests
  },
  {
    id: "log-other-tenant",
    file: log,
    text: "and tenant_id = $5::text and session_id",
    replacement: "and $5::text is not null and session_id",
    means: "one tenant's events are recorded in another's stream",
    tests: logTests
  },
  {
    id: "log-other-session",
    file: log,
    text: "and session_id = $6::text and erased",
    replacement: "and $6::text is not null and erased",
    means: "one session's events are recorded in another's stream",
    tests: logTests
  },
  {
    id: "log-any-version",
    file: log,
    text: "and version = $2::int and head_hash",
    replacement: "and version >= $2::int and head_hash",
    means: "two writers both win at one version",
    tests: logTests,
    equivalent: "The hash of the head is of one version only: where it is equal, so is the version."
  },
  {
    id: "log-any-hash",
    file: log,
    text: "and head_hash = $7::bytea",
    replacement: "and $7::bytea is not null",
    means: "a head with a forged hash is written on",
    tests: logTests
  },
  {
    id: "log-read-again",
    file: log,
    text: "and version > $3::int",
    replacement: "and version >= $3::int",
    means: "the last event known is folded a second time",
    tests: logTests
  },
  {
    id: "log-read-all",
    file: log,
    text: "order by version limit $4::bigint",
    replacement: "order by version limit greatest($4::bigint, 1000)",
    means: "a reader that asks for one event gets the whole session",
    tests: logTests
  },
  {
    id: "log-page-again",
    file: log,
    text: "where position > $1::bigint order by position limit ${pageEventsMax}",
    replacement: "where position >= $1::bigint order by position limit ${pageEventsMax}",
    means: "a projection takes the last event of each page twice",
    tests: logTests
  },
  {
    id: "log-backlog-own",
    file: log,
    text: "where position > $1::bigint order by position limit $2::bigint",
    replacement: "where position >= $1::bigint order by position limit $2::bigint",
    means: "a read model that has read everything is told to lag",
    tests: logTests
  },
  {
    id: "log-page-order",
    file: log,
    text: `order by position limit \${pageEventsMax}`,
    replacement: `limit \${pageEventsMax}`,
    means: "a projection takes events in the order in which the server finds them",
    tests: logTests
  },
  {
    id: "log-streams-of-all",
    file: log,
    text: `where tenant_id = $1
        and stream_id <`,
    replacement: `where $1::text is not null
        and stream_id <`,
    means: "one tenant lists another's sessions",
    tests: logTests
  },
  {
    id: "log-streams-oldest",
    file: log,
    text: "order by stream_id desc limit $2",
    replacement: "order by stream_id limit $2",
    means: "a list of sessions shows the oldest and never the newest",
    tests: logTests
  },
  {
    id: "log-head-of-all",
    file: log,
    text: "where tenant_id = $1 and session_id = $2",
    replacement: "where tenant_id > '' and $1::text > '' and session_id = $2",
    means: "a session is read that another tenant gave the same id",
    tests: logTests
  },
  {
    id: "log-past-watermark",
    file: store,
    text: "return first === -1 ? events : events.slice(0, first)",
    replacement: "return first === -2 ? [] : events",
    means: "a projection passes an event that is not visible yet, for ever",
    tests: logTests
  },
  {
    id: "log-not-waited",
    file: settled,
    text: "if (first.settled === first.drawn) return first.settled",
    replacement: "if (first.settled <= first.drawn) return first.settled",
    means: "a reader never waits for writers, and sees its own write late",
    tests: tailTests
  },
  {
    id: "log-waits-less",
    file: settled,
    text: "if (settled >= first.drawn) return settled",
    replacement: "if (settled > first.drawn) return settled",
    means: "a reader waits half a second for what is settled already",
    tests: tailTests,
    equivalent: "The same events are read; only the wait is longer when nobody writes on."
  },
  {
    id: "log-any-retry",
    file: store,
    text: "if (!same || last === undefined) {",
    replacement: "if (last === undefined) {",
    means: "an append that lost is told that it won: its events are nowhere",
    tests: logTests
  },
  {
    id: "log-part-of-retry",
    file: store,
    text: "const same = ours.length === events.length &&",
    replacement: "const same =",
    means: "part of an append is taken for the whole",
    tests: logTests
  },
  {
    id: "log-no-ceiling",
    file: store,
    text: "if (events.length > appendEventsMax) {",
    replacement: "if (events.length > 10 * appendEventsMax) {",
    means: "an append with more parameters than the protocol takes breaks the connection",
    tests: logTests
  },
  {
    id: "log-any-ref",
    file: store,
    text: "const rows = isStorableRef(ref)",
    replacement: "const rows = isStorableRef(ref) || ref.tenant_id !== ''",
    means: "a session id with NUL in it is an outage of the log",
    tests: logTests
  },
  {
    id: "log-unsalted",
    file: streamKeys,
    text: "const erased: Payload = { data: null, salt: null }",
    replacement: `const erased: Payload = { data: null, salt: "" }`,
    means: "an erased payload is told as an edited one",
    tests: logTests
  },
  {
    id: "log-digest-for-hash",
    file: store,
    text: "hash: row.seal.slice(digestDigits, 2 * digestDigits)",
    replacement: "hash: row.seal.slice(0, digestDigits)",
    means: "every stream is told as tampered with",
    tests: logTests
  },
  {
    id: "log-head-of-first",
    file: store,
    text: "return { head: { ...head, version: last.version, hash: last.hash }, events }",
    replacement: "return { head: { ...head, version: last.version }, events }",
    means: "the second append of a session conflicts with its own first",
    tests: logTests
  },
  {
    id: "log-last-page",
    file: store,
    text: "events.length < LogStatements.pageEventsMax ? undefined : events.at(-1)",
    replacement: "events.length <= LogStatements.pageEventsMax ? undefined : events.at(-1)",
    means: "a projection reads the first thousand events and no more until it is asked again",
    tests: logTests
  },
  {
    id: "log-retry-after-later",
    file: store,
    text: "yield* read(head.ref, head.version)",
    replacement: "yield* read(head.ref, head.version + 1)",
    means: "an append that was sent twice after a lost connection is told as a conflict",
    tests: logTests
  },
  {
    id: "watermark-restored",
    file: mark,
    text: "if (reading.holders.length === 0) return { settled: reading.drawn, pending: undefined }",
    replacement: `if (reading.holders.length === 0) {
    return { settled: settled > reading.drawn ? settled : reading.drawn, pending: undefined }
  }`,
    means: "after a restore readers skip what is written anew below the old mark",
    tests: markTests
  },
  {
    id: "watermark-restored-busy",
    file: mark,
    text: "settled: least(proven ? pending.drawn : settled, reading.drawn)",
    replacement: "settled: proven ? pending.drawn : settled",
    means: "after a restore under load readers skip what is written anew",
    tests: markTests
  },
  {
    id: "watermark-any-holder",
    file: mark,
    text: "!reading.holders.some((holder) => pending.holders.includes(holder))",
    replacement: "!reading.holders.every((holder) => pending.holders.includes(holder))",
    means: "a reader passes a writer that is still at work",
    tests: markTests
  },
  {
    id: "watermark-eager",
    file: mark,
    text: "settled: least(proven ? pending.drawn : settled, reading.drawn)",
    replacement: "settled: least(proven ? reading.drawn : settled, reading.drawn)",
    means: "a reader passes writers that began after the reading it goes by",
    tests: markTests
  },
  {
    id: "watermark-starves",
    file: mark,
    text: "pending: proven || pending === undefined ? reading : pending",
    replacement: "pending: reading",
    means: "under steady load readers stand still for ever",
    tests: markTests
  },
  {
    id: "clock-never-renewed",
    file: clock,
    text: "return sinceMs >= renewAfterMs || jumpMs > jumpMsMax",
    replacement: "return jumpMs > jumpMsMax",
    means: "a process's clock drifts away from the database's",
    tests: clockTests
  },
  {
    id: "clock-jumps",
    file: clock,
    text: "return sinceMs >= renewAfterMs || jumpMs > jumpMsMax",
    replacement: "return sinceMs >= renewAfterMs",
    means: "after a sleep of the machine events are dated wrongly for half a minute",
    tests: clockTests
  },
  {
    id: "clock-stands",
    file: clock,
    text: "databaseMs: databaseMs + now.monotonicMs - monotonicMs",
    replacement: "databaseMs",
    means: "events of half a minute bear one time",
    tests: clockTests
  },
  {
    id: "clock-by-wall",
    file: clock,
    text: "databaseMs: databaseMs + now.monotonicMs - monotonicMs",
    replacement: "databaseMs: now.wallMs",
    means: "replicas with wrong clocks date events in another order than they happened",
    tests: clockTests
  },
  {
    id: "clock-whole-trip",
    file: clock,
    text: "+ tripMs / 2 }",
    replacement: "}",
    means: "events are dated back by the time that the clock's answer took",
    tests: clockTests
  },
  {
    id: "clock-always-asked",
    file: clock,
    text: "return isOld(Ref.getUnsafe(last), now) ?",
    replacement: "return isOld(Ref.getUnsafe(last), now) || true ?",
    means: "every append asks the database for the time first",
    tests: clockTests
  },
  {
    id: "directory-lock-collected",
    file: "src/infrastructure/postgres/DirectoryLock.ts",
    text: "  opened.add(file)\n",
    replacement: "",
    means: "the garbage collector closes the lock's file, and a second process opens the directory",
    tests: ["test/faults/directoryLock.test.ts"]
  },
  {
    id: "migrations-patient",
    file: "src/infrastructure/postgres/Migrations.ts",
    text: "set_config('lock_timeout', ${String(lockWaitMsMax)}, true)",
    replacement: "set_config('lock_timeout', ${String(lockWaitMsMax * 0)}, true)",
    means: "every append waits behind a migration that waits for a long transaction",
    tests: ["test/faults/migrationLocks.test.ts"]
  },
  {
    id: "migrations-impatient",
    file: "src/infrastructure/postgres/Migrations.ts",
    text: "times: retriesMax",
    replacement: "times: retriesMax * 0",
    means: "a release does not start because a backup or a report was running",
    tests: ["test/faults/migrationLocks.test.ts"]
  }
]
