/** Serper's protocol: Google's results. By its documentation and answers seen in 2026. */
import { Option, Result, Schema } from "effect"
import type { EngineSearch, SearchDialect, ServerAnswer } from "./Dialect.ts"
import * as Dialect from "./Dialect.ts"
import { askedInGoogle, googleMarket, googleRange, googleResult, googleShown } from "./SerpApi.ts"

/** Google reads no more than 2,048. In UTF-16 code units. */
const queryCharsMax = 2_000
/** More than these cost two credits. */
const hitsMax = 10

const refusal = (status: number, message: string) =>
  Dialect.jsonAnswer(status, { message, statusCode: status })
const noKey = refusal(403, "Unauthorized.")

export const Serper: SearchDialect = {
  ...Dialect.inJson,
  method: "POST",
  paths: ["/search"],
  carrier: "json",
  key: { header: "x-api-key" },
  hitsMax,
  /** Topic and depth have no field; a news search is another call. */
  fieldsOf: (asked) => ({
    q: Dialect.withSites(asked.query.toWellFormed(), asked, { charsMax: queryCharsMax }),
    num: Math.min(asked.hitsMax ?? hitsMax, hitsMax),
    ...googleMarket(Dialect.marketOf(asked)),
    ...googleRange(asked)
  }),
  askedOf: (fields) => askedOf(fields),
  bodyOf: (said, { fields }) =>
    JSON.stringify({
      searchParameters: fields,
      organic: Dialect.written(said, googleShown),
      credits: 1
    }),
  answerOf: (body, now) =>
    Dialect.answerBy({ results: "organic", credits: ["credits"] }, googleResult(now))(body),
  faultOf: (status, body) =>
    status === 400 && /credits/i.test(body)
      ? Option.some({ status: "quota_exhausted" })
      : Dialect.ofStatus(status, { 403: { status: "invalid_key" } }),
  noKey,
  faults: { "serper-credits": refusal(400, "Not enough credits") }
}

const Fields = Schema.Struct({
  q: Schema.NonEmptyString,
  num: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 })))
})
const decodeFields = Schema.decodeUnknownOption(Fields)

const askedOf = (body: unknown): Result.Result<EngineSearch, ServerAnswer> =>
  Option.match(Option.filter(decodeFields(body), ({ q }) => q.trim() !== ""), {
    onNone: () => Result.fail(refusal(400, "Missing query parameter")),
    onSome: ({ num = hitsMax, q }) =>
      Result.succeed({ ...askedInGoogle(body), ...Dialect.withoutSites(q), hitsMax: num })
  })
