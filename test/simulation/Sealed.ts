/**
 * Keeps a simulation from whatever could make two runs of a seed differ: while it runs, real time,
 * real chance, timers and the network are calls that fail.
 */
import crypto from "node:crypto"
import { syncBuiltinESMExports } from "node:module"

const forbidden = (name: string) => () => {
  throw new Error(`a simulation asked for ${name}`)
}

/** Each place of the process that would let something in, and what is found there meanwhile. */
const openings: ReadonlyArray<readonly [owner: object, name: string]> = [
  [Date, "now"],
  [Math, "random"],
  [performance, "now"],
  [globalThis, "setTimeout"],
  [globalThis, "setInterval"],
  [globalThis, "setImmediate"],
  [globalThis, "fetch"],
  [globalThis.crypto, "getRandomValues"],
  [crypto, "randomBytes"],
  [crypto, "randomFillSync"],
  [crypto, "randomUUID"],
  [crypto, "randomInt"]
]

/** Runs it with all of them closed; what it does must end before it returns. */
export const sealed = <A>(run: () => A): A => {
  const before = openings.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name))
  openings.forEach(([owner, name]) =>
    Object.defineProperty(owner, name, {
      value: forbidden(name),
      configurable: true,
      writable: true
    })
  )
  syncBuiltinESMExports()
  try {
    return run()
  } finally {
    openings.forEach(([owner, name], place) => {
      const descriptor = before[place]
      if (descriptor === undefined) Reflect.deleteProperty(owner, name)
      else Object.defineProperty(owner, name, descriptor)
    })
    syncBuiltinESMExports()
  }
}
