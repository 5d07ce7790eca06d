/** The evidence store in a `Ref`: for tests. It keeps vectors, and ranks words by BM25. */
import { Effect, Layer, Ref, Semaphore } from "effect"
import * as Words from "../../../packages/language/src/text/Words.ts"
import {
  EvidenceStore,
  foundMax,
  type Unembedded,
  type Vectors
} from "../../../src/application/ports/EvidenceStore.ts"
import type { Vector } from "../../../src/domain/retrieval/Ranking.ts"
import {
  allows,
  type EmbeddingModel,
  type Entry,
  sourceKeyOfEntry
} from "../../../src/domain/store/Entry.ts"

interface Embedded {
  readonly id: string
  readonly model: EmbeddingModel
  readonly vector: Vector
}

interface Shelf {
  /** Without the fields of a vector. */
  readonly entries: ReadonlyArray<Entry>
  readonly vectors: ReadonlyArray<Embedded>
  readonly model: EmbeddingModel | undefined
  /** By entry, the session that it was collected for. */
  readonly sessions?: ReadonlyMap<string, string>
}

const empty: Shelf = { entries: [], vectors: [], model: undefined }

type Service = EvidenceStore["Service"]

export const layer = Layer.effect(
  EvidenceStore,
  Effect.gen(function*() {
    const shelves = yield* Ref.make<ReadonlyMap<string, Shelf>>(new Map())
    const changing = yield* Semaphore.make(1)
    const shelf = (tenantId: string) =>
      Effect.map(Ref.get(shelves), (all) => all.get(tenantId) ?? empty)
    const put = (tenantId: string, changed: Shelf) =>
      Ref.update(shelves, (all) => new Map(all).set(tenantId, changed))

    const replace: Service["replace"] = (
      tenantId,
      { entries, forSession, sources, vectors },
      record
    ) =>
      changing.withPermit(Effect.gen(function*() {
        const before = yield* shelf(tenantId)
        const isGone = ({ id }: { readonly id: string }) => sources.includes(sourceKeyOfEntry(id))
        const kept = before.entries.filter((entry) => !isGone(entry))
        const removed = sources.map((source) =>
          before.entries.filter(({ id }) => sourceKeyOfEntry(id) === source).length
        )
        yield* record(removed)
        yield* put(tenantId, {
          entries: [...kept, ...entries],
          vectors: [
            ...before.vectors.filter((vector) => !isGone(vector)),
            ...(vectors === undefined ? [] : placed(entries, vectors))
          ],
          sessions: new Map([
            ...(before.sessions ?? []),
            ...entries.map(({ id }) => [id, forSession ?? ""] as const)
          ]),
          model: before.model ?? (entries.length === 0 ? undefined : vectors?.model)
        })
        return removed
      }))

    const byText: Service["byText"] = (tenantId, question, filter, limit) =>
      Effect.map(shelf(tenantId), (current) => {
        const { entries } = current
        const scores = Words.scores(Words.index(entries), question)
        return best(
          entries.map((entry, place) => ({
            entry: told(current, entry),
            score: scores[place] ?? 0
          }))
            .filter(({ entry, score }) => score > 0 && allows(filter, entry)),
          limit
        )
      })

    const byVector: Service["byVector"] = (tenantId, model, vector, filter, limit) =>
      Effect.map(shelf(tenantId), (current) => {
        if (current.model === undefined || !isSame(current.model, model)) return []
        const near = new Map(
          current.vectors.filter((embedded) => isSame(embedded.model, model))
            .map((embedded) => [embedded.id, cosine(embedded.vector, vector)])
        )
        return best(
          current.entries.flatMap((entry) => {
            const score = near.get(entry.id)
            return score === undefined ? [] : [{ entry: told(current, entry), score }]
          }).filter(({ entry }) => allows(filter, entry)),
          limit
        )
      })

    const addVectors: Service["addVectors"] = (tenantId, given, vectors) =>
      changing.withPermit(Effect.flatMap(shelf(tenantId), (current) => {
        const stillThere = placed(given, vectors).filter(({ id }, place) =>
          current.entries.some((entry) =>
            entry.id === id && entry.text_sha256 === given[place]?.text_sha256
          )
        )
        return put(tenantId, { ...current, vectors: [...current.vectors, ...stillThere] })
      }))

    const compareBy: Service["compareBy"] = (tenantId, model, record) =>
      changing.withPermit(Effect.gen(function*() {
        const before = yield* shelf(tenantId)
        if (lacking(before, model).length > 0) return false
        const vectors = before.vectors.filter((embedded) => isSame(embedded.model, model))
        yield* record(before.model, vectors.length)
        yield* put(tenantId, { ...before, vectors, model })
        return true
      }))

    return EvidenceStore.of({
      keepsVectors: true,
      replace,
      byText,
      byVector,
      addVectors,
      compareBy,
      entriesOf: (tenantId, key) =>
        Effect.map(
          shelf(tenantId),
          (current) =>
            current.entries.filter(({ id }) => sourceKeyOfEntry(id) === key)
              .map((entry) => told(current, entry))
              .sort((left, right) => left.chunk_index - right.chunk_index)
        ),
      collectedFor: (tenantId, sessionId) =>
        Effect.map(
          shelf(tenantId),
          ({ entries, sessions }) =>
            entries.filter(({ chunk_index, id }) =>
              chunk_index === 0 && sessions?.get(id) === sessionId
            ).map(({ source_id, source_type }) => ({ source_id, source_type }))
        ),
      counts: (tenantId) => Effect.map(shelf(tenantId), countsOf),
      unembedded: (tenantId, model, limit) =>
        Effect.map(
          shelf(tenantId),
          (current) =>
            lacking(current, model).sort((left, right) => left.id < right.id ? -1 : 1)
              .slice(0, limit)
        )
    })
  })
)

const isSame = (left: EmbeddingModel, right: EmbeddingModel): boolean =>
  left.model === right.model && left.dimensions === right.dimensions

const placed = (
  entries: ReadonlyArray<{ readonly id: string }>,
  { model, values }: Vectors
): ReadonlyArray<Embedded> =>
  entries.flatMap(({ id }, place) => {
    const vector = values[place]
    return vector === undefined ? [] : [{ id, model, vector }]
  })

const lacking = ({ entries, vectors }: Shelf, model: EmbeddingModel): Array<Unembedded> => {
  const has = new Set(
    vectors.filter((embedded) => isSame(embedded.model, model)).map(({ id }) => id)
  )
  return entries.filter(({ id }) => !has.has(id))
    .map(({ id, text, text_sha256, title }) => ({ id, text, text_sha256, title }))
}

/** The entry with the model of the vector that searches compare. */
const told = ({ model, vectors }: Shelf, entry: Entry): Entry =>
  model !== undefined && vectors.some((of) => of.id === entry.id && isSame(of.model, model))
    ? { ...entry, embedding_model: model.model, embedding_dimensions: model.dimensions }
    : entry

interface Scored {
  readonly entry: Entry
  readonly score: number
}

const best = (scored: ReadonlyArray<Scored>, limit: number): ReadonlyArray<Entry> =>
  scored.toSorted((left, right) =>
    right.score - left.score || (left.entry.id < right.entry.id ? -1 : 1)
  ).slice(0, Math.min(limit, foundMax)).map(({ entry }) => entry)

const cosine = (left: Vector, right: Vector): number =>
  dot(left, right) / Math.sqrt(dot(left, left) * dot(right, right))

const dot = (left: Vector, right: Vector): number =>
  left.reduce((sum, value, place) => sum + value * (right[place] ?? 0), 0)

const countsOf = ({ entries, model, vectors }: Shelf) => {
  const of = (type: Entry["source_type"]) =>
    entries.filter(({ source_type }) => source_type === type).length
  return {
    entries: {
      kg_node: of("kg_node"),
      web_search: of("web_search"),
      paper: of("paper"),
      user_note: of("user_note")
    },
    sources: new Set(entries.map(({ id }) => sourceKeyOfEntry(id))).size,
    model,
    embedded: model === undefined
      ? 0
      : vectors.filter((embedded) => isSame(embedded.model, model)).length
  }
}
