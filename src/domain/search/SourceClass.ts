/**
 * Class of a source, by its page's host alone: by who may register such a name, or by a table of
 * sites with a public record. A look-alike name (`gov-housing.com`, `harvard-edu.org`) has no
 * class.
 */
import type { SourceClass } from "./SearchStatus.ts"
import tables from "./SourceClasses.json" with { type: "json" }

const namesIn = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.flatMap((line) => line.split(" "))

/** Zones that only public bodies can register in, and sites of public bodies themselves. */
const officialZones = new Set(namesIn(tables.official.zones))
const primaryZones = new Set(
  [tables.academic, tables.standards].flatMap(({ zones }) => namesIn(zones))
)
const { date: _, news, source: __, ...known } = tables.known
const knownSites = new Set([...Object.values(news), ...Object.values(known)].flatMap(namesIn))

/** Invented sites end in `example`. */
const invented = "example"

/**
 * Countries whose second level of that name is reserved for the government or universities, by the
 * registries' rules. Elsewhere anyone may register it: `gov.de`, `go.com`, `gov.app`.
 */
const countriesOf = (below: Readonly<Record<string, ReadonlyArray<string>>>) =>
  new Map(
    Object.entries(below).map(([kind, lines]) =>
      [kind, new Set([...namesIn(lines), invented])] as const
    )
  )
const governments = countriesOf(tables.official.below)
const academies = countriesOf(tables.academic.below)
/** Zones whose bare name is a site too: `gov.ie`, `gob.mx`. */
const portals = new Set(tables.official.portals)

/** `state.tx.us`: the locality names of US states and their offices. */
const americanState = /(?:^|\.)state\.[a-z]{2}\.us$/

const isUnder = (host: string, zones: ReadonlySet<string>): boolean => {
  const labels = host.split(".")
  return labels.some((_, index) => zones.has(labels.slice(index).join(".")))
}

/** Whether the host is a public body's; `host` as `WebAddress.canonical` gives it. */
export const isOfficial = (host: string): boolean => {
  const [country = "", kind = "", body = ""] = host.split(".").toReversed()
  if (kind === "") return false
  if (isUnder(host, officialZones) || americanState.test(host)) return true
  const isOfCountry = governments.get(kind)?.has(country) === true
  return isOfCountry && (body !== "" || portals.has(kind) && country !== invented)
}

/** The field of a hit or a page; empty where its host has no class. */
export const classFieldOf = (host: string): { readonly source_class?: SourceClass } => {
  const source_class = classOf(host)
  return source_class === undefined ? {} : { source_class }
}

/** `undefined` where anyone could have published there. */
const classOf = (host: string): SourceClass | undefined => {
  const [country = "", kind = "", body = ""] = host.split(".").toReversed()
  const isAcademic = body !== "" && academies.get(kind)?.has(country) === true
  if (kind !== "" && (isOfficial(host) || isAcademic || isUnder(host, primaryZones))) {
    return "primary"
  }
  return isUnder(host, knownSites) ? "known" : undefined
}
