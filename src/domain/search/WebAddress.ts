/**
 * The one spelling of a web address: what hits are compared, stored and shown by.
 *
 * ```ts
 * import { Option } from "effect"
 * import { canonical } from "./WebAddress.ts"
 *
 * const found = canonical("https://Housing.GOV.example:443/lease?utm_source=mail#notice")
 * Option.getOrThrow(found).href // => "https://housing.gov.example/lease"
 * Option.isNone(canonical("javascript:alert(1)")) // => true
 * ```
 */
import { Option } from "effect"
import { addressCharsMax } from "../request/GroundingRequest.ts"

export interface WebAddress {
  /** Absolute http(s) address without user, fragment, default port and tracking parameters. */
  readonly href: string
  /** Lower case, without port and trailing dot. */
  readonly host: string
}

const trackingPrefixes = ["utm_", "hsa_", "pk_", "piwik_", "mtm_", "matomo_"]

const trackingNames: ReadonlySet<string> = new Set(
  (`fbclid gclid gclsrc dclid gbraid wbraid srsltid msclkid mc_cid mc_eid igsh igshid yclid ysclid
twclid ttclid li_fat_id mkt_tok oly_anon_id oly_enc_id vero_conv vero_id wickedid _hsenc _hsmi
__hssc __hstc hsctatracking _openstat s_cid epik rb_clickid irclickid`).split(/\s+/)
)

/**
 * None for other schemes, credentials, no host, or too long. The URL standard reads path and host.
 */
export const canonical = (address: string): Option.Option<WebAddress> => {
  const url = address.length <= addressCharsMax ? URL.parse(address) : null
  if (url === null || !/^https?:$/.test(url.protocol)) return Option.none()
  if (url.username !== "" || url.password !== "") return Option.none()
  const host = url.hostname.replace(/\.+$/, "")
  if (host === "") return Option.none()
  const port = url.port === "" ? "" : `:${url.port}`
  const href = `${url.protocol}//${host}${port}${url.pathname}${withoutTracking(url.search)}`
  return href.length <= addressCharsMax ? Option.some({ href, host }) : Option.none()
}

/** Keeps the bytes and the order of every other parameter. */
const withoutTracking = (search: string): string => {
  const kept = search.slice(1).split("&").filter((pair) => pair !== "" && !isTracking(pair))
  return kept.length === 0 ? "" : `?${kept.join("&")}`
}

const isTracking = (pair: string): boolean => {
  const name = pair.split("=", 1).join("").toLowerCase()
  return trackingNames.has(name) || trackingPrefixes.some((prefix) => name.startsWith(prefix))
}
