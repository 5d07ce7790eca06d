/** The operation that a method and a path call; see the table of operations. */
import { Option } from "effect"
import type { Route } from "../../contract/Operations.ts"
import {
  type OperationName,
  operationNames,
  serviceOperations
} from "../../contract/ServiceOperations.ts"

export const routeOf = (name: OperationName): Route => serviceOperations[name].http

/** Path of the OpenAPI document. */
export const documentPath = "/v1/openapi.json"
export const docsPath = "/v1/docs"

/** Names in braces, in order. */
export const pathFieldsOf = (path: string): ReadonlyArray<string> =>
  Array.from(path.matchAll(/\{(\w+)\}/g), (named) => named[1] ?? "")

export type Match =
  | {
    readonly _tag: "Found"
    readonly name: OperationName
    readonly fields: Readonly<Record<string, string>>
  }
  /** The path exists under other methods. */
  | { readonly _tag: "OtherMethod"; readonly allow: ReadonlyArray<string> }
  | { readonly _tag: "Unknown" }

/** Operation that a method and a path call. `path` is as it was sent, without its query. */
export const match = (method: string, path: string): Match => {
  const there = operationNames.flatMap((name) =>
    Option.match(fieldsOf(routeOf(name).path, path), {
      onNone: () => [],
      onSome: (fields) => [{ name, fields }]
    })
  )
  if (there.length === 0) return { _tag: "Unknown" }
  const found = there.find(({ name }) => routeOf(name).method === method)
  return found === undefined
    ? { _tag: "OtherMethod", allow: there.map(({ name }) => routeOf(name).method) }
    : { _tag: "Found", ...found }
}

const decodeSegment = Option.liftThrowable(decodeURIComponent)

const fieldsOf = (
  pattern: string,
  path: string
): Option.Option<Readonly<Record<string, string>>> => {
  const expected = pattern.split("/")
  const segments = path.split("/")
  if (expected.length !== segments.length) return Option.none()
  const fields: Record<string, string> = {}
  for (const [index, part] of expected.entries()) {
    const segment = segments[index] ?? ""
    const field = /^\{(\w+)\}$/.exec(part)?.[1]
    if (field === undefined) {
      if (segment !== part) return Option.none()
    } else {
      const text = decodeSegment(segment)
      if (Option.isNone(text) || text.value === "") return Option.none()
      fields[field] = text.value
    }
  }
  return Option.some(fields)
}
