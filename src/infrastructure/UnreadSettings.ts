/** Finds names in the environment that look like settings and are read by nobody. */
import { ConfigProvider, Effect, Option } from "effect"
import * as NearestName from "./NearestName.ts"
import * as Settings from "./Settings.ts"

/** A name that begins so is meant for this service. */
const families = [
  "DATABASE_",
  "DUCKDUCKGO_",
  "EVIDENCE_",
  "INTERNET_RAG_",
  "JINA_",
  "LLM_",
  "LOG_",
  "LOCAL_READER_",
  "OIDC_",
  "OPENAI_EMBEDDING_",
  "SEARCH_",
  "SERPAPI_",
  "TAVILY_",
  "WEB_GROUNDING_",
  "WEB_SEARCH_"
]

/** Numbered names that are looked at below one prefix, e.g. `TAVILY_API_KEY_0` to `_99`. */
const numberedMax = 100

/** Sentences that name each such name and the setting nearest to it. They hold no value. */
export const sentences = Effect.gen(function*() {
  const provider = yield* ConfigProvider.ConfigProvider
  const names = yield* namesBelow(provider, [])
  return names.filter((name) =>
    families.some((family) => name.startsWith(family)) && !Settings.names.includes(name)
  ).toSorted().map(sentenceOf)
})

const sentenceOf = (name: string): string => {
  const near = NearestName.of(name, Settings.names)
  return Option.match(near, {
    onNone: () => `${name} is no setting and is not read`,
    onSome: (setting) => `${name} is no setting and is not read: did you mean ${setting}?`
  })
}

/** The provider splits names at `_`, so they are walked part by part. */
const namesBelow = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function*() {
    const node = yield* Effect.orElseSucceed(provider.load(path), () => undefined)
    if (node === undefined) return []
    const below = yield* Effect.forEach(partsOf(node), (part) =>
      namesBelow(provider, [...path, part]))
    return [...(node.value === undefined ? [] : [path.join("_")]), ...below.flat()]
  })

const partsOf = (node: ConfigProvider.Node): ReadonlyArray<string> => {
  switch (node._tag) {
    case "Value":
      return []
    case "Record":
      return [...node.keys]
    case "Array":
      return Array.from({ length: Math.min(node.length, numberedMax) }, (_, index) => String(index))
  }
}
