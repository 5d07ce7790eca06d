/**
 * Tells the addresses of the public internet from those of internal networks, which are all others.
 */
import ipaddr from "ipaddr.js"
import { isIP } from "node:net"

/**
 * The library calls some of `::/3` unicast (the IPv4-compatible form of a metadata service, for
 * one), so global unicast is asked for by name as well.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3")

/** Public by number, yet answered by the machine's own cloud. */
const insideAnyway: ReadonlySet<string> = new Set(["168.63.129.16"])

/**
 * Whether an IPv4 or IPv6 address, as resolvers write it, is on the public internet. False for
 * every other text.
 */
export const isPublic = (text: string): boolean => {
  if (isIP(text) === 0 || text.includes("%")) return false
  const address = ipaddr.process(text)
  if (address.range() !== "unicast" || insideAnyway.has(address.toString())) return false
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast)
}
