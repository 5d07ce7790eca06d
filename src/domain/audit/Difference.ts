/** Finds where two JSON values first differ, as a path that a person can follow. */
import type { Schema } from "effect"

export interface Difference {
  /** Keys and indices joined by dots; empty for the whole value. */
  readonly path: string
  /** `undefined`: absent on this side. */
  readonly recorded: Schema.Json | undefined
  readonly recomputed: Schema.Json | undefined
}

/**
 * First difference between two values, depth first, keys in code-unit order; `undefined` when they
 * are the same.
 */
export const firstDifference = (
  recorded: Schema.Json | undefined,
  recomputed: Schema.Json | undefined,
  path: ReadonlyArray<string> = []
): Difference | undefined => {
  // JSON has no not-a-number, and no store tells a negative zero from zero.
  if (recorded === recomputed) return undefined
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
    const difference = firstDifference(left.get(key), right.get(key), [...path, key])
    if (difference !== undefined) return difference
  }
  return undefined
}

/**
 * The first key of `recorded` that `read` lacks, which is the same value as a reader understood it:
 * somebody put there what no release writes. `undefined`: all was understood.
 */
export const firstUnreadKey = (
  recorded: Schema.Json,
  read: Schema.Json | undefined,
  path: ReadonlyArray<string> = []
): Difference | undefined => {
  const left = branchesOf(recorded)
  const right = branchesOf(read)
  if (left === undefined || right === undefined) return undefined
  for (const [key, value] of left) {
    const here = path.concat(key)
    if (!right.has(key)) return { path: here.join("."), recorded: value, recomputed: undefined }
    const below = firstUnreadKey(value, right.get(key), here)
    if (below !== undefined) return below
  }
  return undefined
}

const branchesOf = (
  value: Schema.Json | undefined
): ReadonlyMap<string, Schema.Json> | undefined =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined
