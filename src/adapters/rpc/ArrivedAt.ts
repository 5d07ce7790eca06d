/** Arrival time of a call's HTTP request: deadlines count from there. */
import { Context } from "effect"

/** Milliseconds since the epoch. `undefined`: not over HTTP. */
export const ArrivedAt = Context.Reference<number | undefined>(
  "web-grounding/adapters/rpc/ArrivedAt",
  { defaultValue: () => undefined }
)
