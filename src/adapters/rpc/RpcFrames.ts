/**
 * Reads the frames of one RPC body, one JSON object a line, each on its own: what is wrong with
 * one is told for that one.
 */
import { Option, Predicate, type Schema } from "effect"
import * as BoundedJson from "../../infrastructure/http/BoundedJson.ts"

/** Calls in one body. */
const framesMax = 32
const idCharsMax = 200

export interface CallFrame {
  readonly _tag: "Call"
  readonly id: string | number
  readonly tag: string
  readonly payload: Schema.Json
  readonly headers: ReadonlyArray<[string, string]>
}

export interface BadFrame {
  readonly _tag: "Bad"
  /** Empty when it cannot be told. */
  readonly id: string | number
  /** A key of the frame, e.g. `payload.deadline_ms`, or `frame N`, counted from 1. */
  readonly field: string
  readonly problem: string
}

/**
 * Calls in a request's body, one on a line, and what is wrong with the others. `tags` are the
 * methods that exist. Empty lines are no frames. A body with more than 32 frames gets one
 * `BadFrame` for all that follow the 32nd, which are not read.
 */
export const readFrames = (
  body: string,
  tags: ReadonlyMap<string, unknown>
): ReadonlyArray<CallFrame | BadFrame> => {
  const ids = new Set<string | number>()
  return linesOf(body, framesMax + 1).map((line, index): CallFrame | BadFrame => {
    const place = `frame ${index + 1}`
    if (index >= framesMax) {
      const problem = `More than ${framesMax} in one body: this one and the rest were not read`
      return { _tag: "Bad", id: "", field: place, problem }
    }
    const frame = frameOf(line, place, tags)
    if (frame._tag === "Bad" || !ids.has(frame.id)) {
      ids.add(frame.id)
      return frame
    }
    return { _tag: "Bad", id: "", field: "id", problem: `${frame.id} was used twice in one body` }
  })
}

/** The first `linesMax` lines that are not blank. */
const linesOf = (body: string, linesMax: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let from = 0
  while (from < body.length && lines.length < linesMax) {
    const next = body.indexOf("\n", from)
    const end = next === -1 ? body.length : next
    const line = body.slice(from, end).trim()
    if (line !== "") lines.push(line)
    from = end + 1
  }
  return lines
}

const frameOf = (
  line: string,
  place: string,
  tags: ReadonlyMap<string, unknown>
): CallFrame | BadFrame => {
  const bad = (id: string | number, field: string, problem: string): BadFrame => ({
    _tag: "Bad",
    id,
    field,
    problem
  })
  const size = BoundedJson.sizeFaultOf(line)
  if (size !== undefined) return bad("", place, size)
  const parsed = BoundedJson.parse(line)
  if (Option.isNone(parsed)) return bad("", place, "Expected one JSON object a line")
  const frame = parsed.value
  if (!Predicate.isObject(frame) || Array.isArray(frame)) {
    return bad("", place, "Expected an object with _tag, id, tag and payload")
  }
  const { _tag, headers = [], id, payload = null, tag }: Record<string, unknown> = { ...frame }
  if (!isId(id)) {
    return bad("", `${place}.id`, `Expected a whole number or 1 to ${idCharsMax} characters`)
  }
  if (_tag !== "Request") return bad(id, `${place}._tag`, `Expected "Request"`)
  if (!Predicate.isString(tag) || !tags.has(tag)) {
    return bad(id, "tag", `Expected one of ${[...tags.keys()].join(", ")}`)
  }
  if (!isHeaders(headers)) return bad(id, "headers", "Expected pairs of texts")
  const faulty = BoundedJson.notFinite(payload, "payload")
  if (faulty !== undefined) return bad(id, faulty, "Expected a number that JSON can hold")
  return BoundedJson.isJson(payload)
    ? { _tag: "Call", id, tag, payload, headers }
    : bad(id, "payload", "Expected JSON")
}

const isId = (id: unknown): id is string | number =>
  typeof id === "string" ? id !== "" && id.length <= idCharsMax : Number.isSafeInteger(id)

const isHeaders = (headers: unknown): headers is ReadonlyArray<[string, string]> =>
  Array.isArray(headers) &&
  headers.every((pair) =>
    Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === "string")
  )
