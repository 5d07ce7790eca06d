/** Finds the JSON object in what a model wrote: bare, in a fence, or among its words. */
import { Option, Schema } from "effect"

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown))
)

/** Thoughts that some models write before their answer. */
const thought = /^\s*<think(?:ing)?>[^]*?<\/think(?:ing)?>/i
const fence = /```(?:json|JSON)?[ \t]*\r?\n?([^]*?)```/g
const fencesMax = 8

export const find = (text: string): Option.Option<Readonly<Record<string, unknown>>> => {
  const said = text.replace(thought, "").replace(/^\uFEFF/, "").trim()
  const fenced = Array.from(said.matchAll(fence)).slice(0, fencesMax).map(([, inner = ""]) => inner)
  const outer = said.slice(Math.max(0, said.indexOf("{")), said.lastIndexOf("}") + 1)
  return Option.firstSomeOf([said, ...fenced, outer].map((candidate) => decode(candidate)))
}
