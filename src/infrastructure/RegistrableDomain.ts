/** Registrable domain of a host, by the Public Suffix List. */
import { parse } from "tldts"

/** Common second-level suffixes of registries, for top levels that are not listed. */
const secondLevel = /^(?:ac|co|com|edu|go|gob|gouv|gov|govt|lg|mil|ne|net|or|org)$/

/**
 * `host` itself for numeric addresses and single labels. Under an unlisted top level, such as
 * `example`, a second level like `gov` counts as a suffix.
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
