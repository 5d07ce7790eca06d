/** Tavily's own count of what a key has used: `GET /usage`, which its SDK does not know. */
import { Effect, Option, Redacted, Schema } from "effect"
import { HttpClientRequest } from "effect/http"
import {
  type CreditReport,
  type CreditReporter,
  failureOf,
  SearchFailed
} from "../../application/ports/SearchProvider.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import * as HttpExchange from "../../infrastructure/HttpExchange.ts"
import * as TavilyStatus from "./TavilyStatus.ts"

/** An answer takes a kilobyte. */
const bodyBytesMax = 64 * 1_024

export interface TavilyUsageOptions {
  readonly apiKey: Redacted.Redacted<string>
  /** Origin of the API, with or without a trailing slash. */
  readonly baseUrl: string
  /** 1-based. */
  readonly keySlot: number
  readonly projectId: string
}

const Count = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

const Answer = Schema.fromJsonString(Schema.Struct({
  key: Schema.Struct({ usage: Count, limit: Schema.optionalKey(Schema.NullOr(Count)) })
}))

const decode = Schema.decodeUnknownOption(Answer)

export const make = (
  { apiKey, baseUrl, keySlot, projectId }: TavilyUsageOptions
): CreditReporter => {
  const request = HttpClientRequest.get(`${baseUrl.replace(/\/+$/, "")}/usage`).pipe(
    HttpClientRequest.setHeaders({
      accept: "application/json",
      "user-agent": "web-grounding",
      "x-project-id": projectId,
      authorization: `Bearer ${Redacted.value(apiKey).trim()}`
    })
  )
  const provider = "tavily"
  const report: CreditReporter["report"] = Effect.gen(function*() {
    const exchange = yield* Effect.mapError(
      HttpExchange.exchange(request, bodyBytesMax),
      (unreachable) => new SearchFailed({ provider, ...SearchStatus.unreachable(unreachable) })
    )
    const read = readingOf(exchange)
    return "report" in read ? read.report : yield* failureOf(provider, read.fault, exchange)
  })
  return { provider, keySlot, report: report.pipe(Effect.withSpan("TavilyUsage.report")) }
}

type Reading = { readonly report: CreditReport } | { readonly fault: SearchStatus.SearchFault }

const readingOf = ({ body, status }: HttpExchange.Exchange): Reading => {
  const text = body._tag === "Whole" ? body.text : ""
  const refused = TavilyStatus.faultOf(status, text)
  if (Option.isSome(refused)) return { fault: refused.value }
  if (body._tag === "TooLarge") return { fault: SearchStatus.tooLarge }
  if (body._tag === "Cut") return { fault: SearchStatus.cutOff }
  return Option.match(decode(text), {
    onNone: (): Reading => ({ fault: SearchStatus.badBody }),
    onSome: ({ key: { limit, usage } }): Reading => ({
      report: { used: usage, ...(limit === null || limit === undefined ? {} : { limit }) }
    })
  })
}
