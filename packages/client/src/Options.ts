/** A caller's options, validated before anything is sent. */
import type { Fetch } from "./Exchange.ts"
import { InvalidArgument } from "./Failure.ts"

export interface CallOptions {
  /** Ends the call. The service stops at the next step and keeps what was done. */
  readonly signal?: AbortSignal | undefined
  /**
   * Milliseconds until the client gives up, retries included; a grounding's deadline is a little
   * less. Default: the operation's deadline and 2 s, 30 s without one.
   */
  readonly timeoutMs?: number | undefined
  /** Retries of a failed call, under the same request id. 0 to 10, default 3. */
  readonly retries?: number | undefined
  /** Sent with each request, e.g. `traceparent`. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Options of all calls of a client. A call's own options take precedence, field by field. */
export interface ClientOptions extends CallOptions {
  /** An API token, sent as `Authorization: Bearer`. Never in an error, never printed. */
  readonly token?: string | undefined
  /** Replaces the platform's own. */
  readonly fetch?: Fetch | undefined
}

/** Longest timer on every platform, in milliseconds. */
const timeoutMsMax = 2 ** 31 - 1
const retries = { default: 3, most: 10 }

const refuse = (field: string, problem: string): never => {
  throw new InvalidArgument(field, problem)
}

/** Address of the service, without a trailing slash. */
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

/** Joins client and call options. Throws `InvalidArgument` before anything is sent. */
export const checkedOptions = (client: ClientOptions, call: CallOptions | undefined) => {
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
