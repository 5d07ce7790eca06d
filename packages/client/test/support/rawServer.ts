/** Servers of bytes on loopback, and a line to another server that faults can be put into. */
import { connect, createServer, type Socket } from "node:net"

const host = "127.0.0.1"

export interface RawServer {
  readonly url: string
  /** Each request as it came, head and body, in order. */
  readonly requests: Array<string>
  /** Connections that are open now. */
  readonly open: () => number
  readonly close: () => void
}

/** Ends with `close`, and so do its connections. */
export const listening = (
  onConnection: (socket: Socket, server: RawServer) => void
): Promise<RawServer> =>
  new Promise((resolve) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on("error", () => {}).on("close", () => sockets.delete(socket))
      onConnection(socket, raw)
    })
    const raw = {
      url: "",
      requests: new Array<string>(),
      open: () => sockets.size,
      close: () => {
        for (const socket of sockets) socket.destroy()
        server.close()
      }
    }
    server.listen(0, host, () => {
      const address = server.address()
      raw.url = `http://${host}:${typeof address === "object" ? address?.port : 0}`
      resolve(raw)
    })
  })

const isWhole = (text: string): boolean => {
  const [head = "", ...body] = text.split("\r\n\r\n")
  if (body.length === 0) return false
  const length = /^content-length: (\d+)/im.exec(head)?.[1] ?? "0"
  return Buffer.byteLength(body.join("\r\n\r\n")) >= Number(length)
}

/** Calls back with each whole request of a connection that is used once. */
export const answering = (
  answer: (socket: Socket, request: string, count: number) => void
): Promise<RawServer> =>
  listening((socket, { requests }) => {
    let text = ""
    socket.on("data", (data) => {
      text += String(data)
      if (!isWhole(text)) return
      requests.push(text)
      answer(socket, text, requests.length)
      text = ""
    })
  })

/** A line to a server. `through` is given each piece that comes back, and may end the line. */
export const line = (
  target: string,
  through: (piece: Buffer, socket: Socket, connection: number) => void
): Promise<RawServer> => {
  let connections = 0
  return listening((socket, { requests }) => {
    connections += 1
    const connection = connections
    const upstream = connect(Number(new URL(target).port), host)
    upstream.on("error", () => socket.destroy())
    socket.on("data", (data) => {
      requests.push(String(data))
      upstream.write(data)
    })
    upstream.on("data", (data) => through(Buffer.from(data), socket, connection))
      .on("end", () => socket.end())
    socket.on("close", () => upstream.destroy())
  })
}

/** The value of a header of a request; `undefined` where it has none. */
export const headerOf = (request: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, "im").exec(request.split("\r\n\r\n")[0] ?? "")?.[1]?.trim()

/** The JSON of a request's body. */
export const bodyOf = (request: string): Readonly<Record<string, unknown>> => {
  const value: unknown = JSON.parse(request.split("\r\n\r\n").slice(1).join("\r\n\r\n"))
  return typeof value === "object" && value !== null ? { ...value } : {}
}

/** A whole answer over HTTP, after which the connection ends. */
export const whole = (
  status: string,
  body: string,
  headers: Readonly<Record<string, string>> = {}
): string =>
  [
    `HTTP/1.1 ${status}`,
    ...Object.entries({ "Content-Type": "application/json", ...headers })
      .map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Connection: close",
    "",
    body
  ].join("\r\n")

/** The head of an answer that goes on until the connection ends. */
export const eventsHead =
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
