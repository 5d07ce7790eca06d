/** Stands in for redis: the index of `@effect/platform-node` loads it, and nothing here calls it. */
export const createClient = () => {
  throw new Error("redis is not installed here: install it beside @effect/platform-node")
}

export class SocketTimeoutError extends Error {}
