/**
 * How long a search of the evidence store takes among many entries, by words, on a server.
 *
 * Prints one line: `node bench/evidenceStore.ts [entries] [searches]`. The entries are made up:
 * words by Zipf's law, a tenth of them Japanese and a tenth Korean; a question takes words of one
 * entry. The server's own time (Linux, in steps of 10 ms) is printed too, since the whole depends
 * on the machine's other work.
 */
import { Effect, Layer, Redacted } from "effect"
import { sql } from "kysely"
import { readFileSync } from "node:fs"
import { loadavg } from "node:os"
import * as PostgresEvidenceStore from "../src/adapters/postgres/PostgresEvidenceStore.ts"
import { EvidenceStore } from "../src/application/ports/EvidenceStore.ts"
import type { Entry } from "../src/domain/store/Entry.ts"
import { sha256 } from "../src/infrastructure/Digest.ts"
import * as Migrations from "../src/infrastructure/postgres/Migrations.ts"
import { Postgres } from "../src/infrastructure/postgres/Postgres.ts"
import * as PostgresServer from "../src/infrastructure/postgres/PostgresServer.ts"
import { makeDice } from "../test/support/dice.ts"
import { startServer } from "../test/support/postgresServer.ts"

const entriesCount = Number(process.argv[2] ?? 100_000)
const searchesCount = Number(process.argv[3] ?? 400)
const sourceEntries = 50
const wordsCount = 150
const vocabularyCount = 60_000
const dice = makeDice(20260302)

const syllables = "ba ce di fo gu la me ni ro su ta ve wi xo zu pra ste kri".split(" ")
const letters = {
  ja: "賃貸契約解除通知期間家賃敷金保証人更新料東京大阪日本法律裁判所市役所住民票届出",
  ko: "전세계약갱신통지기간보증금월세집주인서울부산주민등록법원판결세금신고"
}

const wordOf = (place: number): string => {
  const parts: Array<string> = []
  for (let rest = place + syllables.length; rest > 0; rest = Math.floor(rest / syllables.length)) {
    parts.push(syllables[rest % syllables.length] ?? "")
  }
  return parts.join("")
}

/** The harmonic sum is near enough to a logarithm to draw from it by a power. */
const zipf = () => Math.floor(vocabularyCount ** dice()) - 1

const textOf = (kind: number): string => {
  const of = kind === 0 ? letters.ja : kind === 1 ? letters.ko : undefined
  if (of === undefined) return Array.from({ length: wordsCount }, () => wordOf(zipf())).join(" ")
  const characters = Array.from(of)
  return Array.from({ length: 500 }, () => characters[Math.floor(characters.length * dice() ** 2)])
    .join("")
}

const entryOf = (source: number, chunk_index: number): Entry => {
  const text = textOf((source * 7 + chunk_index) % 10)
  const source_id = `https://s${source}.example/`
  return {
    id: `web:${sha256(source_id)}:${chunk_index}`,
    source_type: "web_search",
    source_id,
    source_url: source_id,
    collected_at: "2026-03-02T09:00:00.000Z",
    collector: "bench",
    title: text.slice(0, 40),
    chunk_index,
    total_chunks: sourceEntries,
    text,
    text_sha256: sha256(text),
    start: 0,
    end: text.length
  }
}

const questionOf = (text: string): string => {
  const words = text.split(" ")
  if (words.length === 1) {
    const at = Math.floor(dice() * (text.length - 12))
    return text.slice(at, at + 12)
  }
  return Array.from(
    { length: 3 + Math.floor(dice() * 6) },
    () => words[Math.floor(dice() * words.length)]
  ).join(" ")
}

const percentile = (sorted: ReadonlyArray<number>, share: number) =>
  (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1)

const line = (name: string, times: ReadonlyArray<number>) => {
  const sorted = times.toSorted((left, right) => left - right)
  return `${name} p50 ${percentile(sorted, 0.5)} ms p95 ${percentile(sorted, 0.95)} ms ` +
    `max ${percentile(sorted, 1)} ms`
}

const program = Effect.gen(function*() {
  const { byText, replace } = yield* EvidenceStore
  const { run } = yield* Postgres
  const began = performance.now()
  const questions: Array<readonly [string, string]> = []
  const sources = Math.ceil(entriesCount / sourceEntries)
  for (let source = 0; source < sources; source++) {
    const entries = Array.from({ length: sourceEntries }, (_, index) => entryOf(source, index))
    const key = `web:${sha256(`https://s${source}.example/`)}` as const
    yield* replace("t", { sources: [key], entries }, () => Effect.void)
    const one = entries[source % sourceEntries]
    if (one !== undefined && questions.length < searchesCount && source % 3 === 0) {
      questions.push([one.id, questionOf(one.text)])
    }
  }
  const filled = (performance.now() - began) / 1_000
  yield* run((db) => sql`vacuum analyze wg.evidence_entries`.execute(db))
  const pids = yield* run((db) => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db))
  const serverMs = () => serverTimeMs(pids.rows[0]?.pid ?? 0)
  let own = 0
  const timed = Effect.fnUntraced(function*([id, question]: readonly [string, string]) {
    const start = performance.now()
    const busy = serverMs()
    const found = yield* byText("t", question, {}, 10)
    if (found.some((entry) => entry.id === id)) own += 1
    return { whole: performance.now() - start, server: serverMs() - busy }
  })
  yield* Effect.forEach(questions.slice(0, 20), timed)
  own = 0
  const times = yield* Effect.forEach(questions, timed)
  console.log(
    `${sources * sourceEntries} entries in ${filled.toFixed(0)} s, ${times.length} searches: ` +
      `${line("whole", times.map(({ whole }) => whole))}, ` +
      `${line("server", times.map(({ server }) => server))}, ` +
      `own entry among 10: ${own}, load ${loadavg()[0]?.toFixed(1)}`
  )
})

/** Time on a processor since the server process began. */
const serverTimeMs = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

const server = await startServer({
  fsync: "off",
  autovacuum: "off",
  shared_buffers: "256MB",
  listen_addresses: "127.0.0.1",
  unix_socket_directories: ""
})
const url = Redacted.make(server.url)
await Effect.runPromise(program.pipe(Effect.provide(
  PostgresEvidenceStore.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(Migrations.run)),
    Layer.provideMerge(PostgresServer.layer({ url, poolMax: 1, durability: "unchecked" }))
  )
))).finally(server.stop)
