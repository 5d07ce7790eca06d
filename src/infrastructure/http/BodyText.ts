/** The body of a request as text, up to a bound. */
import { ByteSize, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { bodyBytesMax } from "./BoundedJson.ts"

/**
 * Text of a request's body, or the status that refuses it. 400: it did not come whole, or is no
 * UTF-8. 413: it is longer than the bound.
 */
export type BodyText =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Refused"; readonly status: 400 | 413 }

const decodeText = Option.liftThrowable((bytes: ArrayBuffer) =>
  new TextDecoder("utf-8", { fatal: true }).decode(bytes)
)

export const readBody = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<BodyText> =>
  request.arrayBuffer.pipe(
    Effect.provideService(
      HttpServerRequest.MaxBodySize,
      ByteSize.fromInputUnsafe(bodyBytesMax)
    ),
    Effect.map((bytes): BodyText =>
      Option.match(decodeText(bytes), {
        onNone: () => ({ _tag: "Refused", status: 400 }),
        onSome: (text) => ({ _tag: "Text", text })
      })
    ),
    Effect.catch(({ reason }): Effect.Effect<BodyText> =>
      Effect.succeed({
        _tag: "Refused",
        status: "reason" in reason && reason.reason === "BodyTooLarge" ? 413 : 400
      })
    )
  )
