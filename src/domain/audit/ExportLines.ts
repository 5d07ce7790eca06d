/**
 * The lines of an export: recorded sessions with their events, which can be verified without the
 * service and imported by another store. `docs/audit.md` has the form.
 *
 * An export is one part or several in sequence. Each begins with a header, which names the digest
 * of the part before, and ends with a line of counts.
 */
import { Result, Schema, SchemaIssue, Struct } from "effect"
import { Envelope } from "./MerkleTree.ts"

/** Version 1 had no records, and of an erased session no events. */
export const formatVersion = 2

const Sha256 = Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/))
const Uuid = Schema.String.check(Schema.isPattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/))
const Salt = Schema.String.check(Schema.isPattern(/^[0-9a-f]{32}$/))
const Position = Schema.String.check(Schema.isPattern(/^[1-9][0-9]{0,18}$/))
const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))
const Place = Schema.Int.check(Schema.isGreaterThan(0))

const Header = Schema.Struct({
  line: Schema.Literal("header"),
  format: Schema.Literal("web-grounding-export"),
  format_version: Schema.Int,
  part: Place,
  /** Digest of the part before; `null` of the first. */
  previous: Schema.NullOr(Sha256),
  tenant_id: Schema.NonEmptyString,
  /** Signed; `proof` lines lead to its root. `null`: none covers these sessions. */
  anchor: Schema.NullOr(Envelope)
})
export type Header = typeof Header.Type

const Session = Schema.Struct({
  line: Schema.Literal("session"),
  session_id: Schema.NonEmptyString,
  stream_id: Uuid,
  version: Place,
  head_hash: Sha256
})
export type Session = typeof Session.Type

const Event = Schema.Struct({
  line: Schema.Literal("event"),
  version: Place,
  event_id: Uuid,
  type: Schema.NonEmptyString,
  schema_version: Place,
  recorded_at: Schema.String,
  position: Position,
  metadata: Schema.Struct({
    correlation_id: Schema.String,
    causation_id: Schema.String,
    actor: Schema.String
  }),
  data: Schema.Json,
  /** `null`: the payload was erased, and `data` is `null`, too. */
  salt: Schema.NullOr(Salt),
  payload_digest: Sha256,
  hash: Sha256
})
export type Event = typeof Event.Type

/** Proof that the anchor in the header covers the session up to this event. */
const Proof = Schema.Struct({
  line: Schema.Literal("proof"),
  version: Place,
  /** 0-based index of the event in the anchor's tree. */
  index: Count,
  hashes: Schema.Array(Sha256)
})
export type Proof = typeof Proof.Type

/** A session whose contents were erased: its events follow without their payloads. */
const Erased = Schema.Struct({
  ...Session.fields,
  line: Schema.Literal("erased"),
  /** ISO 8601 UTC. Absent in version 1, where no event follows. */
  erased_at: Schema.optionalKey(Schema.String)
})
export type Erased = typeof Erased.Type

/** The stream about erasure and legal hold of the session before it; its events follow. */
const Record = Schema.Struct({ ...Session.fields, line: Schema.Literal("record") })
export type Record = typeof Record.Type

const endFields = {
  sessions: Count,
  events: Count,
  erased: Count,
  rules_versions: Schema.Array(Schema.Int),
  /** Cursor of the next part; `null`: this part is the last. */
  next: Schema.NullOr(Schema.String)
}

const End = Schema.Struct({
  line: Schema.Literal("end"),
  ...endFields,
  /** SHA-256 over all lines of the part in order, with this line's digest left out. */
  digest: Sha256
})
export type End = typeof End.Type

export type Line = Header | Session | Event | Proof | Erased | Record | End

const kinds = {
  header: Header,
  session: Session,
  event: Event,
  proof: Proof,
  erased: Erased,
  record: Record,
  end: End
} as const

type Sha = (text: string) => string

export const digestAfter = (sha256: Sha, before: string, line: string): string =>
  sha256(`${before}\n${line}`)

export const digestOfEnd = (sha256: Sha, before: string, end: Omit<End, "line" | "digest">) => {
  const { erased, events, next, rules_versions, sessions } = end
  return digestAfter(
    sha256,
    before,
    JSON.stringify([sessions, events, erased, rules_versions, next])
  )
}

export interface Part {
  readonly text: string
  readonly digest: string
}

export const partOf = (
  sha256: Sha,
  lines: ReadonlyArray<Exclude<Line, End>>,
  end: Omit<End, "line" | "digest">
): Part => {
  const texts = lines.map(textOf)
  const before = texts.reduce((digest, text) => digestAfter(sha256, digest, text), "")
  const digest = digestOfEnd(sha256, before, end)
  const last: End = { line: "end", ...end, digest }
  return { text: [...texts, textOf(last)].map((text) => `${text}\n`).join(""), digest }
}

const hexDigits = 4

/** JSON in ASCII alone, which every printer or store keeps unchanged. */
const textOf = (line: Line): string =>
  JSON.stringify(line).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(hexDigits, "0")}`
  )

/** Fault of a line, and its field; empty: the line as a whole. */
export interface Malformed {
  readonly field: string
  readonly problem: string
}

const decodeJson = Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Json))
const decodeKind = Schema.decodeUnknownResult(
  Schema.Struct({ line: Schema.Literals(Struct.keys(kinds)) })
)
const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** Parses one line. Unknown and missing fields are refused. */
export const parse = (text: string): Result.Result<Line, Malformed> =>
  Result.gen(function*() {
    const json = yield* Result.mapError(decodeJson(text), () => ({
      field: "",
      problem: "it is no JSON"
    }))
    const { line } = yield* Result.mapError(decodeKind(json), malformed)
    const decode = Schema.decodeUnknownResult<typeof kinds[typeof line]>(kinds[line])
    return yield* Result.mapError(decode(json, { onExcessProperty: "error" }), malformed)
  })

const malformed = ({ issue }: Schema.SchemaError): Malformed => {
  const [first] = issuesOf(issue).issues
  const path = first?.path?.map((part) => String(typeof part === "object" ? part.key : part))
  return { field: path?.join(".") ?? "", problem: first?.message ?? "it is no line of an export" }
}
