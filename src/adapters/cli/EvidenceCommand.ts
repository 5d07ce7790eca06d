/** `evidence`: lists, adds and removes contents of the evidence store. */
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { DocumentReader } from "../../application/ports/Embedder.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import { sourceIdOf, SourceType } from "../../domain/store/Entry.ts"
import * as EvidenceFlags from "./evidence/EvidenceFlags.ts"
import { failedCount, type FileOutcome, ingest as ingestFiles } from "./evidence/EvidenceIngest.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { CommandFailed, explained, failWhen, textOfFile } from "./terminal/Terminal.ts"
import { answering, ask, asking, askUnknown, command, part } from "./Wiring.ts"

const json = Flags.json()

const collector = Flags.text("collector", "Collector; default: cli")

/** Loaded on use: these texts select sentences by the domain's rules. */
const texts = Effect.promise(() => import("./evidence/EvidenceText.ts"))

const ingest = command(
  "ingest",
  "Collect files, a folder or a page, replacing their earlier entries",
  {
    place: Flags.argument("place", "A file, a folder, or the URL of a page"),
    ...EvidenceFlags.givenFlags,
    collector,
    json
  },
  function*({ collector, json, place, ...given }) {
    const outcomes = yield* asking(
      Effect.fnUntraced(function*(calls) {
        if (/^https?:\/\//i.test(place)) {
          const { node_id, node_label } = given
          const page = calls.CollectPage({
            source_url: place,
            ...asGiven({ node_id, node_label, collector })
          })
          const collected = yield* Effect.catchTag(
            page,
            "PageUnreadable",
            (failure) =>
              new CommandFailed({
                sentence: failure.message.replace(failure.reason, explained(failure.reason))
              })
          )
          return [{ file: place, outcome: "collected", ...collected } satisfies FileOutcome]
        }
        const { source_type, ...rest } = given
        const reader = yield* part(({ reader }) => reader)
        return yield* ingestFiles(place, {
          collect: (input) => askUnknown(calls, "CollectEvidence", input),
          given: { source_type, ...asGiven(rest) },
          ...asGiven({ collector })
        }).pipe(Effect.provideService(DocumentReader, reader))
      })
    )
    const { ingestedText } = yield* texts
    yield* Terminal.print(json, outcomes, ingestedText)
    const failed = failedCount(outcomes)
    yield* failWhen(failed > 0, `${failed} of ${outcomes.length} failed`)
  }
).pipe(Command.withExamples([{
  command: "web-grounding evidence ingest docs --source-type user_note",
  description: "Collect the project's own documents"
}]))

const search = command("search", "Find entries by words and, with vectors, by meaning", {
  query: Flags.argument("query", "Words or a question"),
  limit: Flags.wholeOr("limit", 10, "Most entries, 1 to 50"),
  ...EvidenceFlags.filter,
  json
}, function*({ json, limit, query, ...filter }) {
  const found = yield* ask("SearchEvidence", { query, limit, filter: asGiven(filter) })
  const { foundText } = yield* texts
  yield* Terminal.print(json, found, (answer, style) => foundText(query, answer, style))
})

const promote = answering(
  "promote",
  "Replace a page by a graph node",
  {
    source_url: Flags.argument("url", "URL of the collected page"),
    node: Flags.argument("node", "JSON file of the node"),
    collector
  },
  Effect.fnUntraced(function*({ collector, node, source_url }) {
    const parsed = yield* EvidenceFlags.parsed(node, yield* textOfFile(node))
    const input = { source_url, node: parsed, ...asGiven({ collector }) }
    return yield* asking((calls) => askUnknown(calls, "PromoteEvidence", input))
  }),
  ({ removed, source_id }) => `kg_node ${source_id}: 1 in, ${removed} of the page out`
)

const remove = answering("remove", "Remove a source's entries", {
  source_type: Argument.Literals("source_type", SourceType.literals),
  source_id: Flags.argument(
    "source_id",
    "Its id, also as in a search; of a page, its URL"
  ),
  collector
}, ({ collector, source_id, source_type }) =>
  asking(({ RemoveEvidence }) => {
    const removing = (id: string) =>
      RemoveEvidence({ source_type, source_id: id, ...asGiven({ collector }) })
    const shown = sourceIdOf(source_id)
    return shown === source_id
      ? removing(source_id)
      : Effect.catchTag(removing(source_id), "EvidenceNotFound", () => removing(shown))
  }), ({ removed, source_id, source_type }) => `${source_type} ${source_id}: ${removed} out`)

const report = command("report", "Report a false or hostile page: no later answer uses it", {
  source_url: Flags.argument("url", "URL of the page"),
  withdraw: Flags.bool("withdraw", "Withdraw the report"),
  collector,
  json
}, function*({ collector, json, source_url, withdraw }) {
  const done = yield* ask("ReportPage", { source_url, withdraw, ...asGiven({ collector }) })
  yield* Terminal.print(json, done, ({ reported, source_url }) => [
    `${source_url}: ${withdraw ? "may be used again" : "no later answer uses it"}`,
    `Reported pages: ${reported.length}`,
    ...reported.map((url) => `  ${url}`)
  ])
})

const reembed = answering(
  "reembed",
  "Move all entries to the configured embedder",
  { collector },
  ({ collector }) => ask("ReembedEvidence", asGiven({ collector })),
  ({ embedded, entries, model }) =>
    `${model.model} (${model.dimensions}): ${embedded} embedded now, ${entries} in all`
)

const gather = answering(
  "gather",
  "Collect the waiting pages of groundings; serve does it by itself",
  {},
  () => ask("GatherEvidence", {}),
  ({ collected, failed, known }) =>
    `${collected} collected, ${known} known before, ${failed} failed`
)

const status = command(
  "status",
  "Count what the evidence store holds",
  { json },
  function*({ json }) {
    const told = yield* ask("GetEvidenceStatus", {})
    const { statusText } = yield* texts
    yield* Terminal.print(json, told, statusText)
  }
)

export const evidence = Command.make("evidence").pipe(
  Command.withDescription("Keep papers, notes, pages and graph nodes, and find them again"),
  Command.withSubcommands([ingest, search, promote, remove, report, gather, reembed, status])
)
