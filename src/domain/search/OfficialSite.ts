/** Whether a host belongs to a government or another public body, told by its name alone. */

/** Zones that only public bodies can register in, and sites of public bodies themselves. */
const zones = (`gov mil int gov.uk gc.ca canada.ca gouv.qc.ca gov.on.ca gov.bc.ca europa.eu
bund.de admin.ch gv.at lg.jp overheid.nl rijksoverheid.nl government.nl fgov.be regeringen.se
regjeringen.no nhs.uk police.uk mod.uk parliament.uk nic.in govt.nz fed.us un.org`).split(/\s+/)

/** Registries that keep `go` for the government; go.com and go.dev are anybody's. */
const goCountries: ReadonlySet<string> = new Set(
  "ci cr id jp ke kr th tj tz ug example".split(" ")
)

/** `x.gov.kz`, `x.gouv.fr`, `x.gob.mx`; never a generic domain, which anyone can register in. */
const governmentLabel = /^(?:gov|gouv|gob|govt|mil)$/
const countryLabel = /^(?:[a-z]{2}|example)$/

/** `host` in lower case without port and trailing dot, as `WebAddress.canonical` gives it. */
export const isOfficial = (host: string): boolean =>
  zones.some((zone) => host.endsWith(`.${zone}`) || (zone.includes(".") && host === zone)) ||
  isNational(host.split("."))

const isNational = (labels: ReadonlyArray<string>): boolean => {
  const [country = "", kind = "", body = ""] = labels.toReversed()
  if (body === "") return false
  return governmentLabel.test(kind)
    ? countryLabel.test(country)
    : kind === "go" && goCountries.has(country)
}
