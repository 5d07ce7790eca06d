/** Fresh and derived identifiers. */
import { Context, type Effect } from "effect"

/** Source of every identifier and secret; only `derived` gives the same twice. */
export class Ids extends Context.Service<Ids, {
  /** Time-ordered UUIDv7. */
  readonly uuid: Effect.Effect<string>
  /** UUID that is always the same for the same command and ordinal. */
  readonly derived: (commandId: string, ordinal: number) => string
  /** 128 random bits, lower-case hex. */
  readonly boundary: Effect.Effect<string>
  /** 256 random bits, 43 characters of base64url. */
  readonly secret: Effect.Effect<string>
}>()("web-grounding/application/ports/Ids") {}
