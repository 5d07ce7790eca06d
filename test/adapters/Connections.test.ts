/**
 * Connections that arrive together are accepted before the work for one of them begins.
 *
 * Saboteur: work that begins one turn of the event loop later.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { connect, Socket } from "node:net"
import { portOf } from "../../packages/safe-fetch/test/support/webServers.ts"
import * as GroundingRpcServer from "../../src/adapters/rpc/GroundingRpcServer.ts"
import { grace } from "../support/machine.ts"

const callersCount = 40
const triesMax = 20

const oneTurn = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

const listening = Effect.acquireRelease(
  Effect.callback<GroundingRpcServer.Connections>((resume) => {
    const connections = GroundingRpcServer.make(1_000)
    connections.server.listen(0, "127.0.0.1", () => resume(Effect.succeed(connections)))
  }),
  ({ closeAll, server }) =>
    Effect.sync(() => {
      closeAll()
      server.close()
    })
)

/** Connections that are accepted when what is waited for after the first of them is over. */
const acceptedAfter = (
  wait: (connections: GroundingRpcServer.Connections) => Effect.Effect<void>
) =>
  Effect.gen(function*() {
    const connections = yield* listening
    const { server } = connections
    let accepted = 0
    server.on("connection", () => accepted += 1)
    const port = portOf(server)
    const first = Effect.callback<void>((resume) => {
      server.once("connection", () => resume(Effect.void))
    })
    const callers = Effect.sync((): ReadonlyArray<Socket> =>
      Array.from({ length: callersCount }, () => connect(port, "127.0.0.1").on("error", () => {}))
    )
    yield* Effect.acquireRelease(
      callers,
      (sockets) => Effect.sync(() => sockets.forEach((socket) => socket.destroy()))
    )
    yield* first
    yield* wait(connections)
    return accepted
  }).pipe(Effect.scoped)

describe("connections that arrive together", () => {
  it.live("are all accepted before a grounding begins", () =>
    Effect.gen(function*() {
      // A busy machine's kernel may bring some of them later: then they did not arrive together.
      const accepted = acceptedAfter(({ quiet }) => quiet)
      const best = yield* Effect.repeat(accepted, {
        until: (count) => count === callersCount,
        times: triesMax
      })
      assert.strictEqual(best, callersCount)
      assert.isBelow(yield* acceptedAfter(() => oneTurn), callersCount)
    }))

  it.live("delay a grounding for a moment only, when more come again and again", () =>
    Effect.gen(function*() {
      const connections = yield* listening
      let arrived = 0
      const arriving = Effect.forever(Effect.andThen(
        oneTurn,
        Effect.sync(() => {
          arrived += 1
          connections.server.emit("connection", new Socket())
        })
      ))
      const startMs = performance.now()
      yield* Effect.raceFirst(connections.quiet, arriving)
      assert.isAbove(arrived, 2)
      assert.isBelow(performance.now() - startMs, grace(200))
    }).pipe(Effect.scoped))

  it.live("delay nothing when there is none", () =>
    Effect.gen(function*() {
      const connections = yield* listening
      let turns = 0
      const counting = Effect.forever(Effect.andThen(oneTurn, Effect.sync(() => turns += 1)))
      yield* Effect.raceFirst(connections.quiet, counting)
      assert.isAtMost(turns, 4)
    }).pipe(Effect.scoped))
})
