/** Faults that the sandbox makes on request: one word such as `fault:429x2,retry-after=30`. */
import type { ServerAnswer } from "@web-grounding/dialects/Dialect"
import { type Engine, engines } from "@web-grounding/dialects/Dialects"
import { refusal } from "@web-grounding/dialects/Tavily"
import { Option } from "effect"

// Faults that are a status and a body, in Tavily's words if a dialect has none of its own.

const html = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
const htmlType = "text/html; charset=utf-8"

export const common = {
  202: { status: 202, body: JSON.stringify({ status: "pending" }) },
  204: { status: 204 },
  400: refusal(400, "Invalid topic. Must be 'general' or 'news'."),
  402: refusal(402, "Payment required."),
  403: refusal(403, "Forbidden"),
  404: { status: 404, body: JSON.stringify({ detail: "Not Found" }) },
  409: refusal(409, "Conflict"),
  413: refusal(413, "Request too large."),
  422: refusal(422, "Unprocessable"),
  451: refusal(451, "Unavailable for legal reasons."),
  500: refusal(500, "Internal Server Error"),
  502: refusal(502, "Bad Gateway"),
  "502-html": { status: 502, body: html, type: htmlType },
  503: refusal(503, "Service Unavailable"),
  504: refusal(504, "Gateway Timeout"),
  524: { status: 524, body: html, type: htmlType },
  "html-200": { status: 200, body: html, type: htmlType },
  "empty-body": { status: 200, body: "" },
  "invalid-json": { status: 200, body: "{'results': [], 'query': None}" },
  "wrong-shape": { status: 200, body: JSON.stringify({ results: { url: "https://a.example" } }) }
} as const satisfies Readonly<Record<string, ServerAnswer>>

export interface Fault {
  readonly name: string
  /** Number of requests with this word that get the fault; absent: all. */
  readonly times: number | undefined
  /** `retry-after`, `delay`, `every`, `mib`: each used by some faults. */
  readonly parameters: ReadonlyMap<string, string>
  /** The word itself, by which its requests are counted. */
  readonly word: string
}

/** The query by which pages are ranked. */
export const withoutDirectives = (query: string): string =>
  query.replace(/(?:^|\s)fault:\S+/g, " ").trim()

export const numberOf = (
  { parameters }: Fault,
  name: string,
  bounds: { readonly otherwise: number; readonly most: number }
): number => {
  const given = Number(parameters.get(name) ?? bounds.otherwise)
  return Number.isFinite(given) ? Math.min(bounds.most, Math.max(0, given)) : bounds.otherwise
}

// Keys of the sandbox: any with its service's sandbox prefix is valid, and no real one has it.

export type Service = Engine | "jina" | "openai"

const services: ReadonlyArray<Service> = [...engines, "jina", "openai"]

/** Services whose keys do not begin with their names. */
const prefixes: Readonly<Partial<Record<Service, string>>> = {
  tavily: "tvly",
  serpapi: "serp",
  brave_context: "brave"
}

const beginningOf = (service: Service): string => `${prefixes[service] ?? service}-sandbox-`

const beginning = (services: ReadonlyArray<Service>): string =>
  `(?:${services.map(beginningOf).join("|")})`

/** A valid key without a fault. */
export const plain = (service: Service): string => `${beginningOf(service)}1`

/** The text as a key, if valid for one of these services. */
export const keyIn = (text: string, ...of: ReadonlyArray<Service>): Option.Option<string> =>
  Option.liftPredicate(text, (key) => new RegExp(`^${beginning(of)}[\\w-]{1,100}$`).test(key))

const faulty = new RegExp(
  `^${beginning(services)}fault-([a-z0-9-]+?)(?:_.*)?$`
)

/** `429` of `tvly-sandbox-fault-429` and of `serp-sandbox-fault-429_2`. */
export const faultWord = (key: string): string | undefined => faulty.exec(key)?.[1]
