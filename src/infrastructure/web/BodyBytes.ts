/** A body's bytes, unpacked and bounded at every layer: on the wire, between and after. */
import { Effect, Result, type Scope } from "effect"
import { type Duplex, pipeline, type Readable, Transform, Writable } from "node:stream"
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress
} from "node:zlib"
import { FetchFailed } from "./FetchFailed.ts"
import * as HeldBytes from "./HeldBytes.ts"

/** Most encodings on top of each other; more is no way to send a page. */
const encodingsMax = 2

/** Log2 of the memory that a Zstandard frame may ask for: 8 MiB, as its web profile says. */
const zstdWindowLogMax = 23

export interface BodyBounds {
  /** Bytes of each layer, at most. */
  readonly bytesMax: number
  /** Bytes that all bodies of a process may hold together. */
  readonly held: HeldBytes.HeldBytes
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
      Effect.sync(() => HeldBytes.block(held)),
      (block) => Effect.sync(block.free)
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
