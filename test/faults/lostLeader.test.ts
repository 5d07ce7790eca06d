/**
 * The process that leads a search is stopped or killed; another one wants the same search.
 *
 * Promise: the other one may search after a third of its time, or leads when the short lease has
 * ended, whichever comes first.
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { salt } from "../../src/infrastructure/Digest.ts"
import { bundledProgram } from "../support/bundledProgram.ts"
import { compiled } from "../support/processes.ts"
import { coalescing, type Leader, turn } from "../support/searchLeader.ts"
import * as Database from "../support/testDatabase.ts"
import { TestDatabase } from "../support/testDatabase.ts"

const leaderFile = await bundledProgram("searchLeader")
const run = salt()

/** A process that leads the search; killed with the scope. */
const leading = Effect.fnUntraced(function*(query: string) {
  const { url: databaseUrl } = yield* TestDatabase
  const leader: Leader = { databaseUrl, query }
  return yield* Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<ChildProcess>((resolve, reject) => {
        const child = spawn(process.execPath, [leaderFile, JSON.stringify(leader)], {
          env: compiled,
          stdio: ["ignore", "pipe", "inherit"]
        })
        child.stdout.once("data", (said) =>
          String(said).trim() === "Leads"
            ? resolve(child)
            : reject(new Error(String(said))))
        child.once("exit", (code) => reject(new Error(`the leader ended with ${code}`)))
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
})

/** What another process gets, and after which share of its time. */
const afterLosing = Effect.fnUntraced(
  function*(options: {
    readonly signal: "SIGSTOP" | "SIGKILL"
    readonly leftMs: number
  }) {
    const query = `${run} ${JSON.stringify(options)}`
    const child = yield* leading(query)
    child.kill(options.signal)
    const startMs = yield* Clock.currentTimeMillis
    const got = yield* turn(query, options.leftMs)
    const tookMs = (yield* Clock.currentTimeMillis) - startMs
    return {
      share: tookMs / options.leftMs,
      mayLead: got._tag === "Leads" && got.lead.held !== undefined,
      maySearch: got._tag === "Leads"
    }
  },
  Effect.provide(coalescing("other")),
  Effect.scoped
)

describe("a search whose leader is lost", () => {
  it.layer(Database.layer, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect.each(["SIGSTOP", "SIGKILL"] as const)(
      "is another's after a third of its time: %s",
      (signal) =>
        Effect.gen(function*() {
          const { mayLead, maySearch, share } = yield* afterLosing({ signal, leftMs: 4_500 })
          assert.isTrue(maySearch)
          assert.isFalse(mayLead)
          assert.isBelow(share, 2 / 3)
        }),
      60_000
    )

    it.effect("is led by another when the lease has ended", () =>
      Effect.gen(function*() {
        const { mayLead, share } = yield* afterLosing({ signal: "SIGSTOP", leftMs: 60_000 })
        assert.isTrue(mayLead)
        // The lease of 5 s, where a third would be 20 s.
        assert.isBelow(share, 1 / 4)
      }), 60_000)
  })
})
