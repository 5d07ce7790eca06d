/**
 * Honest callers of a service whose other callers read a hostile site: an endless robots.txt, pages of
 * numbers, redirects without end, bombs, and results with odd characters.
 */
import { readFileSync } from "node:fs"
import { servedSandbox } from "../../test/support/servedSandbox.ts"
import { ms, quantile } from "./calls.ts"

const honestCallers = 10
const hostileCallers = 2
const roundMs = 20_000
const liveEveryMs = 25
/** For memory to be given back. */
const restMs = 5_000

const questions = [
  "How much notice must a tenant give in Japan?",
  "What does a tram ride in Halvern cost?",
  "How long may a tourist stay in Korea without a visa?",
  "What is the minimum wage in Germany?"
]
const words = ["numbers", "redirect-loop", "pdf-bomb", "gzip-bomb", "huge", "drip"]
const hostilePages = words.map((word) => `http://hostile.example/_fault/${word}`)

interface Served {
  readonly address: string
  readonly rssMib: () => number
}

const post = (address: string, path: string, body: object) =>
  fetch(`${address}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer any" },
    body: JSON.stringify(body)
  }).then(async (response) => ({ status: response.status, text: await response.text() }))

/** Asks for the whole round, one call after another, and gives what each took in milliseconds. */
const asking = async (untilMs: number, ask: (count: number) => Promise<{ status: number }>) => {
  const took: Array<number> = []
  const statuses = new Map<number, number>()
  for (let count = 0; performance.now() < untilMs; count++) {
    const startMs = performance.now()
    const { status } = await ask(count)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    took.push(performance.now() - startMs)
  }
  return { took, statuses }
}

const grounded = (served: Served, session_id: string, fields: object = {}) =>
  post(served.address, "/v1/groundings", {
    session_id,
    request_id: "r",
    topic: questions[session_id.length % questions.length],
    phase: "mid_chat",
    user_asked_for_facts: true,
    ...fields
  })

const round = async (served: Served, name: string, hostile: number) => {
  const untilMs = performance.now() + roundMs
  const live: Array<number> = []
  const watched = (async () => {
    while (performance.now() < untilMs) {
      const startMs = performance.now()
      await (await fetch(`${served.address}/livez`)).text()
      live.push(performance.now() - startMs)
      await new Promise((resolve) => setTimeout(resolve, liveEveryMs))
    }
  })()
  let rssMax = 0
  const weighed = setInterval(() => {
    rssMax = Math.max(rssMax, served.rssMib())
  }, 100)
  const attacks = Array.from(
    { length: hostile },
    (_, caller) =>
      asking(untilMs, (count) =>
        count % 2 === 0
          ? post(served.address, "/extract", {
            urls: hostilePages.map((url) => `${url}?${caller}-${count}`)
          })
          : grounded(served, `${name}-hostile-${caller}-${count}`, {
            overrides: { queries: [`notice fault:hostile ${caller} ${count}`] }
          }))
  )
  const honest = await Promise.all(
    Array.from(
      { length: honestCallers },
      (_, caller) =>
        asking(untilMs, (count) =>
          grounded(served, `${name}-${caller}-${count}`, {
            topic: `${questions[(caller + count) % questions.length]} (${name} ${caller} ${count})`
          }))
    )
  )
  await Promise.all([watched, ...attacks])
  clearInterval(weighed)
  const took = honest.flatMap(({ took }) => took)
  const failed = honest.flatMap(({ statuses }) =>
    [...statuses].filter(([status]) => status !== 200).map(([status, count]) =>
      `${count} x ${status}`
    )
  )
  const attacked = await Promise.all(attacks)
  return {
    p95: quantile(took, 0.95),
    count: took.length,
    failed,
    live: Math.max(...live),
    rssMax,
    attacks: attacked.flatMap(({ took }) => took).length
  }
}

export const hostileSite = async (): Promise<ReadonlyArray<string>> => {
  const { address, end, pid } = await servedSandbox()
  const rssMib = () =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024
  const served = { address, rssMib }
  try {
    await round(served, "warm", 0)
    const rest = rssMib()
    const alone = await round(served, "alone", 0)
    const beside = await round(served, "beside", hostileCallers)
    await new Promise((resolve) => setTimeout(resolve, restMs))
    return [
      `alone: ${alone.count} answers, p95 ${ms(alone.p95)}, /livez at most ${
        ms(alone.live)
      } ${alone.failed}`,
      `beside ${beside.attacks} hostile calls: ${beside.count} answers, p95 ${ms(beside.p95)} ` +
      `(${(beside.p95 / alone.p95).toFixed(2)} times), /livez at most ${
        ms(beside.live)
      } ${beside.failed}`,
      `memory: ${Math.round(rest)} MiB at rest, ${Math.round(alone.rssMax)} at most alone, ` +
      `${Math.round(beside.rssMax)} beside, ${Math.round(rssMib())} after`
    ]
  } finally {
    end()
  }
}
