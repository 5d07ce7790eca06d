/** Requests drawn by chance: of the published schemas, with one thing in them another, or bytes. */
import { routeOf } from "../../src/adapters/http/Problem.ts"
import type { OperationName } from "../../src/contract/ServiceOperations.ts"
import { type Dice, draw } from "./dice.ts"
import { published, requestFor, type Sent } from "./httpCalls.ts"

/** A secret that no answer may contain. */
export const canary = "tvly-canary-1234567890"

export type Json = Readonly<Record<string, any>>

const words = [
  "desks",
  "ä",
  "",
  "x".repeat(300),
  "\u0000",
  "\ud800",
  "../..",
  "<b>",
  "s",
  "r",
  "a b"
]
const odd = [null, 0, -1, 1.5, 1e308, true, "", [], {}, "x".repeat(4_000), [[[]]], "\u202e"]

/** A value of a published schema, mostly. */
export const valueOf = (dice: Dice, schema: Json): unknown => {
  if (schema["$ref"] !== undefined) {
    return valueOf(dice, published["components"].schemas[schema["$ref"].split("/").at(-1)] ?? {})
  }
  if (schema["enum"] !== undefined) return draw(dice, schema["enum"])
  if (schema["anyOf"] !== undefined) return valueOf(dice, draw(dice, schema["anyOf"]))
  switch (schema["type"]) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema["properties"] ?? {}).flatMap(([key, part]) =>
          schema["required"]?.includes(key) || dice() < 0.3
            ? [[key, valueOf(dice, part as Json)]]
            : []
        )
      )
    case "array":
      return Array.from(
        { length: Math.floor(dice() * 3) },
        () => valueOf(dice, schema["items"] || { type: "string" })
      )
    case "integer":
      return Math.min(schema["maximum"] ?? 1e9, (schema["minimum"] ?? 0) + Math.floor(dice() * 100))
    case "number":
      return Math.min(schema["maximum"] ?? 1, (schema["minimum"] ?? 0) + dice())
    case "boolean":
      return dice() < 0.5
    default:
      return draw(dice, words)
  }
}

/** One thing in it is another. */
export const broken = (dice: Dice, value: unknown): unknown => {
  if (dice() < 0.2 || typeof value !== "object" || value === null) return draw(dice, odd)
  const entries = Object.entries(value)
  const at = Math.floor(dice() * entries.length)
  const kept = entries.map(([key, part], index): [string, unknown] =>
    index === at && dice() < 0.7 ? [key, broken(dice, part)] : [key, part]
  )
  const extra: ReadonlyArray<[string, unknown]> = dice() < 0.4
    ? [[draw(dice, ["colour", "__proto__", "constructor", "a\r\nb: c", ""]), draw(dice, odd)]]
    : []
  return Object.fromEntries([...kept.filter((_, index) => index !== at || dice() < 0.8), ...extra])
}

const inputSchemaOf = (name: OperationName): Json => {
  const { method, path } = routeOf(name)
  const operation = published["paths"][path][method.toLowerCase()]
  const parameters = operation.parameters.filter((one: Json) => one["in"] !== "header")
  return {
    type: "object",
    properties: Object.fromEntries(parameters.map((one: Json) => [one["name"], one["schema"]])),
    required: parameters.filter((one: Json) => one["required"]).map((one: Json) => one["name"])
  }
}

const bodySchemaOf = (name: OperationName): Json =>
  published["paths"][routeOf(name).path].post?.requestBody?.content["application/json"].schema ??
    { type: "object" }

export const bytesOf = (dice: Dice): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: Math.floor(dice() * 200) }, () => Math.floor(dice() * 256))

const headerValues = [
  "text/event-stream",
  "application/json",
  "*/*;q=0.1",
  "text/html",
  ";;q=,",
  "x"
]

/** A request for the operation, of which anything may be wrong. */
export const requestOf = (dice: Dice, name: OperationName): Sent => {
  const asked = valueOf(dice, inputSchemaOf(name))
  const parameters = dice() < 0.3 ? broken(dice, asked) : asked
  const fields = typeof parameters === "object" && parameters !== null ? { ...parameters } : {}
  const filled = Object.fromEntries(
    Object.entries({ session_id: "s", request_id: "r", ...fields })
      .map(([key, value]) => [key, typeof value === "string" ? value.toWellFormed() : value])
  )
  const isPost = routeOf(name).method === "POST"
  const body = isPost ? valueOf(dice, bodySchemaOf(name)) : undefined
  const sent = requestFor(name, filled)
  const headers: Record<string, string> = {
    ...(isPost
      ? { "content-type": draw(dice, ["application/json", "application/json", "x/y"]) }
      : {}),
    ...(dice() < 0.3 ? { accept: draw(dice, headerValues) } : {}),
    ...(dice() < 0.2 ? { authorization: `Bearer ${canary}` } : {}),
    ...(dice() < 0.2
      ? { "idempotency-key": draw(dice, ["r", "key-1", "a b", "x".repeat(300)]) }
      : {}),
    ...(dice() < 0.2 ? { "last-event-id": draw(dice, ["0", "3", "-1", "x", "9".repeat(40)]) } : {})
  }
  const chance = dice()
  return {
    method: dice() < 0.05 ? draw(dice, ["PUT", "DELETE", "PATCH", "OPTIONS"]) : sent.method,
    path: sent.path,
    headers,
    ...(!isPost ? {} : {
      body: chance < 0.15
        ? bytesOf(dice)
        : JSON.stringify(chance < 0.6 ? broken(dice, body) : body)
    })
  }
}
