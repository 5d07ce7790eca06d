/**
 * The pages' own text as Tavily sent it with its hits, for the reader that is asked for them soon
 * after. In memory alone and for a short time: what of it the log keeps is for others to say.
 */
import { cut } from "@web-grounding/language/Sentences"
import { Clock, Context, Effect, Layer, Option, Ref, Schema } from "effect"
import * as WebAddress from "../../domain/search/WebAddress.ts"

/** A text is read within the grounding that searched for it. */
const ageMsMax = 120_000
/** The newest stay. */
const pagesMax = 200
/** Longest text kept of one page, in UTF-16 code units. */
export const rawCharsMax = 200_000

interface Kept {
  readonly text: string
  readonly atMs: number
}

export class RawPages extends Context.Service<RawPages, {
  /** Takes what an answer holds; an answer without such texts changes nothing. */
  readonly take: (body: string) => Effect.Effect<void>
  /** Text of a page by its canonical address; none where none was kept. */
  readonly textOf: (url: string) => Effect.Effect<Option.Option<string>>
}>()("web-grounding/adapters/tavily/RawPages") {}

const decodeAnswer = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ results: Schema.Array(Schema.Unknown) }))
)
const decodeResult = Schema.decodeUnknownOption(
  Schema.Struct({ url: Schema.String, raw_content: Schema.NonEmptyString })
)

export const layer = Layer.effect(
  RawPages,
  Effect.gen(function*() {
    const pages = yield* Ref.make<ReadonlyMap<string, Kept>>(new Map())

    const young = (nowMs: number, kept: Iterable<readonly [string, Kept]>) =>
      Array.from(kept).filter(([, { atMs }]) => nowMs - atMs <= ageMsMax).slice(-pagesMax)

    return RawPages.of({
      take: Effect.fn("RawPages.take")(function*(body: string) {
        const atMs = yield* Clock.currentTimeMillis
        const taken = textsOf(body).map(([url, text]) => [url, { text, atMs }] as const)
        yield* Ref.update(pages, (before) =>
          // A page that was sent again is among the newest.
          new Map(young(
            atMs,
            new Map([
              ...Array.from(before).filter(([url]) => !taken.some(([other]) => other === url)),
              ...taken
            ])
          )))
      }),
      textOf: (url) =>
        Effect.flatMap(
          Clock.currentTimeMillis,
          (nowMs) =>
            Effect.map(Ref.get(pages), (all) =>
              Option.fromUndefinedOr(new Map(young(nowMs, all)).get(url)?.text))
        )
    })
  })
)

const textsOf = (body: string): ReadonlyArray<readonly [url: string, text: string]> =>
  Option.match(decodeAnswer(body), {
    onNone: () => [],
    onSome: ({ results }) =>
      results.flatMap((result) =>
        Option.toArray(Option.flatMap(decodeResult(result), ({ raw_content, url }) =>
          Option.map(
            WebAddress.canonical(url),
            ({ href }) => [href, cut(raw_content, rawCharsMax)] as const
          )))
      )
  })
