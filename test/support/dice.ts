export { type Dice, draw, makeDice } from "../../packages/language/test/support/dice.ts"
