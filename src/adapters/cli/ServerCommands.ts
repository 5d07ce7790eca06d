/** `serve`, `sandbox` and `migrate`: what an operator runs. */
import { Console, Effect, Layer, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { because } from "./terminal/CommandFailed.ts"
import type { Wiring } from "./Wiring.ts"

const port = Flag.Int("port").pipe(
  Flag.withDescription("Port to listen on; 0 for any free one"),
  Flag.filter(
    (value) => value >= 0 && value <= 65_535,
    (value) => `Expected a port between 0 and 65535, got ${value}`
  )
)

export const serve = (wiring: Wiring) =>
  Command.make(
    "serve",
    {
      port: Flag.optional(port),
      host: Flag.String("host").pipe(
        Flag.withDescription("Address to listen on"),
        Flag.optional
      ),
      sandbox: Flag.Boolean("sandbox").pipe(
        Flag.withDescription("Search the bundled sandbox: no key, no internet"),
        Flag.withDefault(false)
      ),
      model: Flag.String("model").pipe(
        Flag.withDescription("Model to think with; with --sandbox one of its own, e.g. good"),
        Flag.optional
      )
    },
    ({ host, model, port, sandbox }) =>
      Layer.launch(wiring.serve({
        mock: sandbox,
        model: Option.getOrUndefined(model),
        host: Option.getOrUndefined(host),
        port: Option.getOrUndefined(port)
      })).pipe(Effect.mapError(because))
  ).pipe(Command.withDescription("Serve groundings over RPC until told to stop"))

export const sandbox = (wiring: Wiring) =>
  Command.make(
    "sandbox",
    {
      port: port.pipe(Flag.withDefault(7421)),
      bodies: Flag.String("bodies").pipe(
        Flag.withDescription("Folder of recorded answers to serve instead of the corpus"),
        Flag.optional
      )
    },
    ({ bodies, port }) =>
      Layer.launch(wiring.sandbox({ port, bodies: Option.getOrUndefined(bodies) })).pipe(
        Effect.mapError(because)
      )
  ).pipe(Command.withDescription("Serve the bundled corpus as the search providers would"))

export const migrate = (wiring: Wiring) =>
  Command.make(
    "migrate",
    {},
    () =>
      wiring.migrate.pipe(
        Effect.mapError(because),
        Effect.flatMap((applied) =>
          Console.log(
            applied.length === 0
              ? "The database is up to date."
              : `Applied ${applied.join(", ")}.`
          )
        )
      )
  ).pipe(Command.withDescription("Bring the database's schema up to date"))
