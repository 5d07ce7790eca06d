/** Identifies the viewer by a token in the dashboard's cookie, or in the header. */
import { Clock, Effect, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { Access, callerBy, credentialIn } from "../../application/Access.ts"
import type { AskedCalls } from "../../application/operations/Calls.ts"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import type { Viewer } from "./views/Shell.ts"

type Request = HttpServerRequest.HttpServerRequest

const cookieName = "wg_token"
/** Twelve hours: the sign-in lasts a working day. */
const cookieSeconds = 12 * 60 * 60

/** Characters that a cookie's value may contain unescaped. */
const cookieValue = /(?:^|;\s*)wg_token=([\w.~+/=-]{1,4000})(?:;|$)/
const tokenPattern = /^[\w.~+/=-]{1,4000}$/

/** Whether a text may be a token; nothing else is stored in a cookie. */
export const isToken = (text: string): boolean => tokenPattern.test(text)

const inHeader = ({ headers }: Request): string | undefined =>
  Option.getOrUndefined(credentialIn(headers["authorization"]))
const inCookie = ({ headers }: Request): string | undefined =>
  cookieValue.exec(headers["cookie"] ?? "")?.[1]

/** `Secure` only behind an encrypting proxy: browsers would not return it over plain HTTP. */
const attributes = ({ headers }: Request): string =>
  `Path=/; HttpOnly; SameSite=Lax${headers["x-forwarded-proto"] === "https" ? "; Secure" : ""}`

export const cookieOf = (request: Request, token: string): string =>
  `${cookieName}=${token}; ${attributes(request)}; Max-Age=${cookieSeconds}`

export const noCookie = (request: Request): string =>
  `${cookieName}=; ${attributes(request)}; Max-Age=0`

export interface Known {
  readonly calls: AskedCalls
  readonly viewer: Viewer
}

/** `token` replaces the request's own. */
export const callerOf = Effect.fnUntraced(
  function*(request: Request, isSandbox: boolean, token?: string) {
    const { identify } = yield* Access
    const given = token ?? inHeader(request) ?? inCookie(request)
    const identity = yield* identify(Option.fromUndefinedOr(given))
    const { scopes, tenantId } = identity
    const { askedBy } = yield* ServiceCalls
    const arrivedAtMs = yield* Clock.currentTimeMillis
    const known: Known = {
      calls: askedBy({ ...callerBy(identity, "dashboard"), arrivedAtMs }),
      viewer: {
        tenantId,
        canRead: scopes.has("read"),
        canGround: scopes.has("ground"),
        canAudit: scopes.has("audit"),
        canErase: scopes.has("erase"),
        isAdmin: scopes.has("admin"),
        isSignedIn: inCookie(request) !== undefined,
        isSandbox
      }
    }
    return known
  }
)
