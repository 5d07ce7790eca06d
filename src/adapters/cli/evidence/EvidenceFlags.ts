/** Flags of the `evidence` commands, named after their fields. */
import { Option, Schema } from "effect"
import { Flag } from "effect/cli"
import { SourceType } from "../../../domain/store/Entry.ts"

export const text = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const whole = (name: string, description: string) =>
  Flag.Int(name).pipe(Flag.withDescription(description), Flag.optional)

const about = {
  node_id: text("node-id", "The graph's node that it is about"),
  node_label: text("node-label", "That node's kind, e.g. Method")
}

export const givenFlags = {
  source_type: Flag.Literals("source-type", ["user_note", "paper"] as const).pipe(
    Flag.withDescription("What the files are"),
    Flag.withDefault("user_note")
  ),
  id: text("id", "Id of a single file; default its name and a mark of its place"),
  title: text("title", "Title of a single file; default its heading or name"),
  ...about
}

export const filter = {
  source_type: Flag.Literals("source-type", SourceType.literals).pipe(
    Flag.withDescription("Only entries of this kind"),
    Flag.optional
  ),
  source_id: text("source-id", "Only this node, page or document"),
  source_url: text("source-url", "Only from this address, in any spelling"),
  collected_at: text("collected-at", "Only collected at this instant"),
  collected_from: text("collected-from", "Only collected on this day or at this instant, or later"),
  collected_until: text("collected-until", "Only collected before this day or instant"),
  collector: text("collector", "Only brought by this one"),
  ...about,
  title: text("title", "Only under this title"),
  published_date: text("published-date", "Only of this date, as it is kept"),
  modified_date: text("modified-date", "Only changed at this date, as it is kept"),
  published_from: text("published-from", "Only published on this day or later"),
  published_until: text("published-until", "Only published before this day"),
  official: Flag.Boolean("official").pipe(
    Flag.withDescription("Only pages fetched from public bodies' own sites"),
    Flag.withDefault(false),
    Flag.map((isAsked) => isAsked ? Option.some(true as const) : Option.none())
  ),
  chunk_index: whole("chunk-index", "Only at this place in the source, from 0"),
  total_chunks: whole("total-chunks", "Only of sources with so many entries"),
  embedding_model: text("embedding-model", "Only with a vector of this model"),
  embedding_dimensions: whole("embedding-dimensions", "Only with a vector of this length")
}

export const present = (
  flags: Readonly<Record<string, Option.Option<string | number | true>>>
): Readonly<Record<string, string | number | true>> =>
  Object.fromEntries(
    Object.entries(flags).flatMap(([name, value]) =>
      Option.isSome(value) ? [[name, value.value]] : []
    )
  )

export const parsed = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))
