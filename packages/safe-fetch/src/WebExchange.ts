/**
 * Sends one request to one checked target: a socket to an address that was looked at, the head of
 * the answer, its body unpacked and bounded at every layer, and the kind of it.
 */
import { Effect, Result, type Scope } from "effect"
import type { Socket } from "node:net"
import { type Duplex, pipeline, type Readable, Transform, Writable } from "node:stream"
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
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
  /** Empty when the header is not there, or there more than once. */
  readonly header: (name: string) => string
  readonly body: Readable
}

/** Milliseconds to connect: an address that does not answer leaves time for the next. */
const connectTimeoutMs = 3_000
const addressesTriedMax = 3
const headTimeoutMs = 5_000
/**
 * Bytes of header names and values, the default of Node. Headers of one letter cost the parser
 * most.
 */
const headBytesMax = 16 * 1_024

const accept =
  "text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,application/pdf;q=0.8"

/**
 * The head and a body that has not been read. No cookies, no referrer, no redirect; one connection
 * a request, closed with the scope.
 */
export const exchange = Effect.fnUntraced(
  function*(
    target: WebTarget,
    { network, userAgent }: ExchangeOptions
  ): Effect.fn.Return<WebHead, FetchFailed, Scope.Scope> {
    const socket = yield* connected(target, network)
    const client = yield* Effect.acquireRelease(
      Effect.sync(() => clientOver(socket, target)),
      (open) => Effect.sync(() => open.destroy(() => {}))
    )
    const { body, headers, statusCode } = yield* Effect.tryPromise({
      try: (signal) =>
        client.request({
          method: "GET",
          path: `${target.url.pathname}${target.url.search}`,
          headers: { "user-agent": userAgent, accept, "accept-encoding": "gzip, br, zstd" },
          signal
        }),
      catch: (cause) => new FetchFailed({ fault: faultOf(cause) })
    })
    yield* Effect.addFinalizer(() => Effect.sync(() => void body.on("error", () => {}).destroy()))
    return { status: statusCode, header: headerIn(headers), body }
  }
)

/**
 * Every address is looked at before any is dialled: a name with one address that is not public is
 * not asked at all. The one that is dialled is the one that was looked at, so a second answer of
 * the resolver can change nothing.
 */
const connected = Effect.fnUntraced(
  function*({ host, isLiteral, port, secure }: WebTarget, network: Network) {
    if (!isLiteral && !network.isNameAllowed(host)) return yield* refuse("name_forbidden")
    const addresses = isLiteral ? [host] : yield* network.resolve(host)
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

const refuse = (fault: FetchFault) => Effect.fail(new FetchFailed({ fault }))

/** Given the one socket: should it end early, there is no other. */
const clientOver = (socket: Socket, { url }: WebTarget): Client => {
  const sockets = [socket]
  return new Client(url.origin, {
    // The client does not take a socket while it is still asking for one.
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
    // The whole has a deadline; a gap is no better reason to give up than that.
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

const headerIn = (headers: Dispatcher.ResponseData["headers"]) => (name: string): string => {
  const value = headers[name]
  return typeof value === "string" ? value : ""
}

/** The first block, and the least by which one grows. */
const growthBytesMin = 65_536
const growthShare = 0.5

/** Count of the bytes that all bodies of a process hold together. */
export interface HeldBytes {
  /** False when there is no room; nothing is taken then. */
  readonly take: (bytes: number) => boolean
  readonly giveBack: (bytes: number) => void
}

export const heldBytes = (bytesMax: number): HeldBytes => {
  let held = 0
  return {
    take: (bytes) => {
      if (held + bytes > bytesMax) return false
      held += bytes
      return true
    },
    giveBack: (bytes) => {
      held -= bytes
    }
  }
}

interface Block {
  /** False when nothing more can be held, and after `free`. */
  readonly append: (chunk: Uint8Array) => boolean
  /** Bytes held so far. */
  readonly length: () => number
  /** All of it, without a copy; empty after `free`. */
  readonly bytes: () => Uint8Array
  readonly free: () => void
}

const block = (held: HeldBytes): Block => {
  let buffer = new ArrayBuffer(0)
  let length = 0
  let isFreed = false
  const resize = (bytes: number) => {
    buffer = buffer.transfer(bytes)
  }
  return {
    append: (chunk) => {
      if (isFreed || !held.take(chunk.length)) return false
      const needed = length + chunk.length
      if (needed > buffer.byteLength) {
        resize(needed + Math.max(growthBytesMin, Math.floor(growthShare * length)))
      }
      new Uint8Array(buffer).set(chunk, length)
      length = needed
      return true
    },
    length: () => length,
    bytes: () => {
      resize(length)
      return new Uint8Array(buffer)
    },
    free: () => {
      held.giveBack(length)
      length = 0
      isFreed = true
      // A reader may have passed it on.
      if (!buffer.detached) resize(0)
    }
  }
}

/** Most encodings on top of each other; more is no way to send a page. */
const encodingsMax = 2

/** Log2 of the memory that a Zstandard frame may ask for: 8 MiB, as its web profile says. */
const zstdWindowLogMax = 23

export interface BodyBounds {
  /** Bytes of each layer, at most. */
  readonly bytesMax: number
  /** Bytes that all bodies of a process may hold together. */
  readonly held: HeldBytes
}

/**
 * All of it, or `too_large`, `busy`, `truncated`, `malformed` or `encoding_unknown`. Interruption
 * and failure destroy the body. What it took of `held` is given back with the scope, and the bytes
 * are gone then.
 */
export const collect = Effect.fnUntraced(
  function*(
    body: Readable,
    contentEncoding: string,
    { bytesMax, held }: BodyBounds
  ): Effect.fn.Return<Uint8Array, FetchFailed, Scope.Scope> {
    const decoders = yield* Effect.fromResult(decodersOf(contentEncoding))
    const whole = yield* Effect.acquireRelease(
      Effect.sync(() => block(held)),
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
    const layers = decoders.flatMap((decoder) => [meter(bytesMax), decoder])
    return yield* Effect.callback<Uint8Array, FetchFailed>((resume) => {
      pipeline([body, ...layers, sink], (cause) => {
        resume(cause == null ? Effect.succeed(whole.bytes()) : Effect.fail(failureOf(cause)))
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

/** Lets at most `bytesMax` through. */
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

const decoderByName: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip(),
  "x-gzip": () => createGunzip(),
  deflate: () => createInflate(),
  br: () => createBrotliDecompress(),
  zstd: () =>
    createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: zstdWindowLogMax } })
}

/** Decoders in the order to undo them: last first. */
const decodersOf = (
  contentEncoding: string
): Result.Result<ReadonlyArray<Duplex>, FetchFailed> => {
  const names = contentEncoding.toLowerCase().split(",").map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity")
  const makers = names.map((name) => decoderByName[name]).filter((make) => make !== undefined)
  return names.length > encodingsMax || makers.length < names.length
    ? Result.fail(new FetchFailed({ fault: "encoding_unknown" }))
    : Result.succeed(makers.reverse().map((make) => make()))
}

export type ContentKind = "html" | "xhtml" | "text" | "markdown" | "pdf"

const kinds: Readonly<Record<string, ContentKind>> = {
  "text/html": "html",
  "application/xhtml+xml": "xhtml",
  "text/plain": "text",
  "text/markdown": "markdown",
  "text/x-markdown": "markdown",
  "application/pdf": "pdf"
}

export const mediaTypes: Readonly<Record<ContentKind, string>> = {
  html: "text/html",
  xhtml: "application/xhtml+xml",
  text: "text/plain",
  markdown: "text/markdown",
  pdf: "application/pdf"
}

const sniffBytes = 1_024

/** Kept out of texts by the rules that browsers sniff by; escape is in: Japanese mail uses it. */
const binaryBytes = /[\x00-\x08\x0B\x0E-\x1A\x1C-\x1F]/
const pdfMark = /^\s{0,64}%PDF-/
/** Beginnings that hold no byte of the above. */
const binaryMark = /^(?:PK\x03\x04|GIF8[79]a|Rar!|7z\xBC\xAF|RIFF|OggS|MZ|\x7FELF|wOF[F2]|%!PS)/
/** An image that is written in angle brackets. */
const drawing =
  /^(?:\xEF\xBB\xBF)?\s{0,64}(?:<\?xml[^>]{0,200}>\s{0,64})?(?:<!--[^]{0,400}?-->\s{0,64})?(?:<!DOCTYPE svg[^>]{0,200}>\s{0,64})?<svg[\s>]/i
const markup =
  /^(?:\xEF\xBB\xBF)?\s{0,64}<(?:!doctype|html|head|body|title|!--|meta|p|div|h1)[\s>-]/i
const wideMark = /^(?:\xFF\xFE|\xFE\xFF)/

/**
 * Kind of a document, by its content type and its first bytes. `undefined` for what is not read,
 * and for one thing served as another.
 */
export const kindOf = (contentType: string, body: Uint8Array): ContentKind | undefined => {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, sniffBytes))
    .toString("latin1")
  const essence = (contentType.split(";", 1)[0] ?? "").trim().toLowerCase()
  const kind = essence === "" ? guessed(start) : kinds[essence]
  if (kind === undefined) return undefined
  if (kind === "pdf" || pdfMark.test(start)) {
    return kind === "pdf" && pdfMark.test(start) ? "pdf" : undefined
  }
  return isText(start, contentType) ? kind : undefined
}

const guessed = (start: string): ContentKind =>
  pdfMark.test(start) ? "pdf" : markup.test(start) ? "html" : "text"

/** A text of two bytes a character has zeros in it; its mark or its header says so. */
const isText = (start: string, contentType: string): boolean => {
  if (wideMark.test(start) || /charset\s*=\s*"?utf-16/i.test(contentType)) return true
  return !binaryBytes.test(start) && !binaryMark.test(start) && !drawing.test(start)
}
