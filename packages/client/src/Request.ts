/** Builds the request of an operation: each field of its input where the route has it. */
import { isRecord } from "./Exchange.ts"
import { InvalidArgument } from "./Failure.ts"
import type { Route } from "./Routes.ts"

/** Path with its query, and the JSON body; no body where the route has none. */
export interface Request {
  readonly path: string
  readonly body: string | undefined
}

/**
 * HTTP request of a call: its input goes into the path, the body (`POST`) or the query. Throws
 * `InvalidArgument` for what neither an address nor JSON can hold.
 */
export const requestFor = ({ inPath, method, path }: Route, input: unknown): Request => {
  if (!isRecord(input)) throw new InvalidArgument("input", "Expected an object")
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => segmentOf(field, input[field]))
  const rest = Object.entries(input).filter(([field, value]) =>
    !inPath.includes(field) && value !== undefined
  )
  if (method === "POST") return { path: filled, body: jsonOf(Object.fromEntries(rest)) }
  const query = new URLSearchParams()
  for (const [field, value] of rest) query.set(field, String(value))
  return { path: query.size === 0 ? filled : `${filled}?${query}`, body: undefined }
}

const segmentOf = (field: string, value: unknown): string => {
  // An address has no place for these: they would change its path.
  if (typeof value !== "string" || /^\.{0,2}$/.test(value)) {
    throw new InvalidArgument(field, "Expected an id")
  }
  try {
    return encodeURIComponent(value)
  } catch {
    throw new InvalidArgument(field, "Expected an id without lone surrogates")
  }
}

const jsonOf = (input: unknown): string => {
  try {
    return JSON.stringify(input)
  } catch {
    throw new InvalidArgument("input", "Expected what JSON can hold")
  }
}
