/** One numbering for all shown sources, and the answer with a mark for each. */
import { Schema, Struct } from "effect"
import {
  CitedSource,
  type Claim,
  type GroundingPack,
  mapClaims,
  standing
} from "../pack/GroundingPack.ts"
import { asGiven } from "../request/GivenFields.ts"

const { official, site, title, url } = CitedSource.fields

export const Citation = Schema.Struct({
  /** Number of the source throughout the answer, from 1. */
  n: Schema.Int,
  url,
  title,
  site,
  official,
  /** Publication date that the page states; ISO 8601. */
  published: Schema.optionalKey(Schema.String),
  /** When its text was read for this answer; ISO 8601. Absent for entries of the evidence store. */
  read_at: Schema.optionalKey(Schema.String)
})
export type Citation = typeof Citation.Type

type Source = Pick<
  CitedSource,
  "source_id" | "url" | "title" | "site" | "official" | "published_date"
>

interface ReadSource extends Source {
  readonly reader: string
}

interface Numberable<Read extends ReadSource> {
  readonly pack: GroundingPack
  /** Sources of the evidence block by id, in its order. */
  readonly block: ReadonlyArray<string>
  readonly read: ReadonlyArray<Read>
  readonly read_at?: string
}

export const numbered = <Read extends ReadSource>(
  { block, pack, read, read_at }: Numberable<Read>
) => {
  const cited = [...standingOf(pack), ...pack.disputed_or_uncertain]
    .flatMap(({ sources }) => sources)
  const ids = [...new Set([...block, ...cited.map(({ source_id }) => source_id)])]
  const withNumber = <One extends { readonly source_id: string }>(source: One) => {
    const place = ids.indexOf(source.source_id)
    return place < 0 ? source : { ...source, n: place + 1 }
  }
  const known: ReadonlyArray<Source & Partial<ReadSource>> = [...read, ...cited]
  return {
    pack: mapClaims(pack, (claim) => ({ ...claim, sources: claim.sources.map(withNumber) })),
    read: read.map(withNumber),
    citations: ids.flatMap((id, place): ReadonlyArray<Citation> => {
      const source = known.find(({ source_id }) => source_id === id)
      if (source === undefined) return []
      const { published_date, reader } = source
      return [{
        n: place + 1,
        ...Struct.pick(source, ["url", "title", "site", "official"]),
        ...asGiven({ published: published_date }),
        ...(read_at === undefined || reader === "store" ? {} : { read_at })
      }]
    })
  }
}

/** Number of each source of a pack; an older release's pack is numbered in its own order. */
export const numbersOf = (sources: ReadonlyArray<CitedSource>): ReadonlyMap<string, number> => {
  const distinct = new Map(sources.map((source) => [source.source_id, source]))
  return new Map(
    Array.from(distinct.values(), ({ n, source_id }, place) => [source_id, n ?? place + 1])
  )
}

// The pack's claims as one text, a claim a line, with a mark for each source.

export interface Mark {
  readonly claim: Claim
  readonly source: CitedSource
  /** Offsets of the claim's words, and of the mark, in UTF-16 code units; `end` is exclusive. */
  readonly said: { readonly start: number; readonly end: number }
  readonly start: number
  readonly end: number
}

export const answerOf = (claims: ReadonlyArray<Claim>) => {
  const numbers = numbersOf(claims.flatMap(({ sources }) => sources))
  return claims.reduce<{ readonly text: string; readonly marks: ReadonlyArray<Mark> }>(
    (before, claim) => {
      const start = before.text === "" ? 0 : before.text.length + 1
      const said = { start, end: start + claim.text.length }
      return claim.sources.reduce(({ marks, text }, source) => {
        const mark = `${text.length === said.end ? " " : ""}[${numbers.get(source.source_id)}]`
        const whole = text + mark
        return {
          text: whole,
          marks: [...marks, {
            claim,
            source,
            said,
            start: whole.length - mark.trimStart().length,
            end: whole.length
          }]
        }
      }, {
        text: `${before.text}${before.text === "" ? "" : "\n"}${claim.text}`,
        marks: before.marks
      })
    },
    { text: "", marks: [] }
  )
}

export const standingOf = (pack: GroundingPack): ReadonlyArray<Claim> =>
  standing(pack).map(({ claim }) => claim)
