/** The pages in a real browser: what they show, that they stay whole, and that nothing runs in them. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll } from "vitest"
import { attempt } from "../support/attempts.ts"
import * as Browsers from "../support/browser.ts"
import { dayBefore, grounded, subjects, write, writeAlerts } from "../support/dashboardHistory.ts"
import { runDashboard, type Running } from "../support/dashboardService.ts"

const run = "window.__ran=1"

const elements = [
  `<script>${run}</script>`,
  `</script><script>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `<svg onload=${run}>`,
  `<svg><script>${run}</script></svg>`,
  `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
  `<iframe src="https://outside.example/"></iframe>`,
  `<body onload=${run}>`,
  `<input autofocus onfocus=${run}>`,
  `<details open ontoggle=${run}>`,
  `<video><source onerror=${run}></video>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${run}>`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<link rel=stylesheet href=https://outside.example/a.css>`,
  `<style>*{background:url(https://outside.example/a)}</style>`,
  `<meta http-equiv=refresh content="0;url=https://outside.example/">`,
  `<base href=https://outside.example/>`,
  `<form action=https://outside.example/><button>x</button></form>`,
  `<object data=https://outside.example/></object>`,
  `<embed src=https://outside.example/>`,
  `<template><img src=x onerror=${run}></template>`,
  `<a href="javascript:${run}">x</a>`,
  `<marquee onstart=${run}>`,
  `<textarea></textarea><script>${run}</script>`,
  `<title></title><script>${run}</script>`,
  `<!--><script>${run}</script>-->`,
  `<![CDATA[<script>${run}</script>]]>`,
  `<xmp><script>${run}</script></xmp>`,
  `<div style="background:url(https://outside.example/)">`,
  `<p id=main data-part=list data-post=/sign-out data-try>`
]

const around = [
  (text: string) => text,
  (text: string) => `"${text}`,
  (text: string) => `'>"${text}<"`,
  (text: string) => `" onmouseover="${run}" x="${text}`
]

/** 120 in all. */
const hostilePayloads: ReadonlyArray<string> = around.flatMap((wrap) => elements.map(wrap))

const nowMs = Date.now()
const [japan, seoul] = subjects
if (japan === undefined || seoul === undefined) throw new Error("no subjects")
const ids = { session_id: "marked", request_id: "turn-1", atMs: nowMs - 60_000 }

const seeded = Layer.effectDiscard(Effect.gen(function*() {
  yield* write(dayBefore(nowMs, 130))
  yield* writeAlerts(nowMs)
  const made = grounded(seoul, ids, [attempt({ credits: 1 })])
  yield* write([{ sessionId: "marked", atMs: ids.atMs, events: made }])
}))

const isFull = process.env["WG_TEST_FULL"] === "1"

/** Fields of a page, each with a payload of its own; in the full tests each field has every one. */
const hostile = Array.from(
  { length: isFull ? hostilePayloads.length : hostilePayloads.length / 4 },
  (_, index) => {
    const payloadAt = (field: number) =>
      hostilePayloads[(isFull ? index + field : index * 4 + field) % hostilePayloads.length] ?? ""
    const of = { session_id: `h${index}`, request_id: "turn-1", atMs: nowMs - 30_000 }
    const subject = {
      ...japan,
      question: payloadAt(0).slice(0, 300),
      before: payloadAt(2),
      quote: `${payloadAt(1)} stands here.`,
      after: payloadAt(3),
      title: payloadAt(3).slice(0, 80)
    }
    const events = grounded(subject, of, [attempt({ detail: payloadAt(2).slice(0, 60) })])
    return { sessionId: of.session_id, atMs: of.atMs, events }
  }
)

/** In the full tests each theme at each width. */
const looks = isFull
  ? [["light", 390], ["light", 1_280], ["dark", 390], ["dark", 1_280]] as const
  : [["light", 1_280], ["dark", 390]] as const

const views = ["/", "/sessions", "/sessions?state=failed", "/sessions/marked", "/evidence", "/try"]

const missing = Browsers.missing
const suite = missing === undefined ? describe : describe.skip

suite(`the pages in a browser${missing === undefined ? "" : ` (skipped: ${missing})`}`, () => {
  let service: Running
  let browser: Browsers.Browser
  beforeAll(async () => {
    service = await runDashboard(seeded)
    browser = await Browsers.launch(service.address)
  })
  afterAll(async () => {
    await browser?.close()
    await service?.end()
  })

  it("are whole, quiet and accessible, light and dark, on a phone and on a wide screen", async () => {
    for (const [theme, width] of looks) {
      const { met, page } = await browser.open({ theme, width })
      for (const view of views) {
        const answer = await page.goto(service.address + view, { waitUntil: "load" })
        assert.strictEqual(answer.status(), 200, view)
        const menu = await page.$(".menu > summary")
        if (menu !== null) await menu.click()
        assert.deepStrictEqual(await browser.audit(page), [], `${view} ${theme} ${width}`)
        const beyond = "document.documentElement.scrollWidth - innerWidth"
        assert.isAtMost(await page.evaluate(beyond), 0, `${view} ${width}`)
      }
      assert.deepStrictEqual(met, { messages: [], outside: [] })
      await page.close()
    }
  })

  it("show charts, a quotation in its text, and disputes side by side", async () => {
    const { page } = await browser.open()
    await page.goto(`${service.address}/`, { waitUntil: "load" })
    await page.waitForSelector(".chart canvas")
    assert.strictEqual(await page.evaluate("document.querySelectorAll('.chart canvas').length"), 4)
    assert.include(await page.evaluate("document.body.innerText"), "Key 2 of tavily rests")
    await page.goto(`${service.address}/sessions/marked`, { waitUntil: "load" })
    await page.click(".claim details summary")
    const source = ".claim details[open] .source"
    assert.strictEqual(
      await page.$eval(`${source} mark`, (mark: any) => mark.innerText),
      seoul.quote
    )
    assert.include(await page.$eval(source, (quote: any) => quote.innerText), seoul.after.trim())
    assert.lengthOf(await page.$$(".versus > div"), 2)
    await page.close()
  })

  it("filter as a viewer types, bring more at the end, and are used by the keyboard", async () => {
    const { page } = await browser.open()
    await page.goto(`${service.address}/sessions`, { waitUntil: "load" })
    const rows = () => page.$$eval("[data-rows] > tr", (all: any) => all.length)
    assert.strictEqual(await rows(), 100)
    await page.evaluate("scrollTo(0, document.body.scrollHeight)")
    await page.waitForFunction("document.querySelectorAll('[data-rows] > tr').length === 131")
    await page.reload({ waitUntil: "load" })
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.evaluate("document.activeElement.className"), "skip")
    await page.focus("#words")
    await page.keyboard.type("전입신고")
    await page.waitForFunction("document.querySelectorAll('[data-rows] > tr').length < 100")
    assert.include(page.url(), "words=")
    const texts = await page.$$eval(
      "[data-rows] > tr a",
      (all: any) => all.map((one: any) => one.innerText)
    )
    assert.isTrue(texts.every((text: string) => text === seoul.question))
    assert.strictEqual(await page.evaluate("document.activeElement.id"), "words")
    await page.close()
  })

  it("answer a question in front of the asker, and replay it", async () => {
    const { met, page } = await browser.open()
    await page.goto(`${service.address}/try`, { waitUntil: "load" })
    await page.type("textarea", "How much notice must a tenant give in Japan?")
    await page.type("input[name=session_id]", "asked-by-hand")
    await page.keyboard.press("Enter")
    await page.waitForFunction("location.pathname.startsWith('/sessions/')")
    await page.waitForSelector(".claim")
    assert.include(await page.evaluate("document.body.innerText"), "official")
    await page.click("button[data-post]")
    await page.waitForSelector("#verdict .notice")
    assert.include(await page.$eval("#verdict", (told: any) => told.innerText), "Identical")
    await page.click("button[data-post$='/verify']")
    await page.waitForFunction(
      "document.querySelector('#verdict').innerText.includes('are as they were recorded')"
    )
    await page.click(".menu > summary")
    assert.deepStrictEqual(await browser.audit(page), [])
    const address = await page.$eval("a[href$='/export']", (link: any) => link.href)
    const file = await page.evaluate(`fetch(${JSON.stringify(address)}).then((answer) =>
      answer.text().then((text) => [answer.headers.get("content-disposition"), text]))`)
    assert.strictEqual(file[0], "attachment; filename=\"session.jsonl\"")
    const kinds = file[1].trim().split("\n").map((line: string) => JSON.parse(line).line)
    assert.deepStrictEqual([...new Set(kinds)], ["header", "session", "event", "end"])
    assert.deepStrictEqual(met, { messages: [], outside: [] })
    await page.close()
  })

  it("take up what is new, and keep what they show while the service is away", async () => {
    const { page } = await browser.open()
    await page.goto(`${service.address}/sessions`, { waitUntil: "load" })
    await service.run(write([{
      sessionId: "just-now",
      atMs: Date.now(),
      events: grounded(japan, { ...ids, session_id: "just-now", atMs: Date.now() }, [attempt()])
    }]))
    await page.waitForFunction("document.body.innerText.includes('just-now')")
    await service.setAway(true)
    await page.waitForFunction("!document.querySelector('[data-banner]').hidden")
    assert.include(await page.evaluate("document.body.innerText"), "just-now")
    const other = await browser.open()
    const answer = await other.page.goto(`${service.address}/sessions`, { waitUntil: "load" })
    assert.strictEqual(answer.status(), 503)
    assert.include(
      await other.page.evaluate("document.body.innerText"),
      "The database cannot be reached"
    )
    assert.deepStrictEqual(await browser.audit(other.page), [])
    await service.setAway(false)
    await other.page.waitForSelector("[data-rows]")
    await page.waitForFunction("document.querySelector('[data-banner]').hidden", {
      timeout: 90_000
    })
    await page.close()
    await other.page.close()
  })

  it("run nothing and load nothing of what they show", async () => {
    await service.run(write(hostile))
    const { met, page } = await browser.open()
    await page.evaluateOnNewDocument(
      "addEventListener('securitypolicyviolation', (e) => console.log('policy', e.violatedDirective))"
    )
    const shown = ["/sessions?words=h", ...hostile.map(({ sessionId }) => `/sessions/${sessionId}`)]
    for (const path of shown) {
      await page.goto(service.address + path, { waitUntil: "load" })
      await page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true })")
      assert.isUndefined(await page.evaluate("window.__ran"), path)
      const hrefs = await page.$$eval("a[href]", (all: any) => all.map((one: any) => one.protocol))
      assert.sameMembers([...new Set(hrefs)].filter((one) => !/^https?:$/.test(String(one))), [])
    }
    assert.deepStrictEqual(met, { messages: [], outside: [] })
    await page.close()
  })

  it("say what is to be done where nothing was asked yet, or nothing is there", async () => {
    const unasked = await runDashboard(Layer.empty)
    const { met, page } = await browser.open({ width: 390, theme: "dark" })
    const said = [
      ["/", "Ask something under Try it"],
      ["/sessions", "Ask something under Try it"],
      ["/sessions?words=nothing", "Show all sessions"],
      ["/evidence", "The store is empty"],
      ["/sessions/none", "No session none is recorded"]
    ] as const
    for (const [path, text] of said) {
      await page.goto(unasked.address + path, { waitUntil: "load" })
      assert.include(await page.evaluate("document.body.innerText"), text, path)
      assert.isAtMost(await page.evaluate("document.querySelector('nav').offsetHeight"), 120, path)
      assert.deepStrictEqual(await browser.audit(page), [], path)
    }
    assert.deepStrictEqual(met.messages.filter((one) => !one.includes("404")), [])
    await page.close()
    await unasked.end()
  })

  it("are whole without their script", async () => {
    const { page } = await browser.open({ scripts: false })
    await page.goto(`${service.address}/sessions?state=failed`, { waitUntil: "load" })
    assert.include(await page.content(), "Failed only")
    assert.include(await page.content(), "chip bad")
    await page.close()
  })

  it("are not needed to verify a receipt: the verifier's own page does, from the disk", async () => {
    const { met, page } = await browser.open()
    const file = (name: string) => resolve("verifiers", name)
    await page.goto(pathToFileURL(file("verify.html")).href)
    await page.type("#key", readFileSync(file("vectors/public.pem"), "utf8"))
    const told = async (name: string) => {
      await (await page.$("#receipt")).uploadFile(file(`vectors/${name}`))
      await page.click("#verify")
      const result = "document.getElementById('result').textContent"
      await page.waitForFunction(`${result} !== ""`)
      return page.evaluate(result)
    }
    assert.match(
      await told("whole.json"),
      /^Verified: session \S+, request \S+, claims: \d+ of \d+, recorded \S+, anchored \S+$/
    )
    assert.match(await told("refused.json"), /^Refused: /)
    assert.deepStrictEqual(met.messages, [])
    await page.close()
  })
})
