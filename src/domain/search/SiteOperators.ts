/** Wanted and unwanted domains, for search engines that know them only as words of the query. */
import { cut } from "@web-grounding/language/Sentences"

export interface Domains {
  readonly includeDomains: ReadonlyArray<string>
  readonly excludeDomains: ReadonlyArray<string>
}

/** Length kept for operators even beside a long query, in UTF-16 code units. */
const operatorCharsMin = 120

/**
 * The query with `site:` operators, at most `charsMax` UTF-16 code units. Domains that do not fit
 * are left out, so the answer needs `isWanted` all the same. For an engine that counts words, too,
 * its adapter gives fewer words and fewer domains: each wanted one takes two words of the query.
 */
export const withSites = (query: string, domains: Domains, charsMax: number): string => {
  const { excludeDomains, includeDomains } = domains
  const isPlain = includeDomains.length + excludeDomains.length === 0
  const words = cut(query, isPlain ? charsMax : charsMax - operatorCharsMin)
  const included = fitting(
    includeDomains,
    (some) => spaced(words, anyOf(some)).length <= charsMax
  )
  const start = spaced(words, anyOf(included))
  const excluded = fitting(
    excludeDomains,
    (some) => spaced(start, noneOf(some)).length <= charsMax
  )
  return spaced(start, noneOf(excluded))
}

/** Whether a host is of the domains asked for, subdomains counted. */
export const isWanted = (host: string, { excludeDomains, includeDomains }: Domains): boolean => {
  const isOf = (domain: string) => host === domain || host.endsWith(`.${domain}`)
  return (includeDomains.length === 0 || includeDomains.some(isOf)) && !excludeDomains.some(isOf)
}

const fitting = (
  domains: ReadonlyArray<string>,
  fits: (some: ReadonlyArray<string>) => boolean
): ReadonlyArray<string> =>
  domains.reduce<ReadonlyArray<string>>((some, domain) => {
    const more = [...some, domain]
    return fits(more) ? more : some
  }, [])

const anyOf = (domains: ReadonlyArray<string>): string => {
  const operators = domains.map((domain) => `site:${domain}`).join(" OR ")
  return domains.length > 1 ? `(${operators})` : operators
}

const noneOf = (domains: ReadonlyArray<string>): string =>
  domains.map((domain) => `-site:${domain}`).join(" ")

const spaced = (left: string, right: string): string => right === "" ? left : `${left} ${right}`
