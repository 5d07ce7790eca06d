/** What a request accepts (RFC 9110, section 12.5.1), and its body as text of bounded size. */
import { ByteSize, Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { bodyBytesMax } from "./BoundedJson.ts"

/** Acceptable types, the preferred first: by weight, then by the order of the header. */
export const acceptable = <const Type extends string>(
  accept: string,
  types: ReadonlyArray<Type>
): ReadonlyArray<Type> => {
  const ranges = accept.split(",").map(rangeOf)
  // The most specific range decides.
  const ranked = types.map((type) => {
    const [own = -1] = [type, `${type.split("/")[0]}/*`, "*/*"]
      .map((name) => ranges.findIndex((range) => range.type === name))
      .filter((index) => index >= 0)
    return { type, index: own, weight: ranges[own]?.weight ?? 0 }
  })
  return ranked.filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight || left.index - right.index)
    .map(({ type }) => type)
}

const rangeOf = (part: string) => {
  const [type = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase())
  const weight = parameters.find((one) => one.startsWith("q="))
  return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
}

const decodeText = Option.liftThrowable((bytes: ArrayBuffer) =>
  new TextDecoder("utf-8", { fatal: true }).decode(bytes)
)

/** Fails with the status of a refusal. 400: incomplete, or not UTF-8. 413: too long. */
export const readBody = (
  request: HttpServerRequest.HttpServerRequest
): Effect.Effect<string, 400 | 413> =>
  request.arrayBuffer.pipe(
    Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.fromInputUnsafe(bodyBytesMax)),
    Effect.mapError(({ reason }) =>
      "reason" in reason && reason.reason === "BodyTooLarge" ? 413 : 400
    ),
    Effect.flatMap((bytes) =>
      Effect.mapError(Effect.fromOption(decodeText(bytes)), () => 400 as const)
    )
  )
