/** Flags of the `evidence` commands, named after their fields. */
import { Effect, Schema } from "effect"
import { SourceType } from "../../../domain/store/Entry.ts"
import * as Flags from "../terminal/Flags.ts"
import { CommandFailed } from "../terminal/Terminal.ts"

export const about = {
  node_id: Flags.text("node-id", "Node of the graph that it is about"),
  node_label: Flags.text("node-label", "That node's kind, e.g. Method")
}

export const givenFlags = {
  source_type: Flags.choiceOr(
    "source-type",
    ["user_note", "paper"],
    "user_note",
    "Kind of the files"
  ),
  id: Flags.text("id", "Id of a single file; default: its name and a hash of its path"),
  title: Flags.text("title", "Title of a single file; default: its heading or name"),
  ...about
}

export const filter = {
  source_type: Flags.choice("source-type", SourceType.literals, "Only entries of this kind"),
  source_id: Flags.text("source-id", "Only this node, page or document"),
  source_url: Flags.text("source-url", "Only from this URL, in any spelling"),
  collected_at: Flags.text("collected-at", "Only collected at this instant"),
  collected_from: Flags.text(
    "collected-from",
    "Only collected on this day or at this instant, or later"
  ),
  collected_until: Flags.text("collected-until", "Only collected before this day or instant"),
  collector: Flags.text("collector", "Only by this collector"),
  ...about,
  title: Flags.text("title", "Only with this title"),
  published_date: Flags.text("published-date", "Only with this date, as stored"),
  modified_date: Flags.text("modified-date", "Only with this date of change, as stored"),
  published_from: Flags.text("published-from", "Only published on this day or later"),
  published_until: Flags.text("published-until", "Only published before this day"),
  official: Flags.given("official", "Only pages fetched from public bodies' own sites"),
  chunk_index: Flags.whole("chunk-index", "Only this number in the source, from 0"),
  total_chunks: Flags.whole("total-chunks", "Only of sources with this number of entries"),
  embedding_model: Flags.text("embedding-model", "Only with a vector of this model"),
  embedding_dimensions: Flags.whole("embedding-dimensions", "Only with a vector of this length")
}

const decoded = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Unknown))

export const parsed = (file: string, text: string) =>
  Effect.mapError(decoded(text), () => new CommandFailed({ sentence: `${file}: it is not JSON` }))
