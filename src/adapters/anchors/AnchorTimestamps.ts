/** Time stamps of a third party on anchors: each anchor as a file, and its stamp beside it. */
import { Effect, Option } from "effect"
import { HttpClientRequest } from "effect/http"
import { rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { AnchorNotShipped } from "../../application/audit/AnchorOutlets.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import * as TimestampRequest from "./TimestampRequest.ts"

/** Bytes of an answer; with certificates it takes some 6 kB. */
const answerBytesMax = 262_144
const waitMsMax = 30_000
const okStatus = 200

export interface Timestamps {
  /** Address where the authority takes requests. */
  readonly address: string
  readonly folder: string
}

const failed = (problem: string) =>
  new AnchorNotShipped({ outlet: "ANCHOR_TIMESTAMP_URL", problem })

export interface Shipped {
  /** The anchor as a line of JSON. */
  readonly line: string
  /** Events that it covers. */
  readonly treeSize: number
}

/**
 * Asks for a time stamp over an anchor's line and keeps both in the folder: `anchor-42.json`, as it
 * was stamped, and `anchor-42.json.tsr`.
 */
export const stamp = Effect.fnUntraced(
  function*({ address, folder }: Timestamps, { line, treeSize }: Shipped) {
    const bytes = Buffer.from(line)
    const request = TimestampRequest.timestampRequest(bytes)
    const { bytes: answer, status } = yield* HttpExchange.bytes(
      HttpClientRequest.post(address).pipe(
        HttpClientRequest.bodyUint8Array(request.body, "application/timestamp-query"),
        HttpClientRequest.setHeaders({
          accept: "application/timestamp-reply",
          "user-agent": "web-grounding"
        })
      ),
      answerBytesMax
    ).pipe(
      Effect.mapError(() => failed("The authority cannot be reached")),
      Effect.timeoutOrElse({
        duration: waitMsMax,
        orElse: () => Effect.fail(failed(`The authority took more than ${waitMsMax} ms`))
      })
    )
    if (status !== okStatus) return yield* failed(`The authority answered with ${status}`)
    if (Option.isNone(answer)) return yield* failed("The answer was cut off or too large")
    const problem = TimestampRequest.problemOf(request, answer.value)
    if (problem !== undefined) return yield* failed(problem)
    const file = join(folder, `anchor-${treeSize}.json`)
    yield* written(file, bytes)
    yield* written(`${file}.tsr`, answer.value)
  }
)

/** Whole or not at all, as a file of that name may be copied away at any time. */
const written = (file: string, bytes: Uint8Array) =>
  Effect.tryPromise({
    try: () => writeFile(`${file}.part`, bytes).then(() => rename(`${file}.part`, file)),
    catch: () => failed("ANCHOR_TIMESTAMP_FOLDER cannot be written")
  })
