/**
 * A pooler in transaction mode, as pgbouncer 1.18 is one, where no pgbouncer is installed.
 *
 * It speaks PostgreSQL's wire protocol on both sides. A client has one of the server's connections
 * from its first message until the server says that no transaction is open, and nothing of the
 * client's is kept for the next time. Clients are let in without a password and become the user of
 * the server's address, as with pgbouncer's `auth_type = any`.
 */
import { createServer, type Server, Socket } from "node:net"

/** Parameters of a client's start that pgbouncer 1.18 knows. */
const known = [
  "user",
  "database",
  "client_encoding",
  "datestyle",
  "timezone",
  "standard_conforming_strings",
  "application_name"
]

const sslRequest = 80_877_103
const cancelRequest = 80_877_102
const protocol = 196_608

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(type.length + 4)
  head.write(type, "latin1")
  head.writeInt32BE(body.length + 4, type.length)
  return Buffer.concat([head, body])
}

const texts = (...parts: ReadonlyArray<string>): Buffer => Buffer.from(`${parts.join("\0")}\0`)

const int = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

const refusal = (code: string, text: string): Buffer =>
  message("E", texts("SFATAL", `C${code}`, `M${text}`, ""))

/** Calls back with each whole message; the first of a client has no type. */
const framed = (
  socket: Socket,
  start: "typed" | "untyped",
  take: (type: string, whole: Buffer, body: Buffer) => "typed" | "untyped" | void
) => {
  socket.setNoDelay(true)
  let [rest, form]: [Buffer, "typed" | "untyped"] = [Buffer.alloc(0), start]
  socket.on("data", (chunk) => {
    rest = Buffer.concat([rest, Buffer.from(chunk)])
    for (;;) {
      const head = form === "typed" ? 1 : 0
      if (rest.length < head + 4) return
      const length = head + rest.readInt32BE(head)
      if (rest.length < length) return
      const [whole, left] = [rest.subarray(0, length), rest.subarray(length)]
      rest = left
      form = take(
        head === 1 ? String.fromCharCode(whole[0] ?? 0) : "",
        whole,
        whole.subarray(head + 4)
      ) ?? form
    }
  })
  socket.on("error", () => socket.destroy())
}

interface Client {
  readonly socket: Socket
  /** Messages that wait for a connection of the server's. */
  readonly waiting: Array<Buffer>
  backend: Backend | undefined
  /** Answers that are to come until nothing of the client's is under way. */
  owed: number
}

interface Backend {
  readonly socket: Socket
  client: Client | undefined
  /** What the server said of itself when the connection began. */
  readonly greeting: Array<Buffer>
}

export interface StandInOptions {
  /** Connections of the server that all clients share. */
  readonly connectionsMax: number
  /** Further parameters of a start that are dropped without a word. */
  readonly ignored: ReadonlyArray<string>
}

export class StandInPooler {
  readonly #server: Server
  readonly #target: URL
  readonly #connectionsMax: number
  readonly #known: ReadonlyArray<string>
  readonly #idle: Array<Backend> = []
  readonly #queue: Array<Client> = []
  readonly #sockets = new Set<Socket>()
  #backends = 0
  #clients = 0
  #isClosed = false

  constructor(target: string, { connectionsMax, ignored }: StandInOptions) {
    this.#target = new URL(target)
    this.#connectionsMax = connectionsMax
    this.#known = [...known, ...ignored]
    this.#server = createServer((socket) => this.#welcome(socket))
    // It may end before a client wants to know.
    this.#greeted.catch(() => {})
  }

  /** The pooler's own address, with the target's database. */
  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject)
      this.#server.listen(0, "127.0.0.1", () => {
        const address = this.#server.address()
        if (address === null || typeof address === "string") return reject(new Error("no port"))
        const url = new URL(this.#target)
        url.port = String(address.port)
        resolve(url.href)
      })
    })
  }

  close(): Promise<void> {
    this.#isClosed = true
    for (const socket of this.#sockets) socket.destroy()
    return new Promise((resolve) => this.#server.close(() => resolve()))
  }

  #welcome(socket: Socket) {
    this.#sockets.add(socket)
    const client: Client = { socket, waiting: [], backend: undefined, owed: 0 }
    framed(socket, "untyped", (type, whole, body) => {
      if (type !== "") return this.#heard(client, type, whole)
      const code = body.readInt32BE(0)
      if (code === sslRequest) {
        socket.write("N")
        return "untyped"
      }
      if (code === cancelRequest) {
        socket.destroy()
        return "untyped"
      }
      this.#started(client, body.subarray(4))
      return "typed"
    })
    socket.once("close", () => {
      this.#sockets.delete(socket)
      const place = this.#queue.indexOf(client)
      if (place !== -1) this.#queue.splice(place, 1)
      // A connection in the midst of a transaction is of no use.
      client.backend?.socket.destroy()
    })
  }

  #started(client: Client, parameters: Buffer) {
    const names = parameters.toString().split("\0").filter((_, index) => index % 2 === 0)
    const unknown = names.find((name) => name !== "" && !this.#known.includes(name.toLowerCase()))
    if (unknown !== undefined) {
      client.socket.end(refusal("08P01", `unsupported startup parameter: ${unknown}`))
      return
    }
    this.#clients += 1
    const greet = (greeting: ReadonlyArray<Buffer>) => {
      const own = message("K", Buffer.concat([int(-1 - this.#clients), int(this.#clients)]))
      const idle = message("Z", Buffer.from("I"))
      client.socket.write(Buffer.concat([message("R", int(0)), ...greeting, own, idle]))
    }
    this.#greeted.then(
      greet,
      (reason: unknown) =>
        client.socket.end(refusal("08P01", reason instanceof Error ? reason.message : "unknown"))
    )
  }

  /** What the server says of itself, known from the first connection on. */
  readonly #greeted = new Promise<ReadonlyArray<Buffer>>((resolve, reject) => {
    queueMicrotask(() => this.#connect(resolve, reject))
  })

  #heard(client: Client, type: string, whole: Buffer) {
    if (type === "X") {
      client.socket.end()
      return
    }
    // A query, a sync, and a call of a function are each answered by one `ReadyForQuery`.
    if (type === "Q" || type === "S" || type === "F") client.owed += 1
    if (client.backend !== undefined) {
      client.backend.socket.write(whole)
      return
    }
    client.waiting.push(whole)
    if (!this.#queue.includes(client)) this.#queue.push(client)
    this.#match()
  }

  #match() {
    while (this.#queue.length > 0) {
      const backend = this.#idle.pop()
      if (backend === undefined) {
        if (this.#backends < this.#connectionsMax && !this.#isClosed) this.#connect()
        return
      }
      const client = this.#queue.shift()
      if (client === undefined) return
      backend.client = client
      client.backend = backend
      for (const whole of client.waiting.splice(0)) backend.socket.write(whole)
    }
  }

  #connect(
    greeted: (greeting: ReadonlyArray<Buffer>) => void = () => {},
    refused: (reason: Error) => void = () => {}
  ) {
    this.#backends += 1
    const { hostname, password, pathname, port, username } = this.#target
    const socket = new Socket()
    this.#sockets.add(socket)
    const backend: Backend = { socket, client: undefined, greeting: [] }
    let isReady = false
    framed(socket, "typed", (type, whole, body) => {
      if (isReady) return this.#answered(backend, type, whole, body)
      if (type === "R" && body.readInt32BE(0) === 3) {
        socket.write(message("p", texts(decodeURIComponent(password))))
      }
      if (type === "S") backend.greeting.push(whole)
      if (type === "E") {
        // Of the server's fields pgbouncer passes on the text, under a code of its own.
        refused(
          new Error(body.toString().split("\0").find((field) => field.startsWith("M"))?.slice(1))
        )
        socket.destroy()
      }
      if (type === "Z") {
        isReady = true
        greeted(backend.greeting)
        this.#idle.push(backend)
        this.#match()
      }
    })
    socket.once("close", () => {
      this.#sockets.delete(socket)
      this.#backends -= 1
      const place = this.#idle.indexOf(backend)
      if (place !== -1) this.#idle.splice(place, 1)
      refused(new Error("the server closed the connection"))
      backend.client?.socket.destroy()
      this.#match()
    })
    socket.connect(Number(port), hostname, () => {
      const parameters = texts(
        "user",
        decodeURIComponent(username),
        "database",
        pathname.slice(1),
        ""
      )
      socket.write(message("", Buffer.concat([int(protocol), parameters])))
    })
  }

  #answered(backend: Backend, type: string, whole: Buffer, body: Buffer) {
    const { client } = backend
    if (client === undefined) return
    client.socket.write(whole)
    if (type !== "Z") return
    client.owed -= 1
    if (client.owed > 0 || String.fromCharCode(body[0] ?? 0) !== "I") return
    client.backend = undefined
    backend.client = undefined
    this.#idle.push(backend)
    this.#match()
  }
}
