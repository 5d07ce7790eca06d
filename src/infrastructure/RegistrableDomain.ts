/** The part of a host that one party registers, by the Public Suffix List. */
import { parse } from "tldts"

/** Second levels that registries sell under where the list does not know the top level. */
const secondLevel = /^(?:ac|co|com|edu|go|gob|gouv|gov|govt|lg|mil|ne|net|or|org)$/

/**
 * Registrable domain of a host; `host` itself for numeric addresses and single labels. Under a top
 * level that is not listed, such as `example`, a second level like `gov` counts as a suffix.
 */
export const registrableDomain = (host: string): string => {
  const { domain, isIcann, isPrivate } = parse(host, { allowPrivateDomains: true })
  if (domain === null) return host
  const labels = host.split(".")
  const isUnlisted = isIcann !== true && isPrivate !== true
  return isUnlisted && labels.length > 2 && secondLevel.test(labels.at(-2) ?? "")
    ? labels.slice(-3).join(".")
    : domain
}
