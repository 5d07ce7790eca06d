/** Files and folders on their way into the evidence store. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as PageExtraction from "../../packages/pages/src/PageExtraction.ts"
import * as EvidenceIngest from "../../src/adapters/cli/evidence/EvidenceIngest.ts"
import { ingestedText } from "../../src/adapters/cli/evidence/EvidenceText.ts"
import * as LocalPageReader from "../../src/adapters/pages/LocalPageReader.ts"
import { StoreUnavailable } from "../../src/contract/PublicFailure.ts"
import * as Engines from "../../src/wiring/Engines.ts"
import { evidenceWith } from "../../src/wiring/layers.ts"
import { caller, limits } from "../support/grounding.ts"
import * as MemoryEventStore from "../support/memory/MemoryEventStore.ts"
import * as MemoryEvidenceStore from "../support/memory/MemoryEvidenceStore.ts"
import { EvidenceApi } from "../support/sent.ts"

const prose = (what: string) =>
  `The ${what} opens at half past seven and has sixty-four desks for its visitors.\n`
const node = { node_id: "m:react", node_label: "Method", name: "ReAct" }

/** A folder of its own with these files; a text that begins with `->` is a link. */
const folderOf = (files: Readonly<Record<string, string | Uint8Array>>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const root = mkdtempSync(join(tmpdir(), "ingest-"))
      for (const [name, content] of Object.entries(files)) {
        const place = join(root, name)
        mkdirSync(dirname(place), { recursive: true })
        if (typeof content === "string" && content.startsWith("->")) {
          symlinkSync(content.slice(2), place)
        } else writeFileSync(place, content)
      }
      return root
    }),
    (root) => Effect.sync(() => rmSync(root, { recursive: true, force: true }))
  )

const given = { source_type: "user_note" } as const

const ingest = (place: string, fields: Partial<EvidenceIngest.Ingesting["given"]> = {}) =>
  Effect.gen(function*() {
    const api = yield* EvidenceApi
    const collect = (input: unknown) => api.collect(input, caller)
    return yield* EvidenceIngest.ingest(place, { collect, given: { ...given, ...fields } })
  })

const found = (query: string) =>
  Effect.gen(function*() {
    const api = yield* EvidenceApi
    return (yield* api.search({ query }, caller)).found
  })

const told = (outcomes: ReadonlyArray<EvidenceIngest.FileOutcome>, root: string) =>
  outcomes.map((each) => [
    each.file.slice(root.length + 1),
    each.outcome === "collected" ? each.outcome : each.reason
  ])

const store = evidenceWith(Engines.local).pipe(
  Layer.provide(Layer.mergeAll(MemoryEventStore.layer, MemoryEvidenceStore.layer, limits()))
)
const files = Layer.merge(
  NodeServices.layer,
  LocalPageReader.layer.pipe(Layer.provide(PageExtraction.layer))
)

it.layer(files, { timeout: "60 seconds", excludeTestServices: true })("evidence ingest", (it) => {
  it.effect("keeps two files of one name apart, and the same file once", () =>
    Effect.gen(function*() {
      const root = yield* folderOf({
        "a/README.md": prose("library"),
        "b/README.md": prose("archive")
      })
      const first = yield* ingest(join(root, "a/README.md"))
      const second = yield* ingest(join(root, "b/README.md"))
      const removed = [...first, ...second].map((each) =>
        each.outcome === "collected" ? each.removed : -1
      )
      assert.deepStrictEqual(removed, [0, 0])
      assert.lengthOf(yield* found("visitors"), 2)
      // From another folder, by another spelling, and as a part of a folder: the same file.
      const here = process.cwd()
      yield* Effect.acquireRelease(
        Effect.sync(() => process.chdir(join(root, "a"))),
        () => Effect.sync(() => process.chdir(here))
      )
      for (const place of ["README.md", "../a/./README.md", root]) {
        for (const again of yield* ingest(place)) {
          assert.deepInclude(again, { outcome: "collected", removed: 1 })
        }
      }
      assert.lengthOf(yield* found("visitors"), 2)
    }).pipe(Effect.scoped, Effect.provide(store)))

  it.effect("reports each file, and takes in what it can", () =>
    Effect.gen(function*() {
      const root = yield* folderOf({
        "a.md": prose("library"),
        "b-empty.md": " \n",
        "c-bytes.txt": new Uint8Array([0xff, 0xfe, 0x00]),
        "d/package.json": JSON.stringify({ name: "x", version: "1" }),
        "d/broken.json": "{",
        "e-node.json": JSON.stringify(node),
        "f-nodes.json": JSON.stringify([{ ...node, node_id: "m:2" }, { ...node, node_id: "" }]),
        "g-list.json": "[1, 2]",
        "h.exe": "x",
        "node_modules/x/README.md": prose("package"),
        ".git/notes.md": prose("history"),
        "z.md": prose("archive")
      })
      const outcomes = yield* ingest(root)
      assert.deepStrictEqual(told(outcomes, root), [
        [".git", "dot_folder"],
        ["h.exe", "other_kind"],
        ["node_modules", "node_modules"],
        ["a.md", "collected"],
        ["b-empty.md", "it holds no text"],
        ["c-bytes.txt", "its text is not UTF-8"],
        ["d/broken.json", "it is not JSON"],
        ["d/package.json", "no_node"],
        ["e-node.json", "collected"],
        ["f-nodes.json", "collected"],
        ["f-nodes.json", "material.node.node_id: Expected text that is not blank"],
        ["g-list.json", "no_node"],
        ["z.md", "collected"]
      ])
      assert.strictEqual(EvidenceIngest.failedCount(outcomes), 4)
      const text = ingestedText(outcomes)
      assert.include(text, "package.json: JSON, but no node of a knowledge graph")
      assert.include(text, "kg_node m:react: 1 in, 0 out")
      assert.match(text, /^skipped: .*h\.exe: a kind of file that is not read$/m)
      assert.lengthOf(yield* found("visitors"), 2)
    }).pipe(Effect.scoped, Effect.provide(store)))

  it.effect("follows no link out of the folder or back into it", () =>
    Effect.gen(function*() {
      const secret = yield* folderOf({ "secret.md": prose("vault") })
      const root = yield* folderOf({
        "a.md": prose("library"),
        "again": "->.",
        "deep/up": "->..",
        "file.md": "->a.md",
        "out": `->${secret}`,
        "out.md": `->${join(secret, "secret.md")}`
      })
      const outcomes = yield* ingest(root)
      assert.deepStrictEqual(told(outcomes, root).toSorted(), [
        ["a.md", "collected"],
        ["again", "link"],
        ["deep/up", "link"],
        ["file.md", "link"],
        ["out", "link"],
        ["out.md", "link"]
      ])
      assert.lengthOf(yield* found("visitors"), 1)
      const named = yield* EvidenceIngest.listFiles(join(root, "again"))
      assert.lengthOf(named.files, 1, "what is named itself is followed")
    }).pipe(Effect.scoped, Effect.provide(store)))

  it.effect("keeps the dates that a Markdown file gives, and says which is none", () =>
    Effect.gen(function*() {
      const headed = (head: string, what: string) => `---\n${head}\n---\n\n${prose(what)}`
      const root = yield* folderOf({
        "a.md": headed("title: A\npublished_date: 2026-05-01\nupdated: '2026-05-09'", "library"),
        "b.md": headed("date: 2024-02-03 # first", "archive"),
        "c.md": headed("date: 01.05.2026", "museum"),
        "d.md": headed("date: 2026-02-30", "gallery")
      })
      // The store's clock is at 1970; a page of the future has no date.
      const api = yield* EvidenceApi
      const given_dates = yield* Ref.make<ReadonlyArray<unknown>>([])
      const collect = (input: unknown) =>
        Ref.update(given_dates, (all) => [...all, input]).pipe(
          Effect.andThen(api.collect(input, caller))
        )
      const outcomes = yield* EvidenceIngest.ingest(root, { collect, given })
      const [a, b, c, d] = yield* Ref.get(given_dates)
      assert.containSubset(a, {
        material: { title: "A", published_date: "2026-05-01", modified_date: "2026-05-09" }
      })
      assert.containSubset(b, { material: { published_date: "2024-02-03" } })
      for (const each of [c, d]) {
        assert.notInclude(JSON.stringify(each), "_date")
      }
      const text = ingestedText(outcomes)
      assert.include(text, "kept without its date: \"01.05.2026\" is none such as 2026-03-02")
      assert.include(text, "kept without its date: \"2026-02-30\" is none such as 2026-03-02")
      assert.strictEqual(text.split("kept without").length, 3)
    }).pipe(Effect.scoped, Effect.provide(store)))

  it.effect("refuses a single file with one sentence, and one id for many files", () =>
    Effect.gen(function*() {
      const root = yield* folderOf({ "a.md": " ", "p.json": "{}", "b.md": prose("library") })
      const sentence = (place: string, fields = {}) =>
        Effect.map(Effect.flip(ingest(join(root, place), fields)), ({ message }) => message)
      assert.strictEqual(yield* sentence("a.md"), `${root}/a.md: it holds no text`)
      assert.match(yield* sentence("p.json"), /p\.json: JSON, but no node of a knowledge graph$/)
      assert.match(yield* sentence("none.md"), /none\.md: no such file or folder$/)
      assert.match(yield* sentence(".", { id: "x" }), /--id and --title are of a single file$/)
      const [one] = yield* ingest(join(root, "b.md"), { id: "mine" })
      assert.deepInclude(one, { outcome: "collected", source_id: "mine" })
    }).pipe(Effect.scoped, Effect.provide(store)))

  it.effect("tries no further file once the store is down", () =>
    Effect.gen(function*() {
      const root = yield* folderOf({ "a.md": prose("library"), "b.md": prose("archive") })
      const tried = yield* Ref.make(0)
      const collect = () =>
        Ref.update(tried, (count) => count + 1).pipe(
          Effect.andThen(
            Effect.fail(new StoreUnavailable({ retry_after_ms: 1, may_have_searched: false }))
          )
        )
      const outcomes = yield* EvidenceIngest.ingest(root, { collect, given })
      assert.strictEqual(EvidenceIngest.failedCount(outcomes), 2)
      assert.strictEqual(yield* Ref.get(tried), 1)
    }).pipe(Effect.scoped, Effect.provide(store)))
})
