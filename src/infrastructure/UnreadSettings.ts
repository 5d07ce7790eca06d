/**
 * Finds names in the environment that no setting reads, though they begin with one of our prefixes
 * or are a likely misspelling of a setting.
 */
import { ConfigProvider, Effect, Option } from "effect"
import * as NearestName from "./NearestName.ts"
import * as Settings from "./Settings.ts"

/** Beginnings of the settings of every provider and engine that has an address. */
const asked = Settings.names.flatMap((name) => /^(.+_)BASE_URL$/.exec(name)?.[1] ?? [])

/** A name that begins so is meant for this service. */
const families = [
  ...asked,
  "ANCHOR_",
  "DATABASE_",
  "ERASURE_",
  "EVIDENCE_",
  "INTERNET_RAG_",
  "LOG_",
  "LOCAL_READER_",
  "OIDC_",
  "PAYLOAD_",
  "RETENTION_",
  "SEARCH_",
  "WEB_GROUNDING_",
  "WEB_SEARCH_"
]

/** Numbered names that are looked at below one prefix, e.g. `TAVILY_API_KEY_0` to `_99`. */
const numberedMax = 100

/**
 * A name with so few edits to a setting's is a slip of it, whatever family it is of. Two edits lead
 * from a short name to any other: `SHELL`, which is always set, is no slip of `CELL`.
 */
const slipEditsMax = 2
const slipEditsOfShortMax = 1
const shortCharsMax = 7

export interface Unread {
  readonly name: string
  /** The setting that it was most likely meant to be. */
  readonly near: Option.Option<string>
}

const known: ReadonlyArray<string> = [...Settings.names, ...Settings.fileNames]

/** Names that no setting reads, in the order of the alphabet, each with the nearest setting. */
export const unreadSettings: Effect.Effect<ReadonlyArray<Unread>> = Effect.gen(function*() {
  const provider = yield* ConfigProvider.ConfigProvider
  const names = yield* namesBelow(provider, [])
  return names.filter((name) => !known.includes(name) && isMeant(name)).toSorted()
    .map((name) => ({ name, near: NearestName.nearestName(name, known) }))
})

const isMeant = (name: string): boolean =>
  families.some((family) => name.startsWith(family)) ||
  known.some((setting) => isSlip(name, setting))

const isSlip = (name: string, setting: string): boolean => {
  const editsMax = setting.length <= shortCharsMax ? slipEditsOfShortMax : slipEditsMax
  return Math.abs(name.length - setting.length) <= editsMax &&
    NearestName.distance(name, setting, editsMax) <= editsMax
}

/** Problem of the name. It holds no value. */
export const problemOf = ({ near }: Unread): string =>
  Option.match(near, {
    onNone: () => "is no setting and is not read",
    onSome: (setting) => `is no setting and is not read: did you mean ${setting}?`
  })

/** Sentences that name each such name and the setting nearest to it. They hold no value. */
export const sentences = Effect.map(
  unreadSettings,
  (all) => all.map((unread) => `${unread.name} ${problemOf(unread)}`)
)

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
