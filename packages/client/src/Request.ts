/** Builds the request of an operation: each input field in its part of the request. */
import { isRecord } from "./Exchange.ts"
import { InvalidArgument } from "./Failure.ts"
import type { Route } from "./Routes.ts"

/** Path with its query, and the JSON body; no body if the route has none. */
export interface Request {
  readonly path: string
  readonly body: string | undefined
}

/**
 * HTTP request of a call. Throws `InvalidArgument` for values that neither a URL nor JSON can hold.
 */
export const requestFor = ({ method, path }: Route, input: unknown): Request => {
  if (!isRecord(input)) throw new InvalidArgument("input", "Expected an object")
  const filled = path.replace(/\{(\w+)\}/g, (_, field: string) => segmentOf(field, input[field]))
  const rest = Object.entries(input).filter(([field, value]) =>
    !path.includes(`{${field}}`) && value !== undefined
  )
  if (method === "POST") return { path: filled, body: jsonOf(Object.fromEntries(rest)) }
  const query = new URLSearchParams()
  for (const [field, value] of rest) query.set(field, String(value))
  return { path: query.size === 0 ? filled : `${filled}?${query}`, body: undefined }
}

const segmentOf = (field: string, value: unknown): string => {
  // These would change the path of the URL.
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
