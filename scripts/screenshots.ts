/** Pictures of the pages for the documents, of a made-up day. Needs the browser of the tests. */
import { Effect, Layer } from "effect"
import { mkdirSync } from "node:fs"
import { fontFaces, launch, type Page } from "../test/support/browser.ts"
import { dayBefore, write, writeAlerts } from "../test/support/dashboardHistory.ts"
import { runDashboard } from "../test/support/dashboardService.ts"

const folder = "docs/images"

/** Until the charts are drawn, in milliseconds. */
const settleMs = 800
/** In percent: text stays sharp, and no picture is larger than 90 kB. */
const quality = 70

const sessionsCount = 700
const nowMs = Date.now()

const seeded = Layer.effectDiscard(Effect.gen(function*() {
  yield* write(dayBefore(nowMs, sessionsCount))
  yield* writeAlerts(nowMs)
}))

const session_id = "tenancy-chat-4d6d"
const question = "How much notice must a tenant give in Japan?"

const notes = [
  ["lease-desk", "Questions at the lease desk", "Most callers ask how long the notice period is."],
  ["handover", "Handing over a flat", "Keys are returned on the day on which the notice ends."]
] as const

const send = async (path: string, body: object) => {
  const answer = await fetch(service.address + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (!answer.ok) throw new Error(await answer.text())
}

/** Fonts that a machine without a desktop has not. */
const dressed = async (page: Page) => {
  for (const { data, family, weight } of fontFaces()) {
    await page.evaluate(
      `(async () => {
        const bytes = Uint8Array.from(atob(${JSON.stringify(data)}), (one) => one.charCodeAt(0))
        document.fonts.add(await new FontFace(${
        JSON.stringify(family)
      }, bytes, { weight: "${weight}" }).load())
      })()`
    )
  }
  await page.evaluate(
    "document.body.style.fontFamily = 'Noto Sans, Noto Sans KR, Noto Sans Arabic, sans-serif'"
  )
}

const views = [
  ["health", "/", async () => {}],
  ["sessions", "/sessions", async () => {}],
  ["session", `/sessions/${session_id}`, async (page: Page) => {
    await page.click(".claim details summary")
  }],
  ["evidence", "/evidence?query=notice+period", async () => {}],
  ["try", "/try", async (page: Page) => {
    await page.type("textarea", question)
  }],
  ["sign-in", "/sign-in", async () => {}]
] as const

const service = await runDashboard(seeded)
const browser = await launch(service.address)
mkdirSync(folder, { recursive: true })
try {
  const asked = { session_id, topic: question, consent_raw_content: true }
  await send("/v1/groundings", { ...asked, user_asked_for_facts: true })
  for (const [source_id, title, text] of notes) {
    await send("/v1/evidence", { material: { source_type: "user_note", source_id, title, text } })
  }
  for (const [name, path, prepare] of views) {
    const { page } = await browser.open()
    await page.goto(service.address + path, { waitUntil: "load" })
    await dressed(page)
    await prepare(page)
    await new Promise((resolve) => setTimeout(resolve, settleMs))
    await page.screenshot({ path: `${folder}/${name}.webp`, quality })
    await page.close()
  }
} finally {
  await browser.close()
  await service.end()
}
