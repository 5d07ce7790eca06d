/** Repeatable chance for tests that try many inputs. */

export type Dice = () => number

/** Numbers from 0 up to 1, the same for the same seed. */
export const makeDice = (seed: number): Dice => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    const again = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((again ^ (again >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const draw = <A>(dice: Dice, items: ReadonlyArray<A>): A => {
  const item = items[Math.floor(dice() * items.length)]
  if (item === undefined) throw new Error("nothing to draw from")
  return item
}
