/** Ways to call the service over HTTP, and whether what it answers fits the published document. */
import { Effect } from "effect"
import { document } from "../../src/adapters/http/OpenApiDocument.ts"
import { match, pathFieldsOf, routeOf } from "../../src/adapters/http/Problem.ts"
import type { OperationName } from "../../src/contract/ServiceOperations.ts"
import { faultsOf } from "./jsonSchema.ts"

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array<ArrayBuffer>
}

export interface Answered {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export const send = (service: string, { body, headers = {}, method, path }: Sent) =>
  Effect.promise(async (signal): Promise<Answered> => {
    const response = await fetch(`${service}${path}`, {
      method,
      signal,
      headers: method === "POST" ? { "content-type": "application/json", ...headers } : headers,
      ...(body === undefined ? {} : { body })
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })

/** A request for an operation, with each field of its input where the route has it. */
export const requestFor = (name: OperationName, input: Readonly<Record<string, unknown>>): Sent => {
  const { method, path } = routeOf(name)
  const inPath = pathFieldsOf(path)
  const rest = Object.fromEntries(
    Object.entries(input).filter(([field]) => !inPath.includes(field))
  )
  const filled = path.replace(
    /\{(\w+)\}/g,
    (_, field: string) => encodeURIComponent(String(input[field]))
  )
  const query = new URLSearchParams(
    Object.entries(rest).map(([field, value]): [string, string] => [field, String(value)])
  )
  return method === "POST"
    ? { method, path: filled, body: JSON.stringify(rest) }
    : { method, path: query.size === 0 ? filled : `${filled}?${query}` }
}

export const published: Record<string, any> = JSON.parse(JSON.stringify(Effect.runSync(document)))

const resolve = (one: any) =>
  one?.$ref === undefined
    ? one
    : published["components"].responses[one.$ref.split("/").at(-1)]

/** What the document says of an answer to this request; of no operation, a problem is right. */
const responseTo = ({ method, path }: Sent, status: number) => {
  const matched = match(method, path.split("?")[0] ?? "")
  if (matched._tag !== "Found") {
    return published["components"].responses[`Problem${status}`] ?? {
      content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } }
    }
  }
  const { method: lower, path: pattern } = routeOf(matched.name)
  return resolve(published["paths"][pattern][lower.toLowerCase()].responses[status])
}

/** Everything in which an answer differs from the document. */
export const unpublished = (sent: Sent, answer: Answered): ReadonlyArray<string> => {
  const response = responseTo(sent, answer.status)
  if (response === undefined) return [`status ${answer.status} is not published`]
  const type = answer.headers.get("content-type")?.split(";")[0] ?? ""
  const content = type === "text/event-stream"
    ? { schema: response["x-text-event-stream"] }
    : response.content[type]
  if (content?.schema === undefined) return [`${answer.status}: ${type} is not published`]
  const value = type.endsWith("json") ? JSON.parse(answer.text) : answer.text
  const told = type === "application/problem+json" && value.status !== answer.status
    ? [`the problem says ${value.status}, the answer ${answer.status}`]
    : []
  return [...told, ...faultsOf(published, content.schema, value)]
}

export interface Frame {
  readonly id: string | undefined
  readonly event: string
  readonly data: any
}

/** The events of a stream; comments and other fields are left out. */
export const framesOf = (text: string): ReadonlyArray<Frame> =>
  text.split("\n\n").flatMap((block) => {
    const fields = new Map(
      block.split("\n").filter((line) => /^\w/.test(line)).map((line): [string, string] => {
        const at = line.indexOf(": ")
        return [line.slice(0, at), line.slice(at + 2)]
      })
    )
    const event = fields.get("event")
    return event === undefined
      ? []
      : [{ id: fields.get("id"), event, data: JSON.parse(fields.get("data") ?? "null") }]
  })
