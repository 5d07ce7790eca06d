/** The anchors' tables, embedded and on a server; the places outside; and the commands. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as OutsideAnchors from "../../src/adapters/anchors/OutsideAnchors.ts"
import * as PostgresAnchors from "../../src/adapters/postgres/PostgresAnchors.ts"
import {
  AnchorLedger,
  AnchorOutlets,
  type KeptAnchor
} from "../../src/application/audit/MakeAnchors.ts"
import type { Envelope } from "../../src/domain/audit/MerkleTree.ts"
import { newKey } from "../support/anchoredLog.ts"
import * as CommandLine from "../support/commandLine.ts"
import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import * as MemoryAnchors from "../support/memory/MemoryAnchors.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import * as TestDatabase from "../support/testDatabase.ts"

const envelope = (payload: string): Envelope => ({
  payloadType: "application/vnd.web-grounding.anchor+json",
  payload,
  signatures: [{ keyid: "ab", sig: "c2ln" }]
})

const kept = (treeSize: number): KeptAnchor => ({
  treeSize,
  lastPosition: 9_007_199_254_740_993n,
  frontier: { size: treeSize, hashes: ["aa", "bb"] },
  envelope: envelope(String(treeSize)),
  isShipped: false
})

const ledgerContract = <E>(name: string, layer: Layer.Layer<AnchorLedger, E>) => {
  describe(`the anchors ${name}`, () => {
    it.layer(layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
      it.effect("are kept in order, once each, never below another, and marked when shipped", () =>
        Effect.gen(function*() {
          const { add, list, markShipped, newest, unshipped } = yield* AnchorLedger
          assert.isUndefined(yield* newest)
          assert.deepStrictEqual(
            yield* Effect.forEach([3, 3, 2, 5], (size) => add(kept(size))),
            [true, false, false, true]
          )
          assert.deepStrictEqual(yield* newest, kept(5))
          yield* markShipped(3)
          assert.deepStrictEqual(yield* list(0, 9), [{ ...kept(3), isShipped: true }, kept(5)])
          assert.deepStrictEqual(yield* list(3, 9), [kept(5)])
          assert.deepStrictEqual(yield* list(0, 1), [{ ...kept(3), isShipped: true }])
          assert.deepStrictEqual(yield* unshipped(9), [kept(5)])
        }))

      it.effect("know every key, and give the claim to one owner", () =>
        Effect.gen(function*() {
          const { addKey, claim, keys, release } = yield* AnchorLedger
          yield* Effect.forEach(["k1", "k2", "k1"], (keyId) => addKey({ keyId, pem: `${keyId}.` }))
          assert.deepStrictEqual((yield* keys).map(({ keyId, pem }) => [keyId, pem]), [
            ["k1", "k1."],
            ["k2", "k2."]
          ])
          assert.isTrue(yield* claim("one", 60_000))
          assert.isFalse(yield* claim("two", 60_000))
          yield* release("two")
          assert.isFalse(yield* claim("two", 60_000))
          yield* release("one")
          assert.isTrue(yield* claim("two", 60_000))
        }))
    })
  })
}

ledgerContract("in memory", MemoryAnchors.ledger(MemoryAnchors.held()))
ledgerContract("embedded", PostgresAnchors.layer.pipe(Layer.provide(EmbeddedDatabase.layer)))
ledgerContract("on a server", PostgresAnchors.layer.pipe(Layer.provide(TestDatabase.layer)))

/** A folder of the test's own, gone when it ends. */
const folderBy = (make: () => string) =>
  Effect.acquireRelease(
    Effect.sync(make),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )

const folder = folderBy(() => mkdtempSync(join(tmpdir(), "wg-anchors-")))

const shippedTo = (outlets: Partial<OutsideAnchors.Outlets>, ...anchors: ReadonlyArray<Envelope>) =>
  Effect.gen(function*() {
    const { recorded, ship } = yield* AnchorOutlets
    yield* Effect.forEach(anchors, (anchor) => ship(anchor))
    return yield* recorded
  }).pipe(Effect.provide(Layer.fresh(OutsideAnchors.layer({
    file: Option.none(),
    command: Option.none(),
    ...outlets
  }))))

describe("outside destinations", () => {
  it.live("are a file that grows by lines, and may hold what is no anchor", () =>
    Effect.gen(function*() {
      const file = join(yield* folder, "anchors.jsonl")
      const to = { file: Option.some(file) }
      assert.deepStrictEqual(yield* shippedTo(to), [])
      const [one, two] = [envelope("1"), envelope("2")]
      assert.deepStrictEqual(yield* shippedTo(to, one, two), [one, two])
      writeFileSync(file, `${readFileSync(file, "utf8")}{"payload":\n`)
      assert.deepStrictEqual(yield* shippedTo(to), [one, two, undefined])
      assert.isUndefined(yield* shippedTo({}, one))
      const failed = yield* Effect.flip(shippedTo({ file: Option.some(`${file}/none`) }, one))
      assert.notInclude(failed.message, file)
    }))

  it.live("are a command that gets one on standard input, without settings and without a shell", () =>
    Effect.gen(function*() {
      const path = yield* folder
      const [program, out] = [join(path, "keep"), join(path, "out")]
      writeFileSync(program, `#!/bin/sh\ncat > "$1"\nenv > "$1.env"\nexit "$2"\n`)
      chmodSync(program, 0o700)
      const by = (rest: string) => ({ command: Option.some(`${program} ${out} ${rest}`) })
      yield* shippedTo(by("0"), envelope("1"))
      assert.strictEqual(readFileSync(out, "utf8"), `${JSON.stringify(envelope("1"))}\n`)
      assert.notMatch(readFileSync(`${out}.env`, "utf8"), /HOME|ANCHOR|NODE/)
      const failed = yield* Effect.flip(shippedTo(by("3"), envelope("1")))
      assert.strictEqual(failed.message, "ANCHOR_COMMAND: It ended with 3")
      yield* Effect.flip(shippedTo(by(`0; touch ${path}/shell`), envelope("1")))
      assert.isFalse(existsSync(join(path, "shell")))
    }))
})

describe("the commands", () => {
  it.live(
    "make anchors of a grounding, list them and hold the log against them",
    () =>
      Effect.gen(function*() {
        const path = yield* folder
        const env = {
          WEB_GROUNDING_DATA_DIR: yield* folderBy(() => preparedDirectory("wg-anchors-")),
          ANCHOR_KEY: newKey(),
          ANCHOR_FILE: join(path, "anchors.jsonl")
        }
        const run = (args: string, more = {}) =>
          Effect.promise(() => CommandLine.run(args.split(" "), { ...env, ...more }))
        const question = "What does a tram ride in Halvern cost?"
        const grounded = yield* Effect.promise(() =>
          CommandLine.run(["ground", question, "--sandbox", "--session", "s"], env)
        )
        assert.strictEqual(grounded.code, 0, grounded.err)

        assert.match((yield* run("verify --all")).out, /against 0 anchors; \d+ events not anchored/)
        const made = yield* run("anchors make")
        assert.match(made.out, /events.*root [0-9a-f]{16}…\n1 anchor put outside/s)
        assert.include((yield* run("anchors make")).out, "Nothing was recorded")
        assert.match((yield* run("anchors list")).out, /to position [0-9]+/)
        const checked = yield* run("verify --all")
        assert.strictEqual(checked.code, 0, checked.err)
        assert.match(checked.out, /against 1 anchor; 0 events not anchored yet/)
        const kept = join(path, "kept.json")
        const [, anchor = ""] = /^Anchor: (.*)$/m.exec((yield* run("verify --all")).out) ?? []
        writeFileSync(kept, anchor)
        assert.strictEqual((yield* run(`verify --all --anchor ${kept}`)).code, 0)
        writeFileSync(kept, anchor.replace(/"root_hash":"./, "\"root_hash\":\"x"))
        assert.include((yield* run(`verify --all --anchor ${kept}`)).err, "holds an anchor")
        assert.match((yield* run("anchors key")).out, /^-----BEGIN PUBLIC KEY-----/)

        writeFileSync(env.ANCHOR_FILE, "")
        const missing = yield* run("verify --all")
        assert.strictEqual(missing.code, 1)
        assert.include(missing.out, "not_outside")
        const wrong = yield* run("anchors make", { ANCHOR_KEY: "hush" })
        assert.include(wrong.err, "Setting ANCHOR_KEY: Expected an Ed25519 key")
        assert.notInclude(wrong.err, "hush")
        assert.include((yield* run("anchors make", { ANCHOR_KEY: "" })).err, "set ANCHOR_KEY")
      })
  )
})
