/** Faults that are a status and a body; 401, 429, 432 and 433 speak in Tavily's own words. */
import * as DuckDuckGoPages from "./DuckDuckGoPages.ts"
import type { FaultName } from "./Fault.ts"

export interface PlainAnswer {
  readonly status: number
  readonly body?: string
  readonly type?: string
  /** Headers beside the content's own; a `retry-after` that is asked for replaces one here. */
  readonly headers?: Readonly<Record<string, string>>
}

export type PlainAnswers = { readonly [name in FaultName]?: PlainAnswer }

export const errorBody = (error: string) => JSON.stringify({ detail: { error } })
const html = "<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>"
const htmlType = "text/html; charset=utf-8"

export const answers = {
  202: { status: 202, body: JSON.stringify({ status: "pending" }) },
  204: { status: 204 },
  400: { status: 400, body: errorBody("Invalid topic. Must be 'general' or 'news'.") },
  401: { status: 401, body: errorBody("Unauthorized: missing or invalid API key.") },
  402: { status: 402, body: errorBody("Payment required.") },
  403: { status: 403, body: errorBody("Forbidden") },
  404: { status: 404, body: JSON.stringify({ detail: "Not Found" }) },
  409: { status: 409, body: errorBody("Conflict") },
  413: { status: 413, body: errorBody("Request too large.") },
  422: {
    status: 422,
    body: JSON.stringify({ detail: [{ loc: ["body", "topic"], msg: "odd", type: "enum" }] })
  },
  429: {
    status: 429,
    body: errorBody(
      "Your request has been blocked due to excessive requests. Please reduce the rate of " +
        "requests. Verify you are using production API keys."
    )
  },
  "429-plan": {
    status: 429,
    body: errorBody(
      "Plan API usage limit reached. Please upgrade your plan or contact support@tavily.com"
    )
  },
  432: {
    status: 432,
    body: errorBody(
      "This request exceeds your plan's set usage limit. Please upgrade your plan or contact " +
        "support@tavily.com"
    )
  },
  433: {
    status: 433,
    body: errorBody(
      "This request exceeds the pay-as-you-go limit. You can increase your limit on the Tavily " +
        "dashboard."
    )
  },
  451: { status: 451, body: errorBody("Unavailable for legal reasons.") },
  500: { status: 500, body: errorBody("Internal Server Error") },
  502: { status: 502, body: errorBody("Bad Gateway") },
  "502-html": { status: 502, body: html, type: htmlType },
  503: { status: 503, body: errorBody("Service Unavailable") },
  504: { status: 504, body: errorBody("Gateway Timeout") },
  524: { status: 524, body: html, type: htmlType },
  captcha: { status: 200, body: DuckDuckGoPages.challenge, type: DuckDuckGoPages.type },
  "ddg-202": { status: 202, body: DuckDuckGoPages.home, type: DuckDuckGoPages.type },
  "serp-error": {
    status: 200,
    body: JSON.stringify({
      search_metadata: { status: "Error" },
      error: "We couldn't get valid results for this search. Please try again later."
    })
  },
  "serp-hourly": {
    status: 429,
    body: JSON.stringify({
      error: "Your account is exceeding the hourly throughput limit of your plan."
    })
  },
  "serp-out-of-searches": {
    status: 429,
    body: JSON.stringify({ error: "Your account has run out of searches." })
  },
  "html-200": { status: 200, body: html, type: htmlType },
  "empty-body": { status: 200, body: "" },
  "invalid-json": { status: 200, body: "{'results': [], 'query': None}" },
  "wrong-shape": { status: 200, body: JSON.stringify({ results: { url: "https://a.example" } }) }
} as const satisfies PlainAnswers
