/** Chooses the form of an answer by the caller's `Accept` header. */

export type Form = "json" | "events"

interface Range {
  readonly type: string
  readonly weight: number
}

const types: Readonly<Record<Form, ReadonlyArray<string>>> = {
  json: ["application/json", "application/*", "*/*"],
  events: ["text/event-stream"]
}

/**
 * The form that is preferred among those there are. Progress is only for those who name it.
 * `undefined`: none is taken.
 */
export const formOf = (
  accept: string | undefined,
  forms: ReadonlyArray<Form>
): Form | undefined => {
  if (accept === undefined || accept.trim() === "") return "json"
  const ranges = accept.split(",").map(rangeOf)
  const weighed = forms.map((form) => ({ form, ...weightOf(ranges, types[form]) }))
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight || left.place - right.place)
  return weighed[0]?.form
}

const rangeOf = (part: string): Range => {
  const [type = "", ...parameters] = part.split(";").map((one) => one.trim().toLowerCase())
  const weight = parameters.find((one) => one.startsWith("q="))
  return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
}

/**
 * Weight of the most exact range that matches. `place` is its index, which decides between equal
 * weights.
 */
const weightOf = (ranges: ReadonlyArray<Range>, exactFirst: ReadonlyArray<string>) => {
  for (const type of exactFirst) {
    const place = ranges.findIndex((range) => range.type === type)
    const range = ranges[place]
    if (range !== undefined) return { weight: range.weight, place }
  }
  return { weight: 0, place: -1 }
}
