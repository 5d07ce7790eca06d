/** The commands of `docs/http.md`, in their order, against the bundled sandbox. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { framesOf, published, send, type Sent, unpublished } from "../support/httpCalls.ts"
import { sandboxService } from "../support/sandboxService.ts"
import { url } from "../support/service.ts"

const base = "http://127.0.0.1:7420"

/** What `curl` sends for a line of the document: quoted words, `-H`, `-d` and switches without value. */
const sentBy = (line: string): Sent => {
  const words = (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'|'$/g, ""))
  const headers: Record<string, string> = {}
  let address = ""
  let body: string | undefined
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? ""
    const next = words[index + 1] ?? ""
    if (word === "-H") {
      const [name = "", value = ""] = next.split(": ")
      headers[name] = value
      index += 1
    } else if (word === "-d") {
      body = next
      index += 1
    } else if (!word.startsWith("-")) address = word
    else assert.include(["-s", "-sN"], word)
  }
  assert.isTrue(address.startsWith(base), line)
  const path = address.slice(base.length)
  return { method: body === undefined ? "GET" : "POST", path, headers, ...(body && { body }) }
}

const lines = readFileSync("docs/http.md", "utf8").split("\n").filter((line) => /^curl /.test(line))

describe("the document about HTTP", () => {
  it("has every operation ask for a token as the document does, by leaving it unsaid", () => {
    assert.deepStrictEqual(published["security"], [{ token: [] }, {}])
    const operations = Object.values<any>(published["paths"]).flatMap((path) => Object.values(path))
    assert.isAbove(operations.length, 20)
    for (const operation of operations) assert.notProperty(operation, "security")
  })

  it("resolves every reference within itself", () => {
    const references = new Set<string>()
    JSON.stringify(published, (key, value) => {
      if (key === "$ref") references.add(value)
      return value
    })
    assert.isAbove(references.size, 20)
    for (const reference of references) {
      const parts = reference.replace(/^#\//, "").split("/")
      const found = parts.reduce<any>((part, name) => part?.[name], published)
      assert.isDefined(found, reference)
    }
  })

  it("types an answer as JSON alone, and its events apart", () => {
    const { content, ...answer } = published["paths"]["/v1/groundings"].post.responses[200]
    assert.deepStrictEqual(Object.keys(content), ["application/json"])
    assert.property(answer, "x-text-event-stream")
  })

  it.layer(sandboxService, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    it.effect("has commands that are answered as it says", () =>
      Effect.gen(function*() {
        assert.isAtLeast(lines.length, 5)
        const service = yield* url
        for (const line of lines) {
          const sent = sentBy(line)
          const answer = yield* send(service, sent)
          assert.strictEqual(answer.status, 200, `${line}: ${answer.text}`)
          assert.deepStrictEqual(unpublished(sent, answer), [], line)
          if (sent.headers?.["accept"] === undefined) continue
          assert.strictEqual(framesOf(answer.text).at(-1)?.event, "outcome", line)
        }
      }))
  })
})
