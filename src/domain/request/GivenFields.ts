/** Optional fields of a record, as far as they are given. */
import { Option } from "effect"

type Given<Fields> = {
  readonly [Name in keyof Fields]?: Fields[Name] extends Option.Option<infer Value> ? Value
    : Exclude<Fields[Name], undefined>
}

/**
 * Fields with a value, to spread into a record: without `undefined` and `None`; a `Some`'s value.
 */
export const asGiven = <Fields extends object>(fields: Fields): NoInfer<Given<Fields>> =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, field]) => [name, Option.isOption(field) ? Option.getOrUndefined(field) : field])
      .filter(([, value]) => value !== undefined)
  ) as Given<Fields>
