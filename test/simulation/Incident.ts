/**
 * An incident as a scenario: from the events of a session, who asked for what and when, which
 * process searched, what gate, planner and providers answered, and where a process was lost.
 *
 * It reads what `session --json` prints, or events one a line, as in an export of the log; other
 * lines are skipped.
 */
import { Option, Schema } from "effect"
import { SearchNeed } from "../../src/domain/need/ReasonCodes.ts"
import { QueryPlan } from "../../src/domain/plan/QueryPlan.ts"
import { SearchHit } from "../../src/domain/search/SearchStatus.ts"
import {
  busyMs,
  type Command,
  drawn,
  type ProviderFault,
  type RecordedSearch,
  replicasCount,
  type Request,
  type Scenario
} from "./Scenario.ts"

/** By then every replica of a scenario has started, in milliseconds. */
const startedMs = 60
const optional = Schema.optionalKey

const Line = Schema.Struct({
  type: Schema.String,
  recorded_at: Schema.String,
  data: Schema.Record(Schema.String, Schema.Unknown)
})

const Asked = Schema.Struct({
  session_id: Schema.String,
  request_id: Schema.String,
  topic: Schema.String,
  tier: Schema.Literals(["standard", "premium"]),
  phase: Schema.Literals(["session_setup", "mid_chat"]),
  user_asked_for_facts: Schema.Boolean,
  realism_blocked: Schema.Boolean,
  consent_raw_content: Schema.Boolean,
  deadline_ms: optional(Schema.Int)
})

const Facts = Schema.Struct({
  request_id: Schema.String,
  request: optional(Schema.Record(Schema.String, Schema.Unknown)),
  proposed: optional(SearchNeed),
  plan: optional(QueryPlan),
  call_id: optional(Schema.String),
  query: optional(Schema.String),
  owner: optional(Schema.String),
  detail: optional(Schema.String),
  hits: optional(Schema.Array(SearchHit)),
  attempts: optional(Schema.Array(Schema.Struct({
    provider: Schema.String,
    key_slot: optional(Schema.Int),
    status: Schema.String,
    detail: optional(Schema.String)
  })))
})

const decodeLine = Schema.decodeUnknownOption(Schema.fromJsonString(Line))
const decodeList = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Array(Line)))
const decodeAsked = Schema.decodeUnknownOption(Asked)
const decodeFacts = Schema.decodeUnknownOption(Facts)

interface Event extends Schema.Schema.Type<typeof Facts> {
  readonly type: string
  /** From the beginning of the scenario, in milliseconds. */
  readonly atMs: number
}

/** Of recorded events, those of sessions, with the time between them kept within the scenario's. */
const eventsIn = (text: string): ReadonlyArray<Event> => {
  const lines = Option.getOrElse(
    decodeList(text),
    () => text.split("\n").flatMap((line) => Option.toArray(decodeLine(line)))
  )
  const events = lines.flatMap(({ data, recorded_at, type }) =>
    Option.toArray(
      Option.map(decodeFacts(data), (facts) => ({ ...facts, type, atMs: Date.parse(recorded_at) }))
    )
  )
  const firstMs = events[0]?.atMs ?? 0
  const lastMs = events.at(-1)?.atMs ?? 0
  const share = Math.min(1, busyMs / Math.max(1, lastMs - firstMs))
  return events.map((event) => ({
    ...event,
    atMs: startedMs + Math.round((event.atMs - firstMs) * share)
  }))
}

const requestOf = (given: Readonly<Record<string, unknown>>): Option.Option<Request> =>
  Option.map(decodeAsked(given), ({ deadline_ms = busyMs, ...asked }) => {
    const withinMs = Math.min(deadline_ms, busyMs)
    return { ...asked, deadline_ms: withinMs, given: { ...given, deadline_ms: withinMs } }
  })

const isOf = (type: string) => (event: Event): boolean => event.type === `WEB_GROUNDING_${type}`

/** The incident as far as its events show it. `None`: they have no request. */
export const scenarioOf = (text: string): Option.Option<Scenario> => {
  const events = eventsIn(text)
  const asked = events.filter(isOf("REQUESTED"))
  const requests = asked.flatMap(({ request = {} }) => Option.toArray(requestOf(request)))
  if (requests.length === 0) return Option.none()
  const started = events.filter(isOf("CALL_STARTED"))
  const called = events.filter(isOf("CALLED"))
  const owners = [...new Set(started.map(({ owner = "" }) => owner.split(" ")[0]))]
  const replicaOf = (owner = ""): number =>
    Math.max(0, owners.indexOf(owner.split(" ")[0])) % replicasCount
  const placeOf = (id: string): number => requests.findIndex(({ request_id }) => request_id === id)

  /** Each process that searched for a request was asked for it. */
  const commands = asked.flatMap(({ atMs, request_id }): ReadonlyArray<Command> => {
    const calls = started.filter((call) => call.request_id === request_id)
    const replicas = [...new Set(calls.map(({ owner }) => replicaOf(owner)))]
    const left = called.find((call) =>
      call.request_id === request_id && call.detail === "interrupted"
    )
    const ground = { operation: "ground", request: placeOf(request_id) } as const
    const [first = 0, ...others] = replicas
    return [
      {
        ...ground,
        atMs,
        replica: first,
        ...(left === undefined ? {} : { leavesAfterMs: left.atMs - atMs })
      },
      ...others.map((replica) => ({
        ...ground,
        atMs: calls.find(({ owner }) => replicaOf(owner) === replica)?.atMs ?? atMs,
        replica
      }))
    ]
  })
  const shown = events.filter(isOf("SHOWN_TO_USER")).map(({ atMs, request_id }): Command => ({
    atMs,
    operation: "shown",
    request: placeOf(request_id),
    replica: 0
  }))
  const inDoubt = new Set(
    called.filter(({ detail }) => detail === "in_doubt").map(({ call_id }) => call_id)
  )
  const lost = started.filter(({ call_id }) => inDoubt.has(call_id))

  return Option.some({
    ...drawn(0),
    order: "in turn",
    aheadMs: [0, 0, 0],
    places: 8,
    sharesPacks: false,
    replays: true,
    creditsMax: 1_000,
    requests,
    commands: [...commands, ...shown].toSorted((one, other) => one.atMs - other.atMs),
    faults: [],
    recorded: {
      lost: new Set(lost.map(({ query = "" }) => query)),
      needs: byRequest(events, "DECIDED", ({ proposed }) => proposed),
      plans: byRequest(events, "QUERY_PLANNED", ({ plan }) => plan),
      searches: new Map(
        started.flatMap(({ call_id, query = "" }) =>
          called.filter((outcome) => outcome.call_id === call_id && outcome.detail === undefined)
            .map((outcome) => [query, searchOf(outcome)] as const)
        )
      )
    }
  })
}

/** The incident disturbed: in the same order, with what goes wrong in a seed of its own. */
export const disturbed = (incident: Scenario, seed: number): Scenario => {
  const { aheadMs, faults, order } = drawn(seed)
  return { ...incident, seed, order, aheadMs, faults }
}

const byRequest = <A>(
  events: ReadonlyArray<Event>,
  type: string,
  of: (event: Event) => A | undefined
): ReadonlyMap<string, A> =>
  new Map(
    events.filter(isOf(type)).flatMap((event) => {
      const value = of(event)
      return value === undefined ? [] : [[event.request_id, value] as const]
    })
  )

const searchOf = ({ attempts = [], hits = [] }: Event): RecordedSearch => ({
  hits,
  faults: new Map(attempts.map(({ detail, key_slot = 0, provider, status }) => [
    // The simulation has Tavily's two keys, and a provider without any.
    key_slot === 0 || provider === "duckduckgo"
      ? "duckduckgo 0"
      : `tavily ${Math.min(2, key_slot)}`,
    faultOf(status, detail)
  ]))
})

const faultOf = (status: string, detail: string | undefined): ProviderFault | undefined => {
  if (detail === "forbidden" || detail === "unsent") return detail
  switch (status) {
    case "success":
      return undefined
    case "no_results":
      return "nothing_found"
    case "rate_limited":
      return "rate_limited"
    case "quota_exhausted":
      return "quota"
    case "invalid_key":
      return "invalid_key"
    case "timeout":
      return "hangs"
    case "network_error":
      return "unavailable"
    default:
      return "garbage"
  }
}
