/**
 * Other clients that were written for Tavily get what they expect. They are peers and no
 * dependencies: `npm ci --ignore-scripts --prefix test/peers/tavily` installs them, and without them
 * these tests are skipped.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { existsSync, rmSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { compiled } from "../support/processes.ts"

const isInstalled = existsSync("test/peers/tavily/node_modules/@langchain/tavily")
const home = preparedDirectory("wg-tavily-")

describe.runIf(isInstalled)("clients written for Tavily", () => {
  let service: ChildProcess | undefined
  let told: Record<"langchain" | "mcp", Record<string, any>> | undefined

  beforeAll(async () => {
    const started = spawn(process.execPath, ["bin/wg.js", "serve", "--sandbox", "--port", "0"], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...compiled, WEB_GROUNDING_DATA_DIR: home }
    })
    service = started
    const url = await new Promise<string>((resolve, reject) => {
      started.on("close", () => reject(new Error("the service ended")))
      started.stdout.on("data", (chunk) => {
        const [, at] = /Serving groundings on (\S+)/.exec(String(chunk)) ?? []
        if (at !== undefined) resolve(at)
      })
    })
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ["test/peers/tavily/client.mjs", url],
      { encoding: "utf8", env: compiled, timeout: 120_000 }
    )
    assert.strictEqual(status, 0, stderr)
    told = JSON.parse(stdout)
  })

  afterAll(() => {
    service?.removeAllListeners("close")
    service?.kill("SIGKILL")
    rmSync(home, { recursive: true, force: true })
  })

  it("of LangChain get results, sentences and texts", () => {
    const { failed, found, read, ignored } = told?.langchain ?? {}
    assert.lengthOf(found.results, 2)
    assert.isNotEmpty(found.results[0].content)
    assert.isNotEmpty(ignored.results)
    assert.match(failed.error, /^Error (?:429|502): /)
    assert.lengthOf(read.results, 1)
    assert.lengthOf(read.failed_results, 1)
  })

  it("of MCP get results, sentences and texts", () => {
    const { found, read, ignored } = told?.mcp ?? {}
    assert.isNotTrue(found.isError)
    assert.match(found.content[0].text, /URL: https?:\/\//)
    assert.isNotTrue(ignored.isError)
    assert.isNotTrue(read.isError)
    assert.include(read.content[0].text, "notice")
  })
})
