/** The routing table's file: what it must hold, and what a broken one leaves. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { TestClock } from "effect/testing"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { readFile, unlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as CellsFile from "../../src/adapters/cells/CellsFile.ts"
import { CellRoutes } from "../../src/application/cells/CellRoutes.ts"
import * as CellTable from "../../src/domain/cells/CellTable.ts"

const table = {
  default: "a",
  cells: { a: { url: "https://a.example" }, b: { url: "http://127.0.0.1:7420" } },
  tenants: { acme: "b" }
}

const file = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "wg-cells-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
).pipe(Effect.map((folder) => join(folder, "cells.json")))

const looksMax = 100

/** Lets the file be looked at until something holds; at most so many times. */
const until = Effect.fnUntraced(function*(holds: Effect.Effect<boolean>) {
  for (let look = 0; look < looksMax && !(yield* holds); look++) {
    yield* TestClock.adjust("2 seconds")
    yield* Effect.promise(() => readFile(import.meta.filename))
  }
  assert.isTrue(yield* holds)
})

describe("the cells' file", () => {
  const refused: ReadonlyArray<readonly [string, unknown]> = [
    ["no JSON", "{"],
    ["a default that is no cell", { ...table, default: "c" }],
    ["a tenant in no cell", { ...table, tenants: { acme: "c" } }],
    ["an address with a user", { ...table, cells: { a: { url: "https://u:p@a.example" } } }],
    ["an address of another kind", { ...table, cells: { a: { url: "file:///etc/passwd" } } }],
    ["a name of another kind", { ...table, default: "__proto__" }],
    ["a tenant of the service's own", { ...table, tenants: { _service: "b" } }],
    ["no cell of this process", { default: "b", cells: { b: { url: "https://b.example" } } }]
  ]
  it.effect.each(refused)("is refused with %s", ([, content]) =>
    Effect.gen(function*() {
      const path = yield* file
      writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content))
      const { message } = yield* Effect.flip(CellsFile.readTable(path, "a"))
      assert.match(message, /^CELLS_FILE cannot be used: /)
      assert.notInclude(message, path)
    }).pipe(Effect.scoped))

  it.effect("is read again, and a broken one leaves the last with an alert", () =>
    Effect.gen(function*() {
      const path = yield* file
      writeFileSync(path, JSON.stringify(table))
      yield* Effect.gen(function*() {
        const { broken, table: current } = yield* CellRoutes
        assert.strictEqual(CellTable.cellOf(yield* current, "acme"), "b")
        assert.strictEqual(CellTable.cellOf(yield* current, "constructor"), "a")

        yield* CellsFile.write(path, CellTable.withTenant(yield* current, "shop", "b"))
        yield* until(Effect.map(current, (now) => CellTable.cellOf(now, "shop") === "b"))
        yield* CellsFile.write(path, CellTable.withTenant(yield* current, "acme", "a"))
        yield* until(Effect.map(current, (now) => CellTable.cellOf(now, "acme") === "a"))

        yield* Effect.promise(() => unlink(path))
        yield* until(Effect.map(broken, Option.isSome))
        const alert = Option.getOrThrow(yield* broken)
        assert.deepInclude(alert, { _tag: "CellsFileBroken", problem: "ENOENT" })
        assert.strictEqual(CellTable.cellOf(yield* current, "shop"), "b")

        writeFileSync(path, JSON.stringify(table))
        yield* until(Effect.map(broken, Option.isNone))
        assert.strictEqual(CellTable.cellOf(yield* current, "shop"), "a")
      }).pipe(Effect.provide(CellsFile.layer(path, "a")))
    }).pipe(Effect.scoped))
})
