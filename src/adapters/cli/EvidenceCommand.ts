/** `evidence`: lists, adds and removes contents of the evidence store. */
import { Console, Effect, FileSystem, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { AskedCalls } from "../../application/operations/Calls.ts"
import { DocumentReader } from "../../application/ports/Embedder.ts"
import { sourceIdOf, SourceType } from "../../domain/store/Entry.ts"
import * as EvidenceFlags from "./evidence/EvidenceFlags.ts"
import { failedCount, type FileOutcome, ingest as ingestFiles } from "./evidence/EvidenceIngest.ts"
import * as Terminal from "./terminal/Terminal.ts"
import {
  becauseOfFile,
  CommandFailed,
  commandFailed,
  explained,
  jsonFlag
} from "./terminal/Terminal.ts"
import { asking, askUnknown, part, type Wiring } from "./Wiring.ts"

const json = jsonFlag()

export const make = (wiring: Wiring) =>
  Command.make("evidence").pipe(
    Command.withDescription("Keep papers, notes, pages and graph nodes, and find them again"),
    Command.withSubcommands([
      ingest(wiring),
      search(wiring),
      promote(wiring),
      remove(wiring),
      gather(wiring),
      reembed(wiring),
      status(wiring)
    ])
  )

const collector = EvidenceFlags.text("collector", "Who brings it; default cli")

const ask = <A, E extends Error, R>(
  wiring: Wiring,
  question: (calls: AskedCalls) => Effect.Effect<A, E, R>
) => asking(wiring, { mock: false }, question).pipe(Effect.mapError(commandFailed))

/** Loaded on use: these texts select sentences by the domain's rules. */
const texts = Effect.promise(() => import("./evidence/EvidenceText.ts"))

const printed = <A>(asJson: boolean, answer: A, text: (answer: A) => string) =>
  Console.log(asJson ? JSON.stringify(answer, undefined, 2) : text(answer))

const ingest = (wiring: Wiring) =>
  Command.make(
    "ingest",
    {
      place: Argument.String("place").pipe(
        Argument.withDescription("A file, a folder, or the address of a page")
      ),
      ...EvidenceFlags.givenFlags,
      collector,
      json
    },
    Effect.fnUntraced(function*({ collector, json, place, ...given }) {
      const outcomes = yield* ask(
        wiring,
        Effect.fnUntraced(function*(calls) {
          const by = EvidenceFlags.present({ collector })
          if (/^https?:\/\//i.test(place)) {
            const about = EvidenceFlags.present({
              node_id: given.node_id,
              node_label: given.node_label
            })
            const page = calls.CollectPage({ source_url: place, ...about, ...by })
            const collected = yield* Effect.catchTag(page, "PageUnreadable", (failure) =>
              new CommandFailed({
                sentence: failure.message.replace(failure.reason, explained(failure.reason))
              }))
            return [{ file: place, outcome: "collected", ...collected } satisfies FileOutcome]
          }
          const { source_type, ...rest } = given
          const reader = yield* part(wiring, ({ reader }) =>
            reader)
          return yield* ingestFiles(place, {
            collect: (input) =>
              askUnknown(calls, "CollectEvidence", input),
            given: { source_type, ...EvidenceFlags.present(rest) },
            ...by
          }).pipe(Effect.provideService(DocumentReader, reader))
        })
      )
      const { ingestedText } = yield* texts
      yield* printed(json, outcomes, ingestedText)
      const failed = failedCount(outcomes)
      if (failed > 0) {
        return yield* new CommandFailed({ sentence: `${failed} of ${outcomes.length} failed` })
      }
    })
  ).pipe(
    Command.withDescription("Collect files, a folder or a page; again replaces what was there"),
    Command.withExamples([{
      command: "evidence ingest docs --source-type user_note",
      description: "Collect the project's own documents"
    }])
  )

const search = (wiring: Wiring) =>
  Command.make(
    "search",
    {
      query: Argument.String("query").pipe(Argument.withDescription("Words or a question")),
      limit: Flag.Int("limit").pipe(Flag.withDescription("Entries, 1 to 50"), Flag.withDefault(10)),
      ...EvidenceFlags.filter,
      json
    },
    Effect.fnUntraced(function*({ json, limit, query, ...filter }) {
      const found = yield* ask(wiring, ({ SearchEvidence }) =>
        SearchEvidence({ query, limit, filter: EvidenceFlags.present(filter) }))
      const style = yield* Terminal.style
      const { foundText } = yield* texts
      yield* printed(json, found, (answer) =>
        foundText(query, answer, style))
    })
  ).pipe(Command.withDescription("Find entries by words and, where it can, by meaning"))

const promote = (wiring: Wiring) =>
  Command.make(
    "promote",
    {
      source_url: Argument.String("url").pipe(
        Argument.withDescription("Address of the collected page")
      ),
      node: Argument.String("node").pipe(
        Argument.withDescription("JSON file of the node that takes its place")
      ),
      collector,
      json
    },
    Effect.fnUntraced(function*({ collector, json, node, source_url }) {
      const { readFileString } = yield* FileSystem.FileSystem
      const text = yield* Effect.mapError(readFileString(node), becauseOfFile(node))
      const parsed = yield* Option.match(EvidenceFlags.parsed(text), {
        onNone: () => Effect.fail(new CommandFailed({ sentence: `${node}: it is not JSON` })),
        onSome: Effect.succeed
      })
      const by = EvidenceFlags.present({ collector })
      const promoted = yield* ask(wiring, (calls) =>
        askUnknown(calls, "PromoteEvidence", { source_url, node: parsed, ...by }))
      yield* printed(json, promoted, ({ removed, source_id }) =>
        `kg_node ${source_id}: 1 in, ${removed} of the page out`)
    })
  ).pipe(Command.withDescription("Put a graph node in the place of a page"))

const remove = (wiring: Wiring) =>
  Command.make(
    "remove",
    {
      source_type: Argument.Literals("source_type", SourceType.literals),
      source_id: Argument.String("source_id").pipe(
        Argument.withDescription("Its id, also as a search shows it; of a page, its address")
      ),
      collector,
      json
    },
    Effect.fnUntraced(function*({ collector, json, source_id, source_type }) {
      const by = EvidenceFlags.present({ collector })
      const removed = yield* ask(wiring, ({ RemoveEvidence }) => {
        const removing = (id: string) => RemoveEvidence({ source_type, source_id: id, ...by })
        const shown = sourceIdOf(source_id)
        return shown === source_id
          ? removing(source_id)
          : Effect.catchTag(removing(source_id), "EvidenceNotFound", () => removing(shown))
      })
      yield* printed(json, removed, (gone) =>
        `${gone.source_type} ${gone.source_id}: ${gone.removed} out`)
    })
  ).pipe(Command.withDescription("Take a source's entries out"))

const reembed = (wiring: Wiring) =>
  Command.make(
    "reembed",
    { collector, json },
    Effect.fnUntraced(function*({ collector, json }) {
      const by = EvidenceFlags.present({ collector })
      const done = yield* ask(wiring, ({ ReembedEvidence }) => ReembedEvidence(by))
      yield* printed(json, done, ({ embedded, entries, model }) =>
        `${model.model} (${model.dimensions}): ${embedded} embedded now, ${entries} in all`)
    })
  ).pipe(Command.withDescription("Move all entries to the embedder that is configured"))

const gather = (wiring: Wiring) =>
  Command.make(
    "gather",
    { json },
    Effect.fnUntraced(function*({ json }) {
      const gathered = yield* ask(wiring, ({ GatherEvidence }) => GatherEvidence({}))
      yield* printed(json, gathered, ({ collected, failed, known }) =>
        `${collected} collected, ${known} known before, ${failed} failed`)
    })
  ).pipe(
    Command.withDescription("Collect the pages that groundings have left; serve does it itself")
  )

const status = (wiring: Wiring) =>
  Command.make(
    "status",
    { json },
    Effect.fnUntraced(function*({ json }) {
      const told = yield* ask(wiring, ({ GetEvidenceStatus }) => GetEvidenceStatus({}))
      const { statusText } = yield* texts
      yield* printed(json, told, statusText)
    })
  ).pipe(Command.withDescription("Count what the evidence store holds"))
