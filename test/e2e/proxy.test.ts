import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import {
  certificateOf,
  sealedListening
} from "../../packages/safe-fetch/test/support/certificate.ts"
import {
  listening,
  playedProxy,
  portOf,
  proxyPassword
} from "../../packages/safe-fetch/test/support/webServers.ts"
import * as CommandLine from "../support/commandLine.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { compiled } from "../support/processes.ts"

const site = "www.wikipedia.org"
const question = "How much notice must a tenant give in Halvern?"
const sentence = "A tenant in Halvern must give a notice of seven weeks before leaving the flat."
const secrets = [
  proxyPassword,
  encodeURIComponent(proxyPassword),
  Buffer.from(`staff:${proxyPassword}`).toString("base64")
]

/** An engine, a model's server and a site whose names only the proxy knows. */
const corporateNetwork = Effect.gen(function*() {
  const { cert, key } = certificateOf(site)
  const engine = yield* listening((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({
      results: [{ url: `https://${site}/wiki/Halvern`, title: "Halvern", content: "Tenancy." }],
      unresponsive_engines: []
    }))
  })
  const model = yield* listening((_, response) => void response.writeHead(404).end("{}"))
  const pages = yield* sealedListening({ cert, key }, ({ url }, response) => {
    if (url === "/robots.txt") return void response.writeHead(404).end()
    response.writeHead(200, { "content-type": "text/html" }).end(
      `<title>Halvern</title><main><h1>Notice</h1><p>${sentence} ${
        "The town has a long history of letting. ".repeat(30)
      }</p></main>`
    )
  })
  const ports: Readonly<Record<string, number>> = {
    "search.corp:8080": portOf(engine),
    "models.corp:80": portOf(model),
    [`${site}:443`]: portOf(pages)
  }
  const proxy = yield* playedProxy((authority) => ports[authority])
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => preparedDirectory("wg-proxy-")),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const authority = `${directory}.pem`
  yield* Effect.acquireRelease(
    Effect.sync(() => writeFileSync(authority, cert)),
    () => Effect.sync(() => rmSync(authority))
  )
  const env = {
    WEB_GROUNDING_DATA_DIR: directory,
    PACK_CACHE_HOURS: "0",
    PACK_CACHE_TIMELY_HOURS: "0",
    SEARCH_PROVIDERS: "searxng",
    SEARXNG_BASE_URL: "http://search.corp:8080",
    LLM_GATE_MODEL: "small",
    LLM_BASE_URL: "http://models.corp/v1",
    LOCAL_READER_PROXY_RESOLVES: "true",
    http_proxy: proxy.address,
    HTTPS_PROXY: proxy.address,
    HTTP_PROXY: "",
    NO_PROXY: ""
  }
  return { authority, env, proxy }
})

const processed = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>) =>
  Effect.callback<string>((resume) => {
    const child = spawn(process.execPath, ["bin/wg.js", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env["PATH"], ...env, NODE_COMPILE_CACHE: compiled["NODE_COMPILE_CACHE"] }
    })
    let told = ""
    child.stdout.on("data", (chunk) => told += String(chunk))
    child.stderr.on("data", (chunk) => told += String(chunk))
    child.on("close", (code) => resume(Effect.succeed(`${told}\ncode ${code}`)))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

describe("a network in which only a proxy resolves names", () => {
  it.live("is grounded in, with the proxy's user and the company's own authority", () =>
    Effect.gen(function*() {
      const { authority, env, proxy } = yield* corporateNetwork
      const args = ["ground", question, "--session", "s", "--request", "r", "--json"]
      const grounded = yield* processed(args, {
        ...env,
        NODE_EXTRA_CA_CERTS: authority
      })
      assert.include(grounded, "seven weeks")
      assert.includeMembers(proxy.asked, [`${site}:443`])
      for (const part of ["http://search.corp:8080/search?", "http://models.corp/v1/chat/"]) {
        assert.isTrue(proxy.asked.some((asked) => asked.startsWith(part)), part)
      }
      const session = yield* Effect.promise(() => CommandLine.run(["session", "s", "--json"], env))
      assert.include(session.out, "WEB_GROUNDING_EVIDENCE_READ")
      for (const secret of secrets) {
        assert.notInclude(grounded, secret)
        assert.notInclude(session.out + session.err, secret)
      }

      const again = ["ground", question, "--session", "t", "--json"]
      const untrusting = yield* Effect.promise(() => CommandLine.run(again, env))
      assert.notInclude(untrusting.out, "seven weeks")
      assert.include(untrusting.out, "tls_failed")
    }))

  it.live("is served in, too", () =>
    Effect.gen(function*() {
      const { authority, env, proxy } = yield* corporateNetwork
      const service = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(process.execPath, ["bin/wg.js", "serve", "--port", "0"], {
            stdio: ["ignore", "pipe", "pipe"],
            env: {
              PATH: process.env["PATH"],
              ...env,
              NODE_EXTRA_CA_CERTS: authority,
              OTEL_EXPORTER_OTLP_ENDPOINT: "http://traces.corp:4318",
              OTEL_BSP_SCHEDULE_DELAY: "100"
            }
          })
        ),
        (child) => Effect.sync(() => child.kill("SIGKILL"))
      )
      const told: Array<string> = []
      const url = yield* Effect.callback<string>((resume) => {
        const heard = (chunk: unknown) => {
          told.push(String(chunk))
          const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(told.join("")) ?? []
          if (found !== undefined) resume(Effect.succeed(found))
        }
        service.stdout.on("data", heard)
        service.stderr.on("data", heard)
      })
      const answer = yield* Effect.promise(() =>
        fetch(`${url}/v1/groundings`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ session_id: "s", topic: question, user_asked_for_facts: true })
        }).then((response) => response.text())
      )
      assert.include(answer, "seven weeks")
      assert.includeMembers(proxy.asked, [`${site}:443`])
      const traces = "http://traces.corp:4318/v1/traces"
      for (let waits = 0; waits < 100 && !proxy.asked.includes(traces); waits++) {
        yield* Effect.sleep("100 millis")
      }
      assert.includeMembers(proxy.asked, [traces])
      for (const secret of secrets) assert.notInclude(told.join("") + answer, secret)
    }))

  it.live("says what it could not reach where the proxy knows another password", () =>
    Effect.gen(function*() {
      const { env, proxy } = yield* corporateNetwork
      const wrong = proxy.address.replace(/:[^:@/]+@/, ":CANARY-of-another@")
      const args = ["ground", question, "--session", "s"]
      const { err, out } = yield* Effect.promise(() =>
        CommandLine.run(args, { ...env, http_proxy: wrong, HTTPS_PROXY: wrong })
      )
      assert.isAbove(proxy.refusals(), 0)
      assert.lengthOf(proxy.asked, 0)
      assert.notInclude(out + err, "CANARY")
    }))
})
