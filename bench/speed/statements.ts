/** Counts the statements that a service sends: a relay between it and its PostgreSQL. */
import { connect, createServer, type Socket } from "node:net"

export interface Statement {
  /** The name it was prepared under, else its first words. */
  readonly name: string
  /** Its completion as PostgreSQL says it, e.g. `INSERT 0 1`. */
  readonly tag: string
  readonly atMs: number
}

export interface Relay {
  readonly url: string
  /** Those completed since the last call, in the order of their completion. */
  readonly take: () => ReadonlyArray<Statement>
  readonly stop: () => void
}

const lengthBytes = 4
const namedCharsMax = 60

/** Cuts a stream of protocol messages; the first of a client has no type and is passed over. */
const cutter = (isClient: boolean, each: (type: string, body: Buffer) => void) => {
  let waiting = Buffer.alloc(0)
  let isStart = isClient
  return (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk])
    for (;;) {
      const head = isStart ? 0 : 1
      if (waiting.length < head + lengthBytes) return
      const end = head + waiting.readInt32BE(head)
      if (waiting.length < end) return
      if (!isStart) {
        each(String.fromCharCode(waiting[0] ?? 0), waiting.subarray(head + lengthBytes, end))
      }
      isStart = false
      waiting = waiting.subarray(end)
    }
  }
}

const textAt = (body: Buffer, from: number) => body.toString("utf8", from, body.indexOf(0, from))

const wordsOf = (text: string) => text.trim().replaceAll(/\s+/g, " ").slice(0, namedCharsMax)

const watched = (client: Socket, server: Socket, done: (statement: Statement) => void) => {
  const texts = new Map<string, string>()
  let running = ""
  client.on(
    "data",
    cutter(true, (type, body) => {
      if (type === "Q") running = wordsOf(textAt(body, 0))
      if (type === "P") {
        const name = textAt(body, 0)
        texts.set(name, name === "" ? wordsOf(textAt(body, name.length + 1)) : name)
      }
      if (type === "B") {
        const name = textAt(body, textAt(body, 0).length + 1)
        running = texts.get(name) ?? name
      }
    })
  )
  server.on(
    "data",
    cutter(false, (type, body) => {
      if (type === "C") done({ name: running, tag: textAt(body, 0), atMs: performance.now() })
    })
  )
}

/** Relay before the database of the URL, which must be used without TLS. */
export const startRelay = (url: string): Promise<Relay> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    let statements: Array<Statement> = []
    const sockets = new Set<Socket>()
    const relay = createServer((client) => {
      const server = connect(Number(port), hostname)
      for (const socket of [client, server]) {
        sockets.add(socket)
        socket.setNoDelay(true)
        socket.on("error", () => {})
        socket.once("close", () => {
          client.destroy()
          server.destroy()
        })
      }
      watched(client, server, (statement) => statements.push(statement))
      client.pipe(server)
      server.pipe(client)
    })
    relay.listen(0, "127.0.0.1", () => {
      const address = relay.address()
      const own = new URL(url)
      own.port = String(typeof address === "object" && address !== null ? address.port : 0)
      resolve({
        url: own.href,
        take: () => {
          const taken = statements
          statements = []
          return taken
        },
        stop: () => {
          for (const socket of sockets) socket.destroy()
          relay.close()
        }
      })
    })
  })

const appends = /^wg_(start|continue|append)/
/** Tables without a journal: see `migrations/0019_unlogged_flights.ts`. */
const unlogged = /wg"?\.\"?flights/
const writes = /^(INSERT 0|UPDATE|DELETE|MERGE) [1-9]/

/**
 * Commits that PostgreSQL has to bring to its disk: of transactions, and of single statements that
 * changed rows. A transaction that changed none is counted, too.
 */
export const durableCommits = (statements: ReadonlyArray<Statement>): number => {
  let count = 0
  let inside = false
  for (const { name, tag } of statements) {
    if (tag === "BEGIN") inside = true
    if (tag === "COMMIT") inside = false
    const isWrite = !unlogged.test(name) && (writes.test(tag) || appends.test(name))
    if (tag === "COMMIT" || (isWrite && !inside)) count += 1
  }
  return count
}
