/** `cells`: which cells there are, who is where, and moves of tenants between them. */
import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { TenantMove } from "../../application/cells/CellStore.ts"
import { oneLine } from "../../infrastructure/TerminalText.ts"
import { countedAs } from "./rendering/FactText.ts"
import { commandFailed } from "./terminal/CommandFailed.ts"
import type { Wiring } from "./Wiring.ts"

export const make = (wiring: Wiring) =>
  Command.make("cells").pipe(
    Command.withDescription("Look after the cells, each a database with tenants of its own"),
    Command.withSubcommands([list(wiring), move(wiring), cancel(wiring), erase(wiring)])
  )

const tenantArgument = Argument.String("tenant").pipe(Argument.withDescription("Tenant"))

const list = (wiring: Wiring) =>
  Command.make(
    "list",
    {
      json: Flag.Boolean("json").pipe(
        Flag.withDescription("Print JSON instead of text"),
        Flag.withDefault(false)
      )
    },
    Effect.fnUntraced(
      function*({ json }) {
        const { moves, own, table } = yield* wiring.cells
        const known = yield* moves
        if (json) {
          return yield* Console.log(JSON.stringify({ own, table, moves: known }, undefined, 2))
        }
        const named = Object.entries(table.tenants ?? {})
        yield* Console.log(
          [
            ...Object.entries(table.cells).map(([name, { url }]) => {
              const notes = [
                ...(name === own ? ["this one"] : []),
                ...(name === table.default ? ["default"] : [])
              ]
              return `Cell ${name} at ${url}${notes.length === 0 ? "" : ` (${notes.join(", ")})`}`
            }),
            ...named.map(([tenant, cell]) => `Tenant ${tenant} in ${cell}`),
            ...known.map(textOf)
          ].join("\n")
        )
      },
      Effect.scoped,
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Show cells, tenants outside the default, and moves of this cell"))

const texts: Readonly<Record<TenantMove["state"], (cell: string) => string>> = {
  leaving: (cell) => `is leaving to ${cell}: its writes are refused`,
  switching: (cell) => `is being switched to ${cell}: run its move again`,
  left: (cell) => `left to ${cell}; its old copy is here`,
  erased: (cell) => `left to ${cell}; its old copy is erased`,
  arriving: (cell) => `is arriving from ${cell}`,
  arrived: (cell) => `is served here, moved from or kept from ${cell}`
}

const textOf = ({ cell, state, tenantId }: TenantMove): string =>
  `Tenant ${oneLine(tenantId)} ${texts[state](cell)}`

const move = (wiring: Wiring) =>
  Command.make(
    "move",
    {
      tenant: tenantArgument,
      to: Flag.String("to").pipe(Flag.withDescription("Cell that the tenant goes to"))
    },
    Effect.fnUntraced(
      function*({ tenant, to }) {
        const { move } = yield* wiring.cells
        const { events, isRouted, streams } = yield* move(
          tenant,
          to,
          (step) => Console.error(`  ${step}`)
        )
        yield* Console.log(
          `Tenant ${oneLine(tenant)} is served by ${to}: ${countedAs(streams, "stream")}, ` +
            `${countedAs(events, "event")}, verified there.`
        )
        if (!isRouted) {
          yield* Console.log(`CELLS_FILE cannot be written: put "${tenant}": "${to}" into it.`)
        }
        yield* Console.log("The old copy stays until `cells erase`.")
      },
      Effect.scoped,
      Effect.mapError(commandFailed)
    )
  ).pipe(
    Command.withDescription("Move a tenant from this cell to another; again goes on where it was")
  )

const cancel = (wiring: Wiring) =>
  Command.make(
    "cancel",
    { tenant: tenantArgument },
    Effect.fnUntraced(
      function*({ tenant }) {
        const { cancel, own } = yield* wiring.cells
        yield* cancel(tenant)
        yield* Console.log(`Tenant ${oneLine(tenant)} is served by ${own} as before.`)
      },
      Effect.scoped,
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Serve a tenant here again whose move is not finished"))

const erase = (wiring: Wiring) =>
  Command.make(
    "erase",
    { tenant: tenantArgument },
    Effect.fnUntraced(
      function*({ tenant }) {
        const { eraseLeft } = yield* wiring.cells
        const held = yield* eraseLeft(tenant)
        yield* Console.log(
          held === 0
            ? `The old copy of ${oneLine(tenant)} is erased; its chains stay.`
            : `The old copy of ${oneLine(tenant)} is erased but for ` +
              `${countedAs(held, "session")} under legal hold.`
        )
      },
      Effect.scoped,
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Erase the content of the old copy of a tenant that left"))
