/**
 * Sends one request to one checked target, and reads a body bounded and decompressed at every
 * layer.
 */
import { Effect, Result, type Scope } from "effect"
import type { Socket } from "node:net"
import { type Duplex, pipeline, type Readable, Transform, Writable } from "node:stream"
import {
  constants,
  createBrotliDecompress,
  createInflateRaw,
  createZstdDecompress
} from "node:zlib"
import { Client, type Dispatcher, errors } from "undici"
import { FetchFailed, type FetchFault, type Network, type WebTarget } from "./Network.ts"

export interface ExchangeOptions {
  readonly network: Network
  /** Sent as `User-Agent`. Printable ASCII. */
  readonly userAgent: string
}

export interface WebHead {
  readonly status: number
  /** Each line of a header, its bytes as Latin-1; empty without the header. */
  readonly lines: (name: string) => ReadonlyArray<string>
  readonly body: Readable
}

/** Milliseconds to connect: an unresponsive address leaves time for the next. */
const connectTimeoutMs = 3_000
const addressesTriedMax = 3
const headTimeoutMs = 5_000
/** Bytes of header names and values, Node's default. One-letter headers cost the parser most. */
const headBytesMax = 16 * 1_024

const accept =
  "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/pdf;q=0.8"

/** Only the given cookies, no referrer, no redirect; the connection closes with the scope. */
export const exchange = Effect.fnUntraced(
  function*(
    target: WebTarget,
    { cookie, network, userAgent }: ExchangeOptions & { readonly cookie: string }
  ): Effect.fn.Return<WebHead, FetchFailed, Scope.Scope> {
    const { passing, socket } = yield* connected(target, network)
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => clientOver(socket, target)),
      (open) => Effect.sync(() => open.destroy(() => {}))
    )
    const { body, headers, statusCode } = yield* Effect.tryPromise({
      try: (signal) =>
        client.request({
          method: "GET",
          path: `${passing && target.url.origin || ""}${target.url.pathname}${target.url.search}`,
          headers: {
            ...passing,
            "user-agent": userAgent,
            accept,
            "accept-encoding": "gzip, br, zstd",
            ...(cookie === "" ? {} : { cookie })
          },
          signal
        }),
      catch: (cause) => new FetchFailed({ fault: faultOf(cause) })
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => void body.on("error", () => {}).destroy()))
    return { status: statusCode, lines: linesIn(headers), body }
  }
)

/**
 * Every address is checked before any is dialled: a name with one non-public address is refused.
 * The checked address itself is dialled, so a second answer of the resolver (DNS rebinding) has no
 * effect.
 */
const connected = Effect.fnUntraced(
  function*(target: WebTarget, network: Network) {
    const { host, isLiteral, port, secure } = target
    if (!isLiteral && !network.isNameAllowed(host)) return yield* refuse("name_forbidden")
    const addresses = isLiteral ? [host] : yield* network.resolve(target)
    if (addresses.length === 0) return yield* refuse("name_unresolved")
    if (!addresses.every(network.isAddressAllowed)) return yield* refuse("address_forbidden")
    const [first = host, ...others] = addresses.slice(0, addressesTriedMax)
    const dial = (address: string) =>
      Effect.timeoutOrElse(network.connect({ host, address, port, secure }), {
        duration: connectTimeoutMs,
        orElse: () => refuse("unreachable")
      })
    return yield* others.reduce(
      (tried, address) => Effect.catch(tried, () => dial(address)),
      dial(first)
    )
  }
)

const refuse = (fault: FetchFault) => new FetchFailed({ fault })

/** Uses the one socket: if it ends early, there is no other. */
const clientOver = (socket: Socket, { url }: WebTarget): Client => {
  const sockets = [socket]
  return new Client(url.origin, {
    // The client accepts no socket while it is still requesting one.
    connect: (_, callback) =>
      queueMicrotask(() => {
        const next = sockets.pop()
        return next === undefined || next.destroyed
          ? callback(new FetchFailed({ fault: "unreachable" }), null)
          : callback(null, next)
      }),
    allowH2: false,
    pipelining: 1,
    maxHeaderSize: headBytesMax,
    headersTimeout: headTimeoutMs,
    // The whole exchange has a deadline; an idle timeout is not needed.
    bodyTimeout: 0
  })
}

const faultOf = (cause: unknown): FetchFault => {
  if (cause instanceof FetchFailed) return cause.fault
  if (cause instanceof errors.HTTPParserError) return "malformed"
  if (cause instanceof errors.ResponseContentLengthMismatchError) return "malformed"
  if (cause instanceof errors.HeadersOverflowError) return "headers_too_large"
  return cause instanceof errors.HeadersTimeoutError ? "timeout" : "unreachable"
}

const linesIn =
  (headers: Dispatcher.ResponseData["headers"]) => (name: string): ReadonlyArray<string> => {
    const value = headers[name]
    return typeof value === "string" ? [value] : value ?? []
  }

export type HeldBytes = ReturnType<typeof heldBytes>

/** Count of the bytes held by all bodies of a process. */
export const heldBytes = (bytesMax: number) => {
  let held = 0
  return {
    /** False if the limit would be exceeded; then nothing is counted. */
    take: (bytes: number) => {
      if (held + bytes > bytesMax) return false
      held += bytes
      return true
    },
    giveBack: (bytes: number) => {
      held -= bytes
    }
  }
}

/** `append` is false if nothing more can be held, and after `free`. */
const block = (held: HeldBytes, bytesMax: number) => {
  let buffer = new ArrayBuffer(0, { maxByteLength: bytesMax })
  let length = 0
  let isFreed = false
  return {
    append: (chunk: Uint8Array) => {
      if (isFreed || !held.take(chunk.length)) return false
      buffer.resize(length + chunk.length)
      new Uint8Array(buffer).set(chunk, length)
      length += chunk.length
      return true
    },
    length: () => length,
    bytes: () => {
      buffer = buffer.transferToFixedLength()
      return new Uint8Array(buffer)
    },
    free: () => {
      held.giveBack(length)
      length = 0
      isFreed = true
      // A reader may have transferred it.
      if (!buffer.detached) buffer = buffer.transferToFixedLength(0)
    }
  }
}

/** Most nested encodings; no server needs more. */
const encodingsMax = 2

/** Log2 of the memory for a Zstandard frame: 8 MiB, by its web profile. */
const zstdWindowLogMax = 23

export interface BodyBounds {
  /** Most bytes of each layer. */
  readonly bytesMax: number
  /** Bytes that all bodies of a process may hold together. */
  readonly held: HeldBytes
}

/**
 * The whole body, or `too_large`, `busy`, `truncated`, `malformed` or `encoding_unknown`. The scope
 * returns its share of `held` and frees the bytes.
 */
export const collect = Effect.fnUntraced(
  function*(
    body: Readable,
    contentEncoding: string,
    { bytesMax, held }: BodyBounds
  ): Effect.fn.Return<Uint8Array, FetchFailed, Scope.Scope> {
    const decoders = yield* Effect.fromResult(decodersOf(contentEncoding))
    const whole = yield* Effect.acquireRelease(
      Effect.sync(() => block(held, bytesMax)),
      ({ free }) => Effect.sync(free)
    )
    const sink = new Writable({
      write: (chunk: Uint8Array, _, done) => {
        if (whole.length() + chunk.length > bytesMax) {
          return done(new FetchFailed({ fault: "too_large" }))
        }
        done(whole.append(chunk) ? null : new FetchFailed({ fault: "busy" }))
      }
    })
    const layers = decoders.flatMap((decoder) => [meter(bytesMax), ...decoder])
    return yield* Effect.callback<Uint8Array, FetchFailed>((resume) => {
      pipeline([body, ...layers, sink], (cause) => {
        // Lazy: after an interruption the bytes are freed, and no fiber asks for them.
        resume(cause == null ? Effect.sync(whole.bytes) : Effect.fail(failureOf(cause)))
      })
      return Effect.sync(() => void body.destroy())
    })
  }
)

const failureOf = (cause: NodeJS.ErrnoException): FetchFailed => {
  if (cause instanceof FetchFailed) return cause
  const code = cause.code ?? ""
  const ended = /^(?:Z_BUF_ERROR|UND_ERR_SOCKET|ECONNRESET|ERR_STREAM_PREMATURE_CLOSE)$/.test(code)
  if (code === "UND_ERR_BODY_TIMEOUT") return new FetchFailed({ fault: "timeout" })
  return new FetchFailed({ fault: ended ? "truncated" : "malformed" })
}

const meter = (bytesMax: number): Transform => {
  let bytes = 0
  return new Transform({
    transform: (chunk: Uint8Array, _, done) => {
      bytes += chunk.length
      if (bytes > bytesMax) return done(new FetchFailed({ fault: "too_large" }))
      done(null, chunk)
    }
  })
}

/** Most bytes of a gzip member's head: it may contain a file's name and a comment. */
const gzipHeadBytesMax = 4_096

/** Bytes after a gzip member's data are ignored, as in browsers. */
const withoutHead = (
  headEnd: (bytes: Buffer) => number | "more" | "broken"
): Transform => {
  let head: Buffer | undefined = Buffer.alloc(0)
  return new Transform({
    transform: (chunk: Uint8Array, _, done) => {
      if (head === undefined) return done(null, chunk)
      head = Buffer.concat([head, chunk])
      const end = headEnd(head)
      const isLong = head.length > gzipHeadBytesMax
      if (end === "broken" || end === "more" && isLong) {
        return done(new FetchFailed({ fault: "malformed" }))
      }
      if (end === "more") return done()
      const data = head.subarray(end)
      head = undefined
      done(null, data)
    }
  })
}

/** Index after the head of a gzip member, by RFC 1952. */
const gzipHeadEnd = (bytes: Buffer): number | "more" | "broken" => {
  const magic = Buffer.from([0x1f, 0x8b, 0x08])
  if (!magic.subarray(0, bytes.length).equals(bytes.subarray(0, 3))) return "broken"
  if (bytes.length < 12) return "more"
  const flags = bytes[3] ?? 0
  let end = (flags & 4) === 0 ? 10 : 12 + bytes.readUInt16LE(10)
  for (const text of [8, 16]) {
    if ((flags & text) === 0) continue
    const zero = bytes.indexOf(0, end)
    if (zero < 0) return "more"
    end = zero + 1
  }
  if ((flags & 2) !== 0) end += 2
  return end > bytes.length ? "more" : end
}

/** Servers send `deflate` with and without the two bytes of RFC 1950 before it. */
const zlibHeadEnd = (bytes: Buffer): number | "more" => {
  if (bytes.length < 2) return "more"
  return ((bytes[0] ?? 0) & 0x0f) === 8 && bytes.readUInt16BE() % 31 === 0 ? 2 : 0
}

const gunzip = () => [withoutHead(gzipHeadEnd), createInflateRaw()]

const decodersByName: Readonly<Record<string, () => ReadonlyArray<Duplex>>> = {
  gzip: gunzip,
  "x-gzip": gunzip,
  deflate: () => [withoutHead(zlibHeadEnd), createInflateRaw()],
  br: () => [createBrotliDecompress()],
  zstd: () => [
    createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLogMax } })
  ]
}

/** Last encoding first. A name that is no encoding, such as `none` or `UTF-8`, means none. */
const decodersOf = (
  contentEncoding: string
): Result.Result<ReadonlyArray<ReadonlyArray<Duplex>>, FetchFailed> => {
  const makers = contentEncoding.toLowerCase().split(",")
    .flatMap((name) => decodersByName[name.trim()] ?? [])
  return makers.length > encodingsMax
    ? Result.fail(new FetchFailed({ fault: "encoding_unknown" }))
    : Result.succeed(makers.reverse().map((make) => make()))
}
