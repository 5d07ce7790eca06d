/** The fields of stored facts that the invariants look at, read without the service's own codec. */
import { Option, Schema } from "effect"
import type { LoggedEvent } from "../../src/application/ports/EventStore.ts"

const optional = Schema.optionalKey

const Fields = Schema.Struct({
  request_id: optional(Schema.String),
  key_slot: optional(Schema.Int),
  until: optional(Schema.String),
  source_event_id: optional(Schema.String),
  call_id: optional(Schema.String),
  query_index: optional(Schema.Int),
  query: optional(Schema.String),
  owner: optional(Schema.String),
  detail: optional(Schema.String),
  audience: optional(Schema.String),
  outcome: optional(Schema.Json),
  need: optional(Schema.Struct({ need_search: Schema.Boolean })),
  request: optional(Schema.Struct({
    tier: Schema.Literals(["standard", "premium"]),
    phase: Schema.String,
    user_asked_for_facts: Schema.Boolean
  })),
  attempts: optional(Schema.Array(Schema.Struct({
    provider: Schema.String,
    key_slot: optional(Schema.Int),
    status: Schema.String,
    detail: optional(Schema.String)
  })))
})
export type Fact = typeof Fields.Type

const decode = Schema.decodeUnknownOption(Fields)

export const factOf = ({ data, type }: LoggedEvent): Fact =>
  Option.getOrElse(decode(data), () => unreadable(type))

/** Of a session, not of what the service notes for itself. */
export const isOfSession = ({ tenantId }: LoggedEvent): boolean => tenantId !== "_service"

const unreadable = (type: string): never => {
  throw new Error(`${type} has fields of another kind`)
}
