/** Servers on loopback in the places of a collector of traces and of everything with a key. */
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"

export interface Heard {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Listens on a free port until `close`; keeps what it was asked. */
export const answering = async (answer: (asked: Heard) => Answer) => {
  const heard: Array<Heard> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const asked = {
        path: request.url ?? "",
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8")
      }
      heard.push(asked)
      const { body, status } = answer(asked)
      response.writeHead(status, { "content-type": "application/json" })
      response.end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    heard,
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

/** A span as OTLP's JSON has it, with its attributes by name. */
export interface SentSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Every span that a collector was sent as JSON. */
export const spansOf = (heard: ReadonlyArray<Heard>): ReadonlyArray<SentSpan> =>
  heard.filter(({ path }) => path === "/v1/traces").flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((resource: any) =>
      resource.scopeSpans.flatMap(({ spans }: any) =>
        spans.map((span: any) => ({
          ...span,
          attributes: Object.fromEntries(
            span.attributes.map(({ key, value }: any) => [key, Object.values(value)[0]])
          )
        }))
      )
    )
  )
