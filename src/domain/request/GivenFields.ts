/** Optional fields of a record, as far as they are given. */
import { Option } from "effect"

type Given<Fields> = {
  readonly [Name in keyof Fields]?: Fields[Name] extends Option.Option<infer Value> ? Value
    : Exclude<Fields[Name], undefined>
}

/**
 * The fields that have a value, to be spread into a record in which an absent field has no key:
 * without `undefined` and `None`, and with the value of a `Some`.
 */
export const asGiven = <Fields extends object>(fields: Fields): NoInfer<Given<Fields>> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, Option.isOption(field) ? Option.getOrUndefined(field) : field])
      .filter(([, value]) => value !== undefined)
    // Each entry is a field's own.
  ) as Given<Fields>
