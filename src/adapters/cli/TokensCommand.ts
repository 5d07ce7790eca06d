/** `tokens`: callers with access, if the service requires a token. */
import { Array as Arr, Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { TokenView } from "../../contract/Input.ts"
import { AccessScope } from "../../domain/access/AccessToken.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { CommandFailed, commandFailed, indentParts, jsonFlag } from "./terminal/Terminal.ts"
import { asking, type Wiring } from "./Wiring.ts"

const json = jsonFlag()

export const make = (wiring: Wiring) =>
  Command.make("tokens").pipe(
    Command.withDescription("Make, list and revoke the tokens that callers send"),
    Command.withSubcommands([create(wiring), list(wiring), revoke(wiring)])
  )

const create = (wiring: Wiring) =>
  Command.make(
    "create",
    {
      name: Flag.String("name").pipe(
        Flag.withDescription("For people: whose it is, or what for")
      ),
      tenant: Flag.String("tenant").pipe(
        Flag.withDescription("Whose sessions it opens; default: WEB_GROUNDING_TENANT"),
        Flag.optional
      ),
      scope: Flag.Literals("scope", AccessScope.literals).pipe(
        Flag.withDescription("What it allows; may be given again; default: ground and read"),
        Flag.atLeast(0)
      ),
      days: Flag.Int("days").pipe(
        Flag.withDescription("Accepted for so many days; default: until it is revoked"),
        Flag.optional
      ),
      json
    },
    Effect.fnUntraced(
      function*({ days, json, name, scope, tenant }) {
        const input = {
          name,
          ...(Arr.isReadonlyArrayNonEmpty(scope) ? { scopes: scope } : {}),
          ...asGiven({ tenant_id: tenant, expires_in_days: days })
        }
        const made = yield* asking(wiring, { mock: false }, ({ CreateToken }) => CreateToken(input))
        yield* Console.log(json ? JSON.stringify(made, undefined, 2) : made.token)
        if (!json) {
          yield* Console.error(
            `Token ${made.token_id} of tenant ${made.tenant_id}. It is shown this once.`
          )
        }
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Make a token and print it, this once, on standard output"))

const list = (wiring: Wiring) =>
  Command.make(
    "list",
    { json },
    Effect.fnUntraced(
      function*({ json }) {
        const { tokens } = yield* asking(
          wiring,
          { mock: false },
          ({ ListTokens }) => ListTokens({})
        )
        const { columns } = yield* Terminal.style
        if (json) return yield* Console.log(JSON.stringify(tokens, undefined, 2))
        yield* Console.log(
          tokens.length === 0
            ? "No token was made."
            : tokens.flatMap((token) => indentParts(partsOf(token), 0, 2, columns)).join("\n")
        )
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("Show every token that was made, without its secret"))

const revoke = (wiring: Wiring) =>
  Command.make(
    "revoke",
    {
      id: Argument.String("id").pipe(Argument.withDescription("As `tokens list` shows it"))
    },
    Effect.fnUntraced(
      function*({ id }) {
        const { revoked } = yield* asking(
          wiring,
          { mock: false },
          ({ RevokeToken }) => RevokeToken({ token_id: id })
        )
        if (!revoked) {
          return yield* new CommandFailed({ sentence: `Token ${id} was revoked before` })
        }
        yield* Console.log(`Token ${id} is revoked; every process knows within a second.`)
      },
      Effect.mapError(commandFailed)
    )
  ).pipe(Command.withDescription("End a token"))

const partsOf = (
  {
    created_at,
    created_by,
    expires_at,
    live,
    name,
    revoked_at,
    revoked_by,
    scopes,
    tenant_id,
    token_id
  }: TokenView
): ReadonlyArray<string> => [
  token_id,
  live ? "live   " : revoked_at === undefined ? "expired" : "revoked",
  name,
  `tenant ${tenant_id}`,
  scopes.join(" "),
  `made ${created_at}${byOf(created_by)}`,
  ...(expires_at === undefined ? [] : [`until ${expires_at}`]),
  ...(revoked_at === undefined ? [] : [`revoked ${revoked_at}${byOf(revoked_by)}`])
]

const byOf = (caller: string | undefined): string => caller === undefined ? "" : ` by ${caller}`
