import { assert } from "@effect/vitest"
import { Result } from "effect"
import { type Decider, fold } from "../../src/application/log/CommandHandler.ts"

/** `given(...facts).when(command).then(...facts)`, plus the replay law: asking again changes nothing. */
export const scenario = <State, Command, Event, Rejection>(
  decider: Decider<State, Command, Event, Rejection>
) => ({
  given: (...past: ReadonlyArray<Event>) => ({
    when: (command: Command) => {
      const before = fold(decider, past)
      const outcome = decider.decide(command, before)
      return {
        then: (...expected: ReadonlyArray<Event>) => {
          assert.deepStrictEqual(outcome, Result.succeed(expected))
          const after = fold(decider, expected, before)
          assert.deepStrictEqual(decider.decide(command, after), Result.succeed([]))
        },
        thenNothing: () => assert.deepStrictEqual(outcome, Result.succeed([])),
        thenRejected: (rejection: Rejection) =>
          assert.deepStrictEqual(outcome, Result.fail(rejection))
      }
    }
  })
})
