/** What the largest bodies cost the service, compared with a good one. */
import { call, comparedWithIdle, frame, median, post, probe } from "./calls.ts"
import { type Database, startProvider, startService } from "./services.ts"

const bodyChars = 255 * 1_024
const bodiesCount = 40
const roundsMax = 3
const probeMs = 2_000

const filled = (open: string, part: string, close: string): string =>
  open + part.repeat(Math.floor((bodyChars - open.length - close.length) / part.length)) + close
const open = "{\"_tag\":\"Request\",\"id\":\"1\",\"tag\":\"GetSession\",\"headers\":[],\"payload\":"
const nested = Math.floor((bodyChars - open.length - 2) / 2)

const bodies: Readonly<Record<string, string>> = {
  keys: filled(`${open}{"a":1`, ",\"b\":1", "}}"),
  nesting: `${open}${"[".repeat(nested)}${"]".repeat(nested)}}`,
  "`{}` lines": filled("", "{}\n", ""),
  "one string": filled(`${open}{"session_id":"`, "x", "\"}}"),
  "escaped string": filled(`${open}{"session_id":"`, "\\u0041", "\"}}"),
  "32 frames of 60 strings": Array.from(
    { length: 32 },
    (_, index) =>
      frame(
        "GetSession",
        Object.fromEntries(
          Array.from({ length: 60 }, (_, key) => [`k${key}`, "x".repeat(110)])
        ),
        `f${index}`
      )
  ).join("")
}

export const dearBodies = async (database: Database): Promise<ReadonlyArray<string>> => {
  const provider = await startProvider(0)
  const service = await startService(database, provider.url)
  const good = frame("GetSession", { session_id: "none" })
  const cpuMsOf = async (body: string) => {
    const from = service.cpuSeconds()
    for (let sent = 0; sent < bodiesCount; sent++) await post(service, "/rpc", body)
    return (service.cpuSeconds() - from) * 1_000 / bodiesCount
  }
  try {
    for (let round = 0; round < 5; round++) await cpuMsOf(good)
    const read = () => call(service, "GetSession", { session_id: "none" })
    const idle = await probe(read, probeMs)
    const lines: Array<string> = []
    for (const [name, body] of Object.entries(bodies)) {
      const [dear, cheap]: [Array<number>, Array<number>] = [[], []]
      for (let round = 0; round < roundsMax; round++) {
        dear.push(await cpuMsOf(body))
        cheap.push(await cpuMsOf(good))
      }
      const sending = { on: true }
      const sender = (async () => {
        while (sending.on) await post(service, "/rpc", body)
      })()
      const loaded = await probe(read, probeMs)
      sending.on = false
      await sender
      lines.push(
        `${Math.round(body.length / 1_024)} KiB of ${name}: ${
          median(dear).toFixed(2)
        } ms of CPU, ` +
          `a good body ${median(cheap).toFixed(2)} ` +
          `(${(median(dear) / median(cheap)).toFixed(1)} x); a read beside them ` +
          comparedWithIdle(loaded, idle)
      )
    }
    return lines
  } finally {
    await service.stop()
    provider.stop()
  }
}
