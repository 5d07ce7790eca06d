/** Answers that a real server once gave, replayed with their status and headers. */
import { Effect, FileSystem, Option, Path, Ref, Schema } from "effect"
import { searchRoutes } from "./SearchDialects.ts"

const recordingsMax = 5_000

const Request = Schema.Struct({ query: Schema.optionalKey(Schema.String) })
const Recording = Schema.fromJsonString(Schema.Struct({
  id: Schema.NonEmptyString,
  body_file: Schema.NonEmptyString,
  provider: Schema.optionalKey(Schema.String),
  endpoint: Schema.optionalKey(Schema.NullOr(Schema.String)),
  kind: Schema.optionalKey(Schema.NullOr(Schema.String)),
  /** The parsed body, or the request's first line. */
  request: Schema.optionalKey(Schema.NullOr(Schema.Union([Schema.String, Request]))),
  /** HTTP status; not every recorder kept it. */
  status: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  headers: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.String)))
}))
export type Recording = typeof Recording.Type
const decodeRecording = Schema.decodeUnknownEffect(Recording)

export class RecordingsUnreadable extends Schema.TaggedError<RecordingsUnreadable>()(
  "RecordingsUnreadable",
  { directory: Schema.String, cause: Schema.Defect() }
) {
  override get message(): string {
    return `The sandbox cannot read recorded answers in ${this.directory}`
  }
}

export interface RecordedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

/** Headers that speak of a body as it was sent then, or of another server's connection. */
const unfit = /^(?:content-length|content-encoding|transfer-encoding|connection|date|server)$/i

const searchPaths: ReadonlySet<string> = new Set(searchRoutes.map(({ path }) => path))

/** Accounts, places and the like are answered by name only. */
const isSearch = ({ endpoint, kind }: Recording): boolean =>
  searchPaths.has(endpoint ?? "") || (kind ?? "").startsWith("html-")

const queryOf = ({ request }: Recording): string | undefined => {
  if (typeof request !== "string") return request?.query
  return URL.parse(request.split(" ")[1] ?? "")?.searchParams.get("q") ?? undefined
}

/**
 * `directory` holds `index.jsonl` and the bodies it names. A query is answered by `body:<id>` in
 * it, else by the recording of the same query, else by the next search recording in turn.
 */
export const load = Effect.fn("RecordedBodies.load")(
  function*(directory: string) {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const index = yield* files.readFileString(path.join(directory, "index.jsonl"))
    const lines = index.split("\n").filter((line) => line.trim() !== "").slice(0, recordingsMax)
    const recordings = yield* Effect.forEach(lines, (line) => decodeRecording(line))
    const turns = yield* Ref.make(0)
    const read = ({ body_file, headers, status }: Recording) =>
      Effect.map(files.readFile(path.join(directory, body_file)), (body): RecordedAnswer => ({
        status: status ?? 200,
        headers: Object.fromEntries(
          Object.entries(headers ?? {}).filter(([name]) => !unfit.test(name))
        ),
        body
      }))
    const next = (searches: ReadonlyArray<Recording>) =>
      Effect.map(
        Ref.getAndUpdate(turns, (turn) => turn + 1),
        (turn) => Option.fromUndefinedOr(searches[turn % Math.max(1, searches.length)])
      )
    const answer = Effect.fnUntraced(function*(query: string, provider: string) {
      const own = recordings.filter((recording) => (recording.provider ?? "tavily") === provider)
      const searches = own.filter(isSearch)
      const named = own.find(({ id }) => id === /\bbody:(\S+)/.exec(query)?.[1])
      const same = named ?? searches.find((recording) => queryOf(recording) === query)
      const found = same === undefined ? yield* next(searches) : Option.some(same)
      return yield* Option.match(found, {
        onNone: () => Effect.succeedNone,
        onSome: (recording) => Effect.asSome(Effect.orDie(read(recording)))
      })
    })
    return { recordings, answer }
  },
  (effect, directory) =>
    Effect.mapError(effect, (cause) => new RecordingsUnreadable({ directory, cause }))
)
export type RecordedBodies = Effect.Success<ReturnType<typeof load>>
