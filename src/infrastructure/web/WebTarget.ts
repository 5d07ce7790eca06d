/** An address that may be asked for, taken apart: what a fetch and each redirect must pass. */
import { Result } from "effect"
import { isIP } from "node:net"
import { parse } from "tldts"
import { FetchFailed, type FetchFault } from "./FetchFailed.ts"

/** Longest address that is accepted, in UTF-16 code units. */
const addressCharsMax = 2_048

export interface WebTarget {
  readonly url: URL
  /** Lower case, punycode; an IPv6 address without brackets. */
  readonly host: string
  readonly isLiteral: boolean
  readonly secure: boolean
  readonly port: number
}

/** Registered with the public suffixes, and never the web. */
const reservedSuffixes: ReadonlySet<string> = new Set(["arpa", "onion"])

/** A name under a public suffix: neither one label nor a name that only a private network knows. */
export const isPublicName = (host: string): boolean => {
  const { domain, isIcann, publicSuffix } = parse(host)
  if (domain === null || isIcann !== true || host.endsWith(".")) return false
  return !reservedSuffixes.has(publicSuffix?.split(".").at(-1) ?? "")
}

/**
 * The form alone: http or https, no user, port 80 or 443. Whether the host may be asked for is the
 * network's to say. `base` is the address that redirected here.
 */
export const parseTarget = (
  address: string,
  base?: string
): Result.Result<WebTarget, FetchFailed> => {
  const url = address.length > addressCharsMax ? null : URL.parse(address, base)
  if (url === null || url.href.length > addressCharsMax) return refuse("address_invalid")
  if (url.protocol !== "https:" && url.protocol !== "http:") return refuse("scheme_forbidden")
  if (url.username !== "" || url.password !== "") return refuse("userinfo_forbidden")
  const secure = url.protocol === "https:"
  const port = url.port === "" ? (secure ? 443 : 80) : Number(url.port)
  if (port !== 80 && port !== 443) return refuse("port_forbidden")
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1")
  return Result.succeed({ url, host, isLiteral: isIP(host) !== 0, secure, port })
}

const refuse = (fault: FetchFault) => Result.fail(new FetchFailed({ fault }))
