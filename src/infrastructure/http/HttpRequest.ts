/** A request's body as text, of bounded size. */
import { ByteSize, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { bodyBytesMax } from "./BoundedJson.ts"

/** Text, or the status of a refusal. 400: incomplete or invalid UTF-8. 413: too long. */
export type BodyText =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Refused"; readonly status: 400 | 413 }

const decodeText = Option.liftThrowable((bytes: ArrayBuffer) =>
  new TextDecoder("utf-8", { fatal: true }).decode(bytes)
)

export const readBody = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<BodyText> =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.fromInputUnsafe(bodyBytesMax)),
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
