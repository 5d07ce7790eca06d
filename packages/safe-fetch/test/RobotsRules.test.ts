import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { RequestListener } from "node:http"
import * as RobotsRules from "../src/RobotsRules.ts"
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

  it.live("is read behind five redirects for the site that sent them, and nowhere inside", () =>
    Effect.gen(function*() {
      const led = (hops: number): RequestListener => ({ url = "" }, response) => {
        const hop = url === "/robots.txt" ? 0 : Number(/^\/hop(\d)$/.exec(url)?.[1] ?? NaN)
        if (hop < hops) {
          const location = `http://r${hop}.wikipedia.org/hop${hop + 1}`
          return void response.writeHead(301, { location }).end()
        }
        const isRules = hop === hops
        response.writeHead(200, { "content-type": isRules ? "text/plain" : "text/html" })
          .end(isRules ? "User-agent: *\nDisallow: /closed" : page)
      }
      assert.deepStrictEqual(
        [
          yield* ends(led(5), "/closed"),
          yield* ends(led(5), "/open"),
          yield* ends(led(6), "/open")
        ],
        ["robots", "fetched", "robots"]
      )
      const web = yield* internet({
        site: site((_, response) =>
          void response.writeHead(302, { location: "http://127.0.0.1/robots.txt" }).end()
        )
      })
      const { fetch } = yield* fetcher(web.network(), { robots: "respected" })
      assert.strictEqual(
        yield* outcome(fetch("http://www.wikipedia.org/")),
        "address_forbidden"
      )
      assert.deepStrictEqual([web.canaryHits(), web.dials.length], [0, 1])
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

  it.live("costs what its size and the path's allow, however often it says a thing", () =>
    Effect.gen(function*() {
      const before = process.cpuUsage()
      const path = `/${"a".repeat(1_900)}`
      const starred = `User-agent: *\nDisallow: /${"*a".repeat(250_000)}b`
      assert.strictEqual(yield* ends(site(says(200, starred)), path), "robots")
      const repeated = "user-agent:*\n".repeat(20_000) + "allow:/\n".repeat(30_000)
      assert.strictEqual(yield* ends(site(says(200, repeated))), "fetched")
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

describe("a rule", () => {
  const allows = (text: string, path: string) =>
    RobotsRules.isAllowed(RobotsRules.rulesOf(text, "web-grounding/1.0") ?? [], path)

  it("matches from the path's start, over stars, to the end where it says so", () => {
    const cases: ReadonlyArray<readonly [pattern: string, path: string, doesMatch: boolean]> = [
      ["/a", "/ab?c", true],
      ["/a", "/b/a", false],
      ["/a$", "/a", true],
      ["/a$", "/ab", false],
      ["/*.cgi$", "/x.cgi.cgi", true],
      ["/*.cgi$", "/x.cgi?", false],
      ["/a*ba$", "/aba", true],
      ["/ab*ba$", "/aba", false],
      ["*/b*c", "/a/b/d/c/e", true],
      ["/*c*b", "/b/c", false],
      ["/a$b", "/a$bc", true],
      ["/ü", "/%c3%bc", true],
      ["/%e3", "/%E3%81", true]
    ]
    for (const [pattern, path, doesMatch] of cases) {
      const said = `User-agent: *\nDisallow: ${pattern} # why`
      assert.strictEqual(allows(said, path), !doesMatch, `${pattern} ${path}`)
    }
  })

  it("yields to a longer one, and to one that allows of the same length", () => {
    assert.isTrue(allows("User-agent: *\nDisallow: /a\nAllow: /ab", "/abc"))
    assert.isFalse(allows("User-agent: *\nAllow: /a\nDisallow: /ab", "/abc"))
    assert.isTrue(allows("User-agent: *\nAllow: /a\nDisallow: /a\nDisallow: /*", "/a"))
  })

  it("holds for the agents named right before it, those of one name in several groups", () => {
    const said = "User-agent: other\nCrawl-delay: 1\nUser-agent: Web-Grounding\nuser-agent: b\n" +
      "Disallow: /one\n\nUser-agent: other\nDisallow: /two\n\nUser-agent: web-grounding/2\n" +
      "Disallow: /three\n\nUser-agent: *\nDisallow: /\n"
    assert.deepStrictEqual(["/one", "/two", "/three", "/four"].map((path) => allows(said, path)), [
      false,
      true,
      false,
      true
    ])
  })

  it("is not read of a list that no honest site writes", () => {
    const rules = (count: number) =>
      Array.from({ length: count }, (_, page) => `Disallow: /${page}\n`).join("")
    const read = (text: string) => RobotsRules.rulesOf(`User-agent: *\n${text}`, "web-grounding")
    assert.lengthOf(read(rules(5_000)) ?? [], 5_000)
    assert.isUndefined(read(rules(5_001)))
    assert.isUndefined(read(`Disallow: /${"a".repeat(200_000)}`))
    assert.lengthOf(read(rules(2).repeat(10_000)) ?? [], 2)
  })
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
