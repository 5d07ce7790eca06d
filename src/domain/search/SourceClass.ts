/**
 * Class of a source by its address alone: a registry's rules, or a table of sites with a public
 * record. Look-alikes (`gov-housing.com`) have none, nor have parts where strangers publish.
 */
import { asGiven } from "../request/GivenFields.ts"
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

const openLabels = new Set(namesIn(tables.open.labels))
const openPaths = new Set(namesIn(tables.open.paths))
const paidPaths = new Set(namesIn(tables.open.paid))

const invented = "example"

/**
 * Countries that reserve the second level for government or universities. Elsewhere anyone may
 * register it: `gov.de`, `go.com`.
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

/** Class of a source. A page of an older release records only whether its host is official. */
export const classOf = (
  { official, source_class }: { readonly official: boolean; readonly source_class?: SourceClass }
): SourceClass | undefined => source_class ?? (official ? "primary" : undefined)

interface Address {
  readonly host: string
  readonly href: string
}

/** Fields of a hit or a page, by its address as `WebAddress.canonical` gives it. */
export const classFieldsOf = (
  address: Address,
  { known = [] }: { readonly known?: ReadonlyArray<string> | undefined } = {}
): { readonly official: boolean; readonly source_class?: SourceClass } => {
  const found = classOfHost(address.host) ??
    (isUnder(address.host, new Set(known)) ? "known" : undefined)
  const source_class = found !== undefined && isOpen(address, found) ? undefined : found
  return {
    official: source_class === "primary" && isOfficial(address.host),
    ...asGiven({ source_class })
  }
}

/**
 * Whether strangers publish there under the site's name. Such a name takes a class away and never
 * gives one.
 */
const isOpen = ({ host, href }: Address, found: SourceClass): boolean => {
  const path = new URL(href).pathname.toLowerCase()
  const segments = path.split("/")
  const sections = Object.entries(tables.open.sections).flatMap(([zone, begins]) =>
    isUnder(host, new Set([zone])) ? begins : []
  )
  return host.split(".").some((label) => openLabels.has(label)) ||
    segments.some((segment) =>
      segment.startsWith("~") || openPaths.has(segment) ||
      found === "known" && paidPaths.has(segment)
    ) ||
    sections.some((begin) => path.startsWith(begin))
}

/** `undefined` where anyone could have published there. */
const classOfHost = (host: string): SourceClass | undefined => {
  const [country = "", kind = "", body = ""] = host.split(".").toReversed()
  const isAcademic = body !== "" && academies.get(kind)?.has(country) === true
  if (kind !== "" && (isOfficial(host) || isAcademic || isUnder(host, primaryZones))) {
    return "primary"
  }
  return isUnder(host, knownSites) ? "known" : undefined
}
