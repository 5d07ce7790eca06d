/** `serve --sandbox` with one of the sandbox's models, as an application sees it over the wire. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { GroundingClient, layer as clientLayer } from "../../packages/client/src/effect.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"

const question = {
  session_id: "s",
  topic: "How much notice must a tenant give in Japan?",
  phase: "mid_chat",
  user_asked_for_facts: true
} as const

/** A process that serves the sandbox in a directory of its own, until the scope closes. */
const served = (flags: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.promise(() => {
      const home = preparedDirectory("wg-served-")
      const args = ["bin/wg.js", "serve", "--sandbox", "--port", "0", ...flags]
      const child = spawn(process.execPath, args, {
        stdio: ["ignore", "pipe", "pipe"],
        env: { PATH: process.env["PATH"], WEB_GROUNDING_DATA_DIR: home, ...env }
      })
      const heard: Array<string> = []
      child.stderr.on("data", (chunk) => heard.push(String(chunk)))
      return new Promise<{ url: string; said: () => string; end: () => Promise<void> }>(
        (resolve) => {
          const close = () =>
            new Promise<void>((done) => {
              child.once("exit", () => {
                rmSync(home, { recursive: true, force: true })
                done()
              })
              child.kill("SIGTERM")
            })
          child.stdout.on("data", (chunk) => {
            heard.push(String(chunk))
            const [url] = /http:\/\/\S+/.exec(String(chunk)) ?? []
            if (url !== undefined) resolve({ url, said: () => heard.join(""), end: close })
          })
        }
      )
    }),
    ({ end }) => Effect.promise(end)
  )

const groundedAt = (url: string) =>
  Effect.flatMap(GroundingClient, (client) => client.ground(question)).pipe(
    Effect.provide(clientLayer({ url }), { local: true })
  )

describe("a service of the sandbox", () => {
  it.live("thinks with the named model of the sandbox", () =>
    Effect.gen(function*() {
      const { said, url } = yield* served(["--model", "good"])
      const { pack, rungs } = yield* groundedAt(url)
      for (const step of ["gate", "writer", "judge"]) {
        assert.strictEqual(rungs[step]?.engine, "openai", step)
        assert.match(rungs[step]?.version ?? "", / good$/)
      }
      assert.notInclude(pack.notes, "extractive")
      assert.notInclude(said(), "not asked in the sandbox")
    }), 180_000)

  it.live(
    "goes by rule without one, and says which settings it leaves aside",
    () =>
      Effect.gen(function*() {
        const env = { LLM_MODEL: "some-model", LLM_JUDGE_MODEL: "another", LLM_API_KEY: "k-canary" }
        const { said, url } = yield* served([], env)
        const { rungs } = yield* groundedAt(url)
        assert.strictEqual(rungs["writer"]?.engine, "rules")
        const told = said().match(/LLM_MODEL, LLM_JUDGE_MODEL not asked in the sandbox/g)
        assert.lengthOf(told ?? [], 1, said())
        assert.notInclude(said(), "k-canary")
      }),
    180_000
  )
})
