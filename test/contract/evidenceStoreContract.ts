/** What every evidence store owes the application. */
import { assert, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { EvidenceStore } from "../../src/application/ports/EvidenceStore.ts"
import type { Entry, EntryFilter } from "../../src/domain/store/Entry.ts"
import type { Collection } from "../../src/domain/store/Material.ts"
import {
  collectedAt,
  collection,
  longText,
  node,
  note,
  webPage
} from "../support/evidenceEntries.ts"

type Store = EvidenceStore["Service"]

const small = { model: "small", dimensions: 2 }
const other = { model: "other", dimensions: 2 }

const put = (
  { replace }: Store,
  tenantId: string,
  { entries, key }: Collection,
  vectors?: { readonly model: typeof small; readonly values: ReadonlyArray<ReadonlyArray<number>> }
) =>
  replace(
    tenantId,
    { sources: [key], entries, ...(vectors === undefined ? {} : { vectors }) },
    () => Effect.void
  )

const idsOf = (entries: ReadonlyArray<Entry>) => entries.map(({ id }) => id)

export const evidenceStoreContract = (
  name: string,
  layer: Layer.Layer<EvidenceStore, unknown>,
  keepsVectors: boolean
) =>
  it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })(
    `EvidenceStore: ${name}`,
    (it) => {
      it.effect("gives entries back unchanged, to the tenant who put them", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          const page = collection(
            webPage(
              "https://a.example/x",
              "Naïve “quotes”, 한국어 전세 보증금, 🙂 and 'it''s \\ fine'."
            )
          )
          yield* put(store, "a", page)
          assert.deepStrictEqual(yield* store.entriesOf("a", page.key), [...page.entries])
          assert.deepStrictEqual(yield* store.byText("a", "naive quotes", {}, 5), [...page.entries])
          assert.deepStrictEqual(yield* store.entriesOf("b", page.key), [])
          assert.deepStrictEqual(yield* store.byText("b", "naive quotes", {}, 5), [])
          assert.strictEqual((yield* store.counts("a")).entries.web_search, 1)
          assert.strictEqual((yield* store.counts("b")).sources, 0)
        }))

      it.effect("finds by words of English, Korean, Japanese and Chinese, the best first", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          const texts = {
            en: "Tenants have to give one month's notice before moving out.",
            ko: "전세 계약을 갱신하려면 만기 두 달 전까지 통지해야 합니다.",
            ja: "賃貸契約の解約予告は一か月前までに行う必要があります。",
            zh: "租户必须提前一个月通知房东才能终止租约。",
            far: "The tram in Halvern costs 2.80 crowns; the month was March."
          }
          for (const [id, text] of Object.entries(texts)) {
            yield* put(store, "words", collection(note(id, text, id)))
          }
          const first = (question: string) =>
            Effect.map(store.byText("words", question, {}, 3), (found) => found[0]?.source_id)
          assert.strictEqual(yield* first("How much notice must a tenant give?"), "en")
          assert.strictEqual(yield* first("전세 갱신 통지는 언제까지?"), "ko")
          assert.strictEqual(yield* first("解約予告はいつまで"), "ja")
          assert.strictEqual(yield* first("终止租约要提前多久通知房东"), "zh")
          assert.deepStrictEqual(yield* store.byText("words", "zebra", {}, 3), [])
          assert.deepStrictEqual(yield* store.byText("words", "the of and", {}, 3), [])
        }))

      it.effect("weighs rare words more than common ones, and cuts at the limit", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          yield* put(
            store,
            "rare",
            collection(webPage("https://c.example/", longText(9, "copper")))
          )
          yield* put(store, "rare", collection(note("n", "One sentence names rhodium alone.")))
          const found = yield* store.byText("rare", "sentence copper rhodium", {}, 4)
          assert.lengthOf(found, 4)
          assert.strictEqual(found[0]?.source_id, "n")
        }))

      it.effect("takes all of a source's entries out when it is put again, and only those", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          const url = "https://a.example/again"
          const long = collection(webPage(url, longText(5, "copper")))
          const short = collection(webPage(url, longText(2, "silver")))
          assert.isAbove(long.entries.length, short.entries.length)
          yield* put(store, "again", long)
          yield* put(store, "again", collection(note("n", "A note of copper.")))
          const counted: Array<ReadonlyArray<number>> = []
          yield* store.replace(
            "again",
            { sources: [short.key, "doc:none"], entries: short.entries },
            (removed) => Effect.sync(() => counted.push(removed))
          )
          assert.deepStrictEqual(counted, [[long.entries.length, 0]])
          assert.deepStrictEqual(yield* store.entriesOf("again", long.key), [...short.entries])
          const copper = yield* store.byText("again", "copper", {}, 20)
          assert.deepStrictEqual(idsOf(copper), ["doc:n:0"])
        }))

      it.effect("changes nothing when what is to be recorded cannot be", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          const before = collection(webPage("https://a.example/kept", longText(3, "copper")))
          const after = collection(webPage("https://a.example/kept", "Gone."))
          yield* put(store, "kept", before)
          const failed = yield* Effect.flip(
            store.replace(
              "kept",
              { sources: [before.key], entries: after.entries },
              () => Effect.fail("no log")
            )
          )
          assert.strictEqual(failed, "no log")
          assert.deepStrictEqual(yield* store.entriesOf("kept", before.key), [...before.entries])
        }))

      it.effect("filters by day of publication, and by who is official", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          const dates = ["2019-03-01", "2025-12-31T23:00:00.000Z", "2026-01-01"]
          for (const published_date of dates) {
            const page = webPage(`https://${published_date.slice(0, 10)}.example/`, "Copper.")
            yield* put(
              store,
              "dated",
              published_date === "2026-01-01"
                ? collection({ ...page, published_date }, { official: true })
                : collection({ ...page, published_date, modified_date: "2026-02-03" })
            )
          }
          yield* put(store, "dated", collection(note("undated", "Copper.")))
          const found = (filter: EntryFilter) =>
            Effect.map(store.byText("dated", "copper", filter, 9), (entries) =>
              entries.map(({ published_date }) =>
                published_date?.slice(0, 10) ?? ""
              ).toSorted())
          assert.deepStrictEqual(yield* found({ published_from: "2025-12-31" }), [
            "2025-12-31",
            "2026-01-01"
          ])
          assert.deepStrictEqual(yield* found({ published_until: "2025-12-31" }), ["2019-03-01"])
          assert.deepStrictEqual(yield* found({ published_date: "2019-03-01" }), ["2019-03-01"])
          assert.deepStrictEqual(yield* found({ official: true }), ["2026-01-01"])
          assert.deepStrictEqual(yield* found({ modified_date: "2026-02-03" }), [
            "2019-03-01",
            "2025-12-31"
          ])
        }))

      it.effect("filters on every field exactly", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          const later = "2026-04-01T00:00:00.000Z"
          const all = [
            collection({
              ...webPage("https://f.example/", longText(3, "copper"), "Copper"),
              node_id: "m:copper",
              node_label: "Metal"
            }),
            collection(node("m:copper", "Copper", "A metal that conducts."), { collector: "kg" }),
            collection(note("n1", "A note on copper.", "Mine"), { collected_at: later }),
            collection({
              source_type: "paper",
              source_id: "p1",
              source_url: "https://p.example/",
              title: "On copper",
              text: longText(12, "copper")
            })
          ]
          for (const each of all) {
            yield* put(store, "filter", each)
          }
          const entries = all.flatMap((each) => [...each.entries])
          const holds = Effect.fnUntraced(function*(
            filter: EntryFilter,
            isAllowed: (entry: Entry) => boolean
          ) {
            const found = yield* store.byText("filter", "copper metal", filter, 200)
            const expected = entries.filter(isAllowed)
            assert.sameMembers(idsOf(found), idsOf(expected), JSON.stringify(filter))
          })
          yield* holds({}, () => true)
          for (
            const field of [
              "source_type",
              "source_id",
              "source_url",
              "collected_at",
              "collector",
              "node_id",
              "node_label",
              "title",
              "chunk_index",
              "total_chunks"
            ] as const
          ) {
            for (const value of new Set(entries.map((entry) => entry[field]))) {
              if (value === undefined) continue
              yield* holds({ [field]: value }, (entry) => entry[field] === value)
            }
          }
          yield* holds({ collected_from: later }, ({ collected_at }) => collected_at >= later)
          yield* holds({ collected_until: later }, ({ collected_at }) => collected_at < later)
          yield* holds(
            { collected_from: collectedAt, collected_until: later, node_id: "m:copper" },
            ({ collected_at, node_id }) => collected_at < later && node_id === "m:copper"
          )
          yield* holds({ collector: "KG" }, () => false)
          yield* holds({ embedding_model: "none" }, () => false)
        }))

      it.effect("says whether it keeps vectors", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          assert.strictEqual(store.keepsVectors, keepsVectors)
          const one = collection(note("v", "A note."))
          yield* put(store, "kept-vectors", one, { model: small, values: [[1, 0]] })
          const found = yield* store.byVector("kept-vectors", small, [1, 0], {}, 5)
          assert.lengthOf(found, keepsVectors ? 1 : 0)
          const { embedded, model } = yield* store.counts("kept-vectors")
          assert.deepStrictEqual([model, embedded], keepsVectors ? [small, 1] : [undefined, 0])
        }))

      if (!keepsVectors) return

      it.effect("finds by vectors, the nearest first, within tenant and filter", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          for (const [id, vector] of [["n", [0, 1]], ["e", [1, 0]], ["ne", [1, 1]]] as const) {
            yield* put(store, "near", collection(note(id, id)), { model: small, values: [vector] })
          }
          const near = (filter: EntryFilter, tenantId = "near") =>
            Effect.map(
              store.byVector(tenantId, small, [0.1, 2], filter, 5),
              (found) => found.map(({ source_id }) => source_id)
            )
          assert.deepStrictEqual(yield* near({}), ["n", "ne", "e"])
          assert.deepStrictEqual(yield* near({ source_id: "e" }), ["e"])
          assert.deepStrictEqual(yield* near({ embedding_model: "small" }), ["n", "ne", "e"])
          assert.deepStrictEqual(yield* near({ embedding_dimensions: 3 }), [])
          assert.deepStrictEqual(yield* near({}, "stranger"), [])
          const [entry] = yield* store.entriesOf("near", "doc:n")
          assert.strictEqual(entry?.embedding_model, "small")
          assert.strictEqual(entry?.embedding_dimensions, 2)
        }))

      it.effect("keeps an entry without a vector, and never makes one up", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          yield* put(store, "bare", collection(note("has", "Copper.")), {
            model: small,
            values: [[1, 0]]
          })
          yield* put(store, "bare", collection(note("bare", "Copper.")))
          const near = yield* store.byVector("bare", small, [1, 0], {}, 5)
          assert.deepStrictEqual(idsOf(near), ["doc:has:0"])
          const read = yield* store.byText("bare", "copper", {}, 5)
          assert.sameMembers(idsOf(read), ["doc:has:0", "doc:bare:0"])
          assert.notProperty(read.find(({ source_id }) => source_id === "bare"), "embedding_model")
          const [lacks] = yield* store.unembedded("bare", small, 5)
          assert.strictEqual(lacks?.id, "doc:bare:0")
        }))

      it.effect("moves from one model to another without ever comparing the two", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          const ids = ["a", "b", "c"]
          for (const id of ids) {
            yield* put(store, "move", collection(note(id, `Copper ${id}.`)), {
              model: small,
              values: [[1, 0]]
            })
          }
          const seen = Effect.gen(function*() {
            const bySmall = yield* store.byVector("move", small, [1, 0], {}, 9)
            const byOther = yield* store.byVector("move", other, [1, 0], {}, 9)
            return [bySmall.length, byOther.length]
          })
          const lacking = yield* store.unembedded("move", other, 9)
          assert.lengthOf(lacking, 3)
          assert.isFalse(yield* store.compareBy("move", other, () => Effect.void))
          yield* store.addVectors("move", lacking.slice(0, 2), {
            model: other,
            values: [[0, 1], [0, 1]]
          })
          assert.deepStrictEqual(yield* seen, [3, 0])
          assert.isFalse(yield* store.compareBy("move", other, () => Effect.void))
          // One text is collected again meanwhile: what was computed of the old one is not its.
          yield* put(store, "move", collection(note("c", "Silver.")))
          yield* store.addVectors("move", lacking.slice(2), { model: other, values: [[0, 1]] })
          const rest = yield* store.unembedded("move", other, 9)
          assert.deepStrictEqual(rest.map(({ text }) => text), ["Silver."])
          yield* store.addVectors("move", rest, { model: other, values: [[0, 1]] })
          const told: Array<unknown> = []
          assert.isTrue(
            yield* store.compareBy(
              "move",
              other,
              (before, embedded) => Effect.sync(() => told.push(before, embedded))
            )
          )
          assert.deepStrictEqual(told, [small, 3])
          assert.deepStrictEqual(yield* seen, [0, 3])
          assert.deepStrictEqual((yield* store.counts("move")).embedded, 3)
          assert.lengthOf(yield* store.unembedded("move", small, 9), 3)
        }))

      it.effect("answers no model but the one its vectors are compared by", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          yield* put(store, "mixes", collection(note("mixed", "Copper.")), {
            model: small,
            values: [[1, 0]]
          })
          const lacking = yield* store.unembedded("mixes", other, 5)
          assert.deepStrictEqual(yield* store.byVector("mixes", other, [1, 0], {}, 5), [])
          yield* store.addVectors("mixes", lacking, { model: other, values: [[1, 0]] })
          assert.deepStrictEqual(yield* store.byVector("mixes", other, [1, 0], {}, 5), [])
          yield* store.compareBy("mixes", other, () => Effect.void)
          assert.deepStrictEqual(yield* store.byVector("mixes", small, [1, 0], {}, 5), [])
        }))

      it.effect("keeps the old model when what is to be recorded cannot be", () =>
        Effect.gen(function*() {
          const store = yield* EvidenceStore
          yield* put(store, "stays", collection(note("a", "Copper.")), {
            model: small,
            values: [[1, 0]]
          })
          const lacking = yield* store.unembedded("stays", other, 9)
          yield* store.addVectors("stays", lacking, { model: other, values: [[0, 1]] })
          yield* Effect.flip(store.compareBy("stays", other, () => Effect.fail("no log")))
          assert.lengthOf(yield* store.byVector("stays", small, [1, 0], {}, 9), 1)
          assert.lengthOf(yield* store.byVector("stays", other, [1, 0], {}, 9), 0)
        }))
    }
  )
