/**
 * Habits that a server was found to have, so that it is asked only once in a way that it refuses.
 * Many compatible servers lack `json_schema`, some `json_object` too; newer models refuse
 * `max_tokens` and a temperature. Each refusal moves one step on; the caller remembers what was
 * answered in the end, not what was tried.
 */
import { Option } from "effect"
import type { ServerError } from "./ChatFault.ts"

/** Ways to ask for an output, in order of preference; the last asks by words alone. */
const formats = ["json_schema", "json_object", "prompt"] as const
export type Format = typeof formats[number]

export interface ServerHabits {
  readonly format: Format
  readonly tokensField: "max_tokens" | "max_completion_tokens"
  readonly takesTemperature: boolean
}

export const initial: ServerHabits = {
  format: "json_schema",
  tokensField: "max_tokens",
  takesTemperature: true
}

/** Refusals that may teach one ask: two formats, the field of the ceiling, the temperature. */
export const lessonsMax = 4

/**
 * Habits changed by what a refusal says of a parameter. None when the refusal is about something
 * else, or nothing new follows from it.
 */
export const learnt = (
  asked: ServerHabits,
  status: number,
  error: ServerError
): Option.Option<ServerHabits> => {
  if (![400, 404, 415, 422, 500, 501].includes(status)) return Option.none()
  const about = `${error.param} ${error.message}`
  if (ofLength.test(`${error.code} ${about}`)) return Option.none()
  if (/max_tokens/i.test(about) && asked.tokensField === "max_tokens") {
    return Option.some({ ...asked, tokensField: "max_completion_tokens" })
  }
  if (/temperature/i.test(about) && asked.takesTemperature) {
    return Option.some({ ...asked, takesTemperature: false })
  }
  const next = formats[formats.indexOf(asked.format) + 1]
  return next !== undefined && ofFormat.test(about)
    ? Option.some({ ...asked, format: next })
    : Option.none()
}

/** Too much was asked for or sent: another field would not help, though the text may name one. */
const ofLength = new RegExp(
  "context[ _-]?(?:length|window|size)|string_above_max_length|max_?model_?len|too (?:large|long|" +
    "many (?:input |prompt )?tokens)|(?:exceeds?|maximum|at most|more than)[^.]{0,60}tokens|" +
    "reduce (?:the|your)",
  "i"
)
const ofFormat = /response_?format|json_?schema|json_?object|structured.?output|grammar|guided/i
