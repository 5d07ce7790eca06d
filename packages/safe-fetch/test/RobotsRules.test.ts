import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { RequestListener } from "node:http"
import { fetcher, internet, outcome } from "./support/webServers.ts"

const page = "<!doctype html><p>A page.</p>"

const site =
  (robots: RequestListener, asked: Array<string> = []): RequestListener => (request, response) => {
    asked.push(request.url ?? "")
    if (request.url === "/robots.txt") return robots(request, response)
    response.writeHead(200, { "content-type": "text/html" }).end(page)
  }

const says = (status: number, text = ""): RequestListener => (_, response) =>
  void response.writeHead(status, { "content-type": "text/plain" }).end(text)

const ends = Effect.fnUntraced(function*(listener: RequestListener, path = "/a", name = "www") {
  const web = yield* internet({ site: listener })
  const { fetch } = yield* fetcher(web.network(), { robots: "respected", timeoutMs: 1_000 })
  return yield* outcome(fetch(`http://${name}.wikipedia.org${path}`))
})

describe("what a site asks of programs", () => {
  it.live("is followed, the rules for this one before those for all", () =>
    Effect.gen(function*() {
      const rules =
        "User-agent: *\nDisallow: /\n\nUser-agent: Web-Grounding\nDisallow: /private\n" +
        "Disallow: /*.cgi$\nAllow: /private/open\n"
      const at = (path: string) => ends(site(says(200, rules)), path)
      assert.strictEqual(yield* at("/a"), "fetched")
      assert.strictEqual(yield* at("/private/a"), "robots")
      assert.strictEqual(yield* at("/private/open"), "fetched")
      assert.strictEqual(yield* at("/x.cgi"), "robots")
      assert.strictEqual(yield* ends(site(says(200, "User-agent: *\nDisallow: /")), "/a"), "robots")
    }))

  it.live("is nothing where there is no file, and unknown where it cannot be read", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* ends(site(says(404))), "fetched")
      assert.strictEqual(yield* ends(site(says(401))), "fetched")
      assert.strictEqual(yield* ends(site(says(200, "<html>no rules</html>"))), "fetched")
      assert.strictEqual(yield* ends(site(says(429))), "robots")
      assert.strictEqual(yield* ends(site(says(503))), "robots")
      assert.strictEqual(yield* ends(site(says(200, "#".repeat(600 * 1_024)))), "robots")
      const circle: RequestListener = (_, response) =>
        void response.writeHead(302, { location: "/robots.txt" }).end()
      assert.strictEqual(yield* ends(site(circle)), "robots")
    }))

  it.live("is asked once an origin, also by many at once, and again of a redirect's host", () =>
    Effect.gen(function*() {
      const asked: Array<string> = []
      const web = yield* internet({
        site: site((request, response) => {
          const rules = request.headers.host?.startsWith("closed") === true ? "Disallow: /" : ""
          response.end(`User-agent: *\n${rules}`)
        }, asked)
      })
      const { fetch } = yield* fetcher(web.network(), { robots: "respected" })
      const many = Array.from({ length: 20 }, (_, page) => `http://www.wikipedia.org/${page}`)
      yield* Effect.forEach(many, fetch, { concurrency: 20 })
      assert.lengthOf(asked.filter((path) => path === "/robots.txt"), 1)
      assert.strictEqual(yield* outcome(fetch("http://closed.wikipedia.org/")), "robots")

      const led = yield* internet({
        site: (request, response) => {
          if (request.headers.host === "www.wikipedia.org" && request.url === "/away") {
            return void response.writeHead(302, { location: "http://closed.wikipedia.org/b" }).end()
          }
          const rules = request.headers.host === "closed.wikipedia.org" ? "Disallow: /b" : ""
          site(says(200, `User-agent: *\n${rules}`))(request, response)
        }
      })
      const { fetch: follow } = yield* fetcher(led.network(), { robots: "respected" })
      assert.strictEqual(yield* outcome(follow("http://www.wikipedia.org/away")), "robots")
    }))

  it.live("cannot make matching slow", () =>
    Effect.gen(function*() {
      const hostile = `User-agent: *\nDisallow: /${"*a".repeat(250_000)}b`
      const before = process.cpuUsage()
      const path = `/${"a".repeat(1_900)}`
      assert.strictEqual(yield* ends(site(says(200, hostile)), path), "robots")
      const { system, user } = process.cpuUsage(before)
      assert.isBelow((system + user) / 1_000, 1_000)
    }))

  it.live("is not asked when the operator says so", () =>
    Effect.gen(function*() {
      const asked: Array<string> = []
      const web = yield* internet({ site: site(says(200, "User-agent: *\nDisallow: /"), asked) })
      const { fetch } = yield* fetcher(web.network(), { robots: "ignored" })
      assert.strictEqual(yield* outcome(fetch("http://www.wikipedia.org/a")), "fetched")
      assert.deepStrictEqual(asked, ["/a"])
    }))
})

describe("politeness", () => {
  it.live("is two requests at a time to one host", () =>
    Effect.gen(function*() {
      let open = 0
      let most = 0
      const web = yield* internet({
        site: (_, response) => {
          most = Math.max(most, ++open)
          setTimeout(() => {
            open--
            response.writeHead(200, { "content-type": "text/html" }).end(page)
          }, 20)
        }
      })
      const { fetch } = yield* fetcher(web.network())
      const at = (name: string) =>
        Effect.forEach(Array.from({ length: 10 }), () => fetch(`http://${name}.wikipedia.org/`), {
          concurrency: 10
        })
      yield* at("www")
      assert.strictEqual(most, 2)
      yield* Effect.all([at("a"), at("b")], { concurrency: 2 })
      assert.strictEqual(most, 4)
    }))
})
