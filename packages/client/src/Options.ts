/** Options of a caller, checked before anything is sent. */
import type { Fetch } from "./Exchange.ts"
import { InvalidArgument } from "./Failure.ts"

/** Options for a single call, or for every call of a client. A call's own take precedence. */
export interface CallOptions {
  /** Ends the call. The service stops at the next step and keeps what was done. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds until the client gives up, its retries included. A grounding is given the same as
   * its deadline, less what the answer needs to come here. Default: the deadline of the operation
   * and 2 s more, 30 s for operations without one.
   */
  readonly timeoutMs?: number | undefined
  /** How often a call that failed is sent again, under the same request id. 0 to 10, default 2. */
  readonly retries?: number | undefined
  /** Sent with each request, e.g. `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Options of all calls of a client. A call's own options take precedence, field by field. */
export interface ClientOptions extends CallOptions {
  /**
   * An API token, sent as `Authorization: Bearer`. It stands in no error, and nothing prints it.
   */
  readonly token?: string | undefined
  /** Asked instead of the platform's own. */
  readonly fetch?: Fetch | undefined
}

/** Options of one call after the check, with defaults filled in. */
export interface Checked {
  readonly signals: ReadonlyArray<AbortSignal>
  readonly timeoutMs: number | undefined
  readonly retries: number
  readonly headers: Readonly<Record<string, string>>
}

/** Longest wait of a timer on every platform, in milliseconds. */
const timeoutMsMax = 2 ** 31 - 1
const retries = { default: 2, most: 10 }

const refuse = (field: string, problem: string): never => {
  throw new InvalidArgument(field, problem)
}

/** Address on which the service listens, without a slash at the end. */
export const addressOf = (given: string | URL, field = "url"): string => {
  const text = String(given)
  if (!URL.canParse(text)) return refuse(field, "Expected an address, e.g. http://127.0.0.1:7420")
  const url = new URL(text)
  if (!/^https?:$/.test(url.protocol)) return refuse(field, "Expected http: or https:")
  if (url.username !== "" || url.password !== "") {
    return refuse(field, "Expected no user and password: use the option token")
  }
  if (url.search !== "" || url.hash !== "") {
    return refuse(field, "Expected no query and no fragment")
  }
  return url.href.replace(/\/+$/, "")
}

/** The header that a token is sent as. */
export const credentialsOf = (token: string | undefined): Readonly<Record<string, string>> => {
  if (token === undefined) return {}
  if (!/^[\x21-\x7e]{1,4096}$/.test(token)) {
    return refuse("token", "Expected visible ASCII characters, at most 4,096")
  }
  return { authorization: `Bearer ${token}` }
}

const headersOf = (given: Readonly<Record<string, string>> | undefined) =>
  Object.fromEntries(
    Object.entries(given ?? {}).map(([name, value]) => {
      if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) refuse("headers", "Expected names of headers")
      // The value may be a secret.
      if (!/^[\t\x20-\x7e]*$/.test(value)) refuse(`headers.${name}`, "Expected ASCII on one line")
      return [name.toLowerCase(), value]
    })
  )

/**
 * Joins the options of a client with those of one call. Throws `InvalidArgument` when a value is out
 * of bounds, before anything is sent.
 */
export const checkedOptions = (client: ClientOptions, call: CallOptions | undefined): Checked => {
  const timeoutMs = call?.timeoutMs ?? client.timeoutMs
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= timeoutMsMax)) {
    refuse("timeoutMs", `Expected milliseconds, more than 0 and at most ${timeoutMsMax}`)
  }
  const often = call?.retries ?? client.retries ?? retries.default
  if (!Number.isInteger(often) || often < 0 || often > retries.most) {
    refuse("retries", `Expected 0 to ${retries.most}`)
  }
  return {
    signals: [client.signal, call?.signal].filter((signal) => signal !== undefined),
    timeoutMs,
    retries: often,
    headers: { ...headersOf(client.headers), ...headersOf(call?.headers) }
  }
}
