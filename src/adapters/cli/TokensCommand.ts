/** `tokens`: callers with access, if the service requires a token. */
import { Array as Arr, Console, Effect } from "effect"
import { Command, Flag } from "effect/cli"
import type { TokenView } from "../../contract/Input.ts"
import { AccessScope } from "../../domain/access/AccessToken.ts"
import { asGiven } from "../../domain/request/GivenFields.ts"
import * as Flags from "./terminal/Flags.ts"
import * as Terminal from "./terminal/Terminal.ts"
import { failWhen, indentParts } from "./terminal/Terminal.ts"
import { answering, ask, command } from "./Wiring.ts"

const create = command("create", "Make a token, and print it once on standard output", {
  name: Flag.String("name").pipe(
    Flag.withDescription("Name for people: owner or purpose")
  ),
  tenant: Flags.text("tenant", "Tenant of its sessions; default: WEB_GROUNDING_TENANT"),
  scope: Flag.Literals("scope", AccessScope.literals).pipe(
    Flag.withDescription("Scope; may be repeated; default: ground and read"),
    Flag.atLeast(0)
  ),
  days: Flags.whole("days", "Days until it expires; default: never"),
  json: Flags.json()
}, function*({ days, json, name, scope, tenant }) {
  const input = {
    name,
    ...(Arr.isReadonlyArrayNonEmpty(scope) ? { scopes: scope } : {}),
    ...asGiven({ tenant_id: tenant, expires_in_days: days })
  }
  const made = yield* ask("CreateToken", input)
  yield* Terminal.print(json, made, ({ token }) => token)
  if (!json) {
    yield* Console.error(
      `Token ${made.token_id} of tenant ${made.tenant_id}. It is shown this once.`
    )
  }
})

const list = answering(
  "list",
  "Show every token, without its secret",
  {},
  () => Effect.map(ask("ListTokens", {}), ({ tokens }) => tokens),
  (tokens, { columns }) =>
    tokens.length === 0
      ? "No token was made."
      : tokens.flatMap((token) => indentParts(partsOf(token), columns))
)

const revoke = command("revoke", "End a token", {
  id: Flags.argument("id", "As `tokens list` shows it")
}, function*({ id }) {
  const { revoked } = yield* ask("RevokeToken", { token_id: id })
  yield* failWhen(!revoked, `Token ${id} was revoked before`)
  yield* Console.log(`Token ${id} is revoked; every process knows within a second.`)
})

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

export const tokens = Command.make("tokens").pipe(
  Command.withDescription("Make, list and revoke the tokens that callers send"),
  Command.withSubcommands([create, list, revoke])
)
