/** Parts that both calls share: a session of its own for each, and our own fields in an answer. */
import { Clock, Effect } from "effect"
import { randomUUID } from "node:crypto"
import type { RemoteCaller } from "../../application/Access.ts"
import type { Listed, Seen, SeenPage } from "../../application/ListResults.ts"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import * as Input from "../../contract/Input.ts"
import * as Refused from "./Refused.ts"

const msInSecond = 1_000

/** Id of a new session, so that the call has a budget of its own. */
export const freshSession = (): string => `tavily-${randomUUID()}`

export const deadlineMsOf = (seconds: number): number => Math.round(seconds * msInSecond)

const decode = Input.decode(Input.ListingInput)

/** Asks for a listing as an operation of the service. Its failures become Tavily's. */
export const list = (input: unknown, caller: RemoteCaller): Effect.Effect<
  Listed,
  Refused.Refused,
  ServiceCalls
> =>
  Effect.flatMap(
    ServiceCalls,
    (service) =>
      Effect.flatMap(decode(input), (decoded) => service.list(decoded, caller)).pipe(
        Effect.mapError(Refused.ofFailure)
      )
  )

/** Seconds since the call came. */
export const secondsSince = (arrivedAtMs: number): Effect.Effect<number> =>
  Effect.map(
    Clock.currentTimeMillis,
    (nowMs) => Math.max(0, nowMs - arrivedAtMs) / msInSecond
  )

/** Credits that the providers state; a call for which none is stated counts as none. */
export const creditsOf = ({ attempts }: Seen): number =>
  attempts.reduce((sum, { credits = 0 }) => sum + credits, 0)

/** Pages that were read, by every address that leads to them; a provider's excerpt is none. */
export const pagesByAddress = ({ pages }: Seen): ReadonlyMap<string, SeenPage> =>
  new Map(
    pages.filter(({ reader, text }) => reader !== "snippet" && text !== "").flatMap((page) =>
      page.addresses.map((address) => [address, page] as const)
    )
  )
