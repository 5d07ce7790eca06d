/**
 * The bytes of a body in one block that grows with it. What is let go is given back at once: a
 * collector that comes when it likes would let garbage pile up to several times what is held.
 */

/** The first block, and the least by which one grows. */
const growthBytesMin = 65_536
const growthShare = 0.5

/** Count of the bytes that all bodies of a process hold together. */
export interface HeldBytes {
  /** False when there is no room; nothing is taken then. */
  readonly take: (bytes: number) => boolean
  readonly giveBack: (bytes: number) => void
}

export const make = (bytesMax: number): HeldBytes => {
  let held = 0
  return {
    take: (bytes) => {
      if (held + bytes > bytesMax) return false
      held += bytes
      return true
    },
    giveBack: (bytes) => {
      held -= bytes
    }
  }
}

export interface Block {
  /** False when nothing more can be held, and after `free`. */
  readonly append: (chunk: Uint8Array) => boolean
  /** Bytes held so far. */
  readonly length: () => number
  /** All of it, without a copy; empty after `free`. */
  readonly bytes: () => Uint8Array
  readonly free: () => void
}

export const block = (held: HeldBytes): Block => {
  let buffer = new ArrayBuffer(0)
  let length = 0
  let isFreed = false
  const resize = (bytes: number) => {
    buffer = buffer.transfer(bytes)
  }
  return {
    append: (chunk) => {
      if (isFreed || !held.take(chunk.length)) return false
      const needed = length + chunk.length
      if (needed > buffer.byteLength) {
        resize(needed + Math.max(growthBytesMin, Math.floor(growthShare * length)))
      }
      new Uint8Array(buffer).set(chunk, length)
      length = needed
      return true
    },
    length: () => length,
    bytes: () => {
      resize(length)
      return new Uint8Array(buffer)
    },
    free: () => {
      held.giveBack(length)
      length = 0
      isFreed = true
      // Whoever read it may have passed it on.
      if (!buffer.detached) resize(0)
    }
  }
}
