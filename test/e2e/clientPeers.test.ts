/**
 * Clients that others' generators make of the running service's document fit it by strict types,
 * and ask it. The generators are peers and no dependencies: `npm ci --ignore-scripts --prefix
 * test/peers/clients` installs them, and without them this test is skipped.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { run } from "../support/installed.ts"
import { type ServedSandbox, servedSandbox } from "../support/servedSandbox.ts"

const folder = "test/peers/clients"
const generated = join(folder, "generated")
const isInstalled = existsSync(`${folder}/node_modules/openapi-typescript`)

const peer = async (...args: ReadonlyArray<string>) => {
  const { code, err, out } = await run(process.execPath, args, { cwd: folder })
  assert.strictEqual(code, 0, `${out}\n${err}`)
  return out
}

describe.runIf(isInstalled)("clients that others generate", () => {
  let service: ServedSandbox | undefined

  beforeAll(async () => {
    service = await servedSandbox()
    rmSync(generated, { recursive: true, force: true })
    mkdirSync(generated)
    const document = await fetch(`${service.address}/v1/openapi.json`)
    writeFileSync(join(generated, "openapi.json"), await document.text())
    const bin = "node_modules/.bin"
    await peer(`${bin}/openapi-typescript`, "generated/openapi.json", "-o", "generated/paths.ts")
    await peer(`${bin}/openapi-ts`, "-f", "openapi-ts.config.mjs")
  })

  afterAll(() => {
    service?.end()
    rmSync(generated, { recursive: true, force: true })
  })

  it("are type-checked strictly", async () => {
    await peer("node_modules/.bin/tsc", "-p", ".")
  })

  it("ground a question, take a failure by its type, and page through events", async () => {
    const told = JSON.parse(await peer("ask.ts", service?.address ?? ""))
    for (const one of [told.fetch, told.hey]) {
      assert.strictEqual(one.mode, "grounded")
      assert.match(one.rule, /tenant/)
      assert.strictEqual(one.problem, "urn:web-grounding:problem:pack-not-found")
      assert.strictEqual(one.status, 404)
      assert.lengthOf(one.types, 2)
      assert.strictEqual(one.next, 2)
    }
    // What the document does not ask for is not sent: a wrong token would be passed over.
    assert.strictEqual(told.hey.unknownToken, "urn:web-grounding:problem:unauthenticated")
  })
})
