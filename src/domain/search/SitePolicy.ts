/**
 * Domains that an operator and a tenant allow and deny, with their subdomains, domains of known
 * publishers, and reported pages.
 * Deny takes precedence; an empty allow list allows every other domain. What is no web address is
 * allowed.
 */
import { Option, Schema } from "effect"
import { isPublished, type Published, type SearchHit } from "./SearchStatus.ts"
import * as WebAddress from "./WebAddress.ts"

const List = Schema.Array(Schema.String)

export const SitePolicy = Schema.Struct({
  /** Host names, lower case, without a dot at either end. */
  allow: List,
  deny: List,
  /** Sources of the class `known`, beside those of the table. Absent: none. */
  known: Schema.optionalKey(List),
  /** Canonical addresses of reported pages. Absent: none. */
  pages: Schema.optionalKey(List)
})
export type SitePolicy = typeof SitePolicy.Type

/** None without a domain. */
export const policyOf = (
  allow: ReadonlyArray<string>,
  deny: ReadonlyArray<string>,
  known: ReadonlyArray<string> = []
): SitePolicy | undefined =>
  allow.length + deny.length + known.length === 0
    ? undefined
    : { allow, deny, ...(known.length === 0 ? {} : { known }) }

/** The policy of domains that are allowed and, with a minus before them, denied. */
export const ofWords = (words: ReadonlyArray<string>): SitePolicy => ({
  allow: words.filter((word) => !word.startsWith("-")),
  deny: words.flatMap((word) => word.startsWith("-") ? [word.slice(1)] : [])
})

export const withReported = (
  policy: SitePolicy | undefined,
  pages: ReadonlyArray<string>
): SitePolicy | undefined => pages.length === 0 ? policy : { allow: [], deny: [], ...policy, pages }

/** The policy of domains, by which an answer of an engine is cached: reports do not end it. */
export const ofDomains = (policy: SitePolicy | undefined): SitePolicy | undefined =>
  policy === undefined ? undefined : policyOf(policy.allow, policy.deny, policy.known)

const isOf = (host: string) => (domain: string): boolean =>
  host === domain || host.endsWith(`.${domain}`)

/** Domains of either list within the other. */
const common = (
  some: ReadonlyArray<string>,
  others: ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...new Set([
    ...some.filter((domain) => others.some(isOf(domain))),
    ...others.filter((domain) => some.some(isOf(domain)))
  ])
]

/** The policy that allows what both allow. */
export const narrowed = (
  policy: SitePolicy | undefined,
  tenants: SitePolicy | undefined
): SitePolicy | undefined => {
  if (policy === undefined || tenants === undefined) return policy ?? tenants
  const lists = [policy.allow, tenants.allow] as const
  const both = lists.every((list) => list.length > 0) ? common(...lists) : lists.flat()
  const deny = [...policy.deny, ...tenants.deny]
  // An empty list would allow every domain.
  return both.length > 0
    ? { ...policy, allow: both, deny }
    : { ...policy, deny: [...deny, ...policy.allow] }
}

export const allows = (
  policy: SitePolicy | undefined,
  addresses: ReadonlyArray<string>
): boolean =>
  policy === undefined || addresses.every((address) => {
    const url = URL.parse(address)
    if (url === null || !/^https?:$/.test(url.protocol)) return true
    // A trailing dot does not change a name.
    const host = url.hostname.replace(/\.$/, "")
    return !isReported(policy, address) && !policy.deny.some(isOf(host)) &&
      (policy.allow.length === 0 || policy.allow.some(isOf(host)))
  })

const isReported = ({ pages = [] }: SitePolicy, address: string): boolean =>
  pages.length > 0 &&
  Option.exists(WebAddress.canonical(address), ({ href }) => pages.includes(href))

export interface Domains {
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
}

export interface Kept<A> {
  readonly kept: ReadonlyArray<A>
  /** Absent: nothing. */
  readonly left_out?: number
}

export const keep = <A>(
  policy: SitePolicy | undefined,
  all: ReadonlyArray<A>,
  addressesOf: (one: A) => ReadonlyArray<string>
): Kept<A> => {
  const kept = all.filter((one) => allows(policy, addressesOf(one)))
  const left_out = all.length - kept.length
  return left_out === 0 ? { kept } : { kept, left_out }
}

/** The first allowed items up to a maximum, and the number left out before the last. */
export const keepFirst = <A>(
  policy: SitePolicy | undefined,
  all: ReadonlyArray<A>,
  { addressesOf, most }: {
    readonly addressesOf: (one: A) => ReadonlyArray<string>
    readonly most: number
  }
): Kept<A> => {
  const allowed = all.flatMap((one, index) => allows(policy, addressesOf(one)) ? [index] : [])
  const last = allowed[most - 1]
  return keep(policy, last === undefined ? all : all.slice(0, last + 1), addressesOf)
}

export interface Wish extends Published {
  readonly sites?: SitePolicy
}

export const isUsable = ({ sites, ...published }: Wish, hit: SearchHit): boolean =>
  allows(sites, [hit.url]) && isPublished(published, hit)

/** Usable hits before the others, so that a cut drops none of them. */
export const usableFirst = (wish: Wish, hits: ReadonlyArray<SearchHit>): ReadonlyArray<SearchHit> =>
  [true, false].flatMap((isFirst) => hits.filter((hit) => isUsable(wish, hit) === isFirst))

/** The caller's domains within the policy, for an engine. Its answer is filtered again. */
export const asked = (
  policy: SitePolicy | undefined,
  { excludeDomains, includeDomains }: Domains
): Domains => {
  if (policy === undefined) return { excludeDomains, includeDomains }
  const both = includeDomains.length === 0 ? policy.allow : common(includeDomains, policy.allow)
  return {
    // Without a common domain they are sent unchanged: no hit of the answer is kept.
    includeDomains: [...new Set(both.length === 0 ? includeDomains : both)],
    excludeDomains: [...new Set([...excludeDomains, ...policy.deny])]
  }
}
