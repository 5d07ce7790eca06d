/** The sources of a recorded answer, each with what is quoted from it and what was handed on. */
import { Effect } from "effect"
import type { EvidenceReading, SourceRead } from "../contract/AgentTools.ts"
import { InvalidInput } from "../contract/PublicFailure.ts"
import type { GroundingOutcome } from "../domain/session/GroundingOutcome.ts"

const sections = [
  "key_points",
  "norms_and_expectations",
  "constraints_and_rules",
  "disputed_or_uncertain"
] as const

/**
 * Pages that an answer cites, with their recorded texts: all of them, or the one with the id. Fails
 * for an id that the answer does not cite.
 */
export const readSources = (
  outcome: GroundingOutcome,
  sourceId: string | undefined
): Effect.Effect<EvidenceReading, InvalidInput> => {
  const { request_id, session_id } = outcome
  const sources = sourcesOf(outcome)
  const wanted = sources.filter(({ source_id }) => (sourceId ?? source_id) === source_id)
  return sourceId !== undefined && wanted.length === 0
    ? Effect.fail(
      new InvalidInput({
        field: "source_id",
        problem: `Expected one of ${sources.map(({ source_id }) => source_id).join(", ")}`
      })
    )
    : Effect.succeed({ session_id, request_id, sources: wanted })
}

/** Sources in the order of the evidence; those that only the pack knows come last. */
export const sourcesOf = ({ evidence, pack }: GroundingOutcome): ReadonlyArray<SourceRead> => {
  const cited = sections.flatMap((section) =>
    pack[section].flatMap(({ sources, text: claim }) =>
      sources.map((source) => ({ claim, section, source }))
    )
  )
  const known = [...evidence?.sources ?? [], ...cited.map(({ source }) => source)]
  const sources = [...Map.groupBy(known, ({ source_id }) => source_id).values()]
    .flatMap(([source]) => source ?? [])
  const places = evidence?.sources.map(({ source_id }) => source_id) ?? []
  return sources.map((source) => {
    const { official, published_date, site, source_id, title, url } = source
    const own = cited.filter((one) => one.source.source_id === source_id)
    const [first] = own
    return {
      source_id,
      url,
      title,
      site,
      official,
      ...(published_date === undefined ? {} : { published_date }),
      ...(first === undefined ? {} : { text_sha256: first.source.text_sha256 }),
      quotes: own.flatMap(({ claim, section, source: { quotes } }) =>
        quotes.map((quote) => ({ ...quote, claim, section }))
      ),
      passages: (evidence?.chunks ?? [])
        .filter(({ source_index }) => places[source_index] === source_id)
        .map(({ source_index: _, ...passage }) => passage)
    }
  })
}
