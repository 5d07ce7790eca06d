/** Pictures of the pages for the documents, of a made-up day. Needs the browser of the tests. */
import { Effect, Layer } from "effect"
import { mkdirSync } from "node:fs"
import { attempt } from "../test/support/attempts.ts"
import { fontFaces, launch, type Page } from "../test/support/browser.ts"
import {
  dayBefore,
  grounded,
  subjects,
  write,
  writeAlerts
} from "../test/support/dashboardHistory.ts"
import { runDashboard } from "../test/support/dashboardService.ts"

const folder = "docs/images"

/** Until the charts are drawn, in milliseconds. */
const settleMs = 800

const sessionsCount = 700
const nowMs = Date.now()
const [japan] = subjects
if (japan === undefined) throw new Error("no subject")
const shown = { session_id: "tenancy-chat-4d6d", request_id: "turn-1", atMs: nowMs - 90_000 }

/** So long after the request came, in milliseconds. */
const after = (ms: number) => new Date(shown.atMs + ms).toISOString()

const seeded = Layer.effectDiscard(Effect.gen(function*() {
  yield* write(dayBefore(nowMs, sessionsCount))
  yield* writeAlerts(nowMs)
  yield* write([{
    sessionId: shown.session_id,
    atMs: shown.atMs,
    events: grounded(japan, shown, [
      attempt({
        key_slot: 2,
        status: "rate_limited",
        http_status: 429,
        duration_ms: 310,
        started_at: after(430)
      }),
      attempt({ key_slot: 3, duration_ms: 488, credits: 1, started_at: after(450) })
    ])
  }])
}))

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
  ["session", `/sessions/${shown.session_id}`, async (page: Page) => {
    await page.click(".claim details summary")
  }],
  ["evidence", "/evidence", async () => {}],
  ["try", "/try", async () => {}]
] as const

const service = await runDashboard(seeded)
const browser = await launch(service.address)
mkdirSync(folder, { recursive: true })
try {
  for (const theme of ["light", "dark"] as const) {
    for (const [name, path, prepare] of views) {
      const { page } = await browser.open({ theme })
      await page.goto(service.address + path, { waitUntil: "load" })
      await dressed(page)
      await prepare(page)
      await new Promise((resolve) => setTimeout(resolve, settleMs))
      await page.screenshot({ path: `${folder}/${name}-${theme}.png` })
      await page.close()
    }
  }
} finally {
  await browser.close()
  await service.end()
}
