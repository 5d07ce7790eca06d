/** Where two JSON values first differ, told as a path a person can follow. */
import type { Schema } from "effect"

export interface Difference {
  /** Keys and indices joined by dots; empty for the whole value. */
  readonly path: string
  /** `undefined`: absent on this side. */
  readonly recorded: Schema.Json | undefined
  readonly recomputed: Schema.Json | undefined
}

/** Depth first, keys in code-unit order. `undefined`: the values are the same. */
export const first = (
  recorded: Schema.Json | undefined,
  recomputed: Schema.Json | undefined,
  path: ReadonlyArray<string> = []
): Difference | undefined => {
  if (Object.is(recorded, recomputed)) return undefined
  const left = branchesOf(recorded)
  const right = branchesOf(recomputed)
  if (
    left === undefined || right === undefined ||
    Array.isArray(recorded) !== Array.isArray(recomputed)
  ) {
    return { path: path.join("."), recorded, recomputed }
  }
  const keys = [...new Set([...left.keys(), ...right.keys()])].sort()
  for (const key of keys) {
    const difference = first(left.get(key), right.get(key), [...path, key])
    if (difference !== undefined) return difference
  }
  return undefined
}

const branchesOf = (
  value: Schema.Json | undefined
): ReadonlyMap<string, Schema.Json> | undefined =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined
