/**
 * Domains that an operator allows and denies, subdomains counted. Deny goes first; with an empty
 * allow list every other domain is allowed. What is no web address has no domain, and is allowed.
 */
import { Schema } from "effect"
import { isPublished, type Published, type SearchHit } from "./SearchStatus.ts"

const List = Schema.Array(Schema.String)

/** Host names, lower case, without a dot at either end. */
export const SitePolicy = Schema.Struct({ allow: List, deny: List })
export type SitePolicy = typeof SitePolicy.Type

/** None where nothing is allowed or denied by name. */
export const policyOf = (
  allow: ReadonlyArray<string>,
  deny: ReadonlyArray<string>
): SitePolicy | undefined => allow.length + deny.length === 0 ? undefined : { allow, deny }

const isOf = (host: string) => (domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`)

/** Whether all of these addresses may be used. */
export const allows = (
  policy: SitePolicy | undefined,
  addresses: ReadonlyArray<string>
): boolean =>
  policy === undefined || addresses.every((address) => {
    const url = URL.parse(address)
    if (url === null || !/^https?:$/.test(url.protocol)) return true
    // A dot at its end changes nothing of a name.
    const host = url.hostname.replace(/\.$/, "")
    return !policy.deny.some(isOf(host)) &&
      (policy.allow.length === 0 || policy.allow.some(isOf(host)))
  })

export interface Domains {
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
}

interface Kept<A> {
  readonly kept: ReadonlyArray<A>
  /** Present where something was left out. */
  readonly left_out?: number
}

/** What may be used, and how much of it was left out. */
export const keep = <A>(
  policy: SitePolicy | undefined,
  all: ReadonlyArray<A>,
  addressesOf: (one: A) => ReadonlyArray<string>
): Kept<A> => {
  const kept = all.filter((one) => allows(policy, addressesOf(one)))
  const left_out = all.length - kept.length
  return left_out === 0 ? { kept } : { kept, left_out }
}

/** The first that may be used, as many as are wanted, and how much was left out before the last. */
export const keepFirst = <A>(
  policy: SitePolicy | undefined,
  all: ReadonlyArray<A>,
  { addressesOf, most }: {
    readonly addressesOf: (one: A) => ReadonlyArray<string>
    readonly most: number
  }
): Kept<A> => {
  const places = all.flatMap((one, place) => allows(policy, addressesOf(one)) ? [place] : [])
  const last = places[most - 1]
  return keep(policy, last === undefined ? all : all.slice(0, last + 1), addressesOf)
}

/** What of a search's hits may be used: those of allowed sites and wanted days. */
export interface Wish extends Published {
  readonly sites?: SitePolicy
}

export const isUsable = ({ sites, ...published }: Wish, hit: SearchHit): boolean =>
  allows(sites, [hit.url]) && isPublished(published, hit)

/** Hits that may be used before the others, so that a cut costs none of them a place. */
export const usableFirst = (wish: Wish, hits: ReadonlyArray<SearchHit>): ReadonlyArray<SearchHit> =>
  [true, false].flatMap((isFirst) => hits.filter((hit) => isUsable(wish, hit) === isFirst))

/**
 * Domains that an engine is asked for: the caller's within the policy. An engine that takes fewer
 * is sent fewer, and its whole answer is looked through all the same.
 */
export const asked = (
  policy: SitePolicy | undefined,
  { excludeDomains, includeDomains }: Domains
): Domains => {
  if (policy === undefined) return { excludeDomains, includeDomains }
  const within = [
    ...includeDomains.filter((domain) => policy.allow.some(isOf(domain))),
    ...policy.allow.filter((domain) => includeDomains.some(isOf(domain)))
  ]
  const both = includeDomains.length === 0 ? policy.allow : within
  return {
    // Domains that have none in common are asked for as they are: nothing of the answer is kept.
    includeDomains: [...new Set(both.length === 0 ? includeDomains : both)],
    excludeDomains: [...new Set([...excludeDomains, ...policy.deny])]
  }
}
