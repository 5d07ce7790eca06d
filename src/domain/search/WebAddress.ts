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
 * The canonical address, or none for what is no plain web address: other schemes, a user or a
 * password in it, no host, too long. Path and host stay what the URL standard reads them as.
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

// Whether a host belongs to a government or another public body, told by its name alone.

const listOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

/**
 * Zones that only public bodies can register in, and sites of public bodies themselves: the
 * Union, parliaments, courts, gazettes, statutes, and offices that many have to do with.
 */
const zones = listOf(
  `gov mil int europa.eu un.org unesco.org ilo.org wto.org gov.scot gov.wales parliament.scot
senedd.wales nhs.uk police.uk mod.uk parliament.uk judiciary.uk supremecourt.uk
bankofengland.co.uk irishstatutebook.ie oireachtas.ie courts.ie citizensinformation.ie
revenue.ie bund.de gesetze-im-internet.de bundestag.de bundesrat.de bundesregierung.de
bundesverfassungsgericht.de bundesgerichtshof.de bundesarbeitsgericht.de bundesfinanzhof.de
bundesfinanzministerium.de bundesgesundheitsministerium.de bundesbank.de auswaertiges-amt.de
arbeitsagentur.de deutsche-rentenversicherung.de zoll.de destatis.de bafin.de rki.de bayern.de
nrw.de baden-wuerttemberg.de hessen.de niedersachsen.de sachsen.de rlp.de gv.at admin.ch
parlament.ch bger.ch ch.ch gesetze.li llv.li service-public.fr vie-publique.fr
assemblee-nationale.fr senat.fr conseil-constitutionnel.fr conseil-etat.fr courdecassation.fr
elysee.fr urssaf.fr ameli.fr caf.fr insee.fr banque-france.fr boe.es congreso.es senado.es
tribunalconstitucional.es poderjudicial.es seg-social.es ine.es gencat.cat juntadeandalucia.es
euskadi.eus normattiva.it gazzettaufficiale.it camera.it senato.it parlamento.it governo.it
quirinale.it cortecostituzionale.it giustizia.it inps.it istat.it dre.pt diariodarepublica.pt
parlamento.pt tribunalconstitucional.pt overheid.nl rijksoverheid.nl government.nl
tweedekamer.nl eerstekamer.nl belastingdienst.nl rechtspraak.nl uwv.nl svb.nl ind.nl duo.nl
cbs.nl fgov.be belgium.be dekamer.be lachambre.be senate.be const-court.be vlaanderen.be
wallonie.be public.lu etat.lu gouvernement.lu chd.lu regeringen.se government.se riksdagen.se
lagrummet.se domstol.se skatteverket.se migrationsverket.se forsakringskassan.se polisen.se
scb.se regjeringen.no stortinget.no lovdata.no domstol.no dep.no stat.no kommune.no
skatteetaten.no udi.no nav.no ssb.no retsinformation.dk folketinget.dk ft.dk borger.dk skat.dk
nyidanmark.dk domstol.dk dst.dk finlex.fi eduskunta.fi valtioneuvosto.fi oikeus.fi suomi.fi
vero.fi migri.fi kela.fi stat.fi althingi.is stjornarradid.is government.is island.is
skatturinn.is riigiteataja.ee riigikogu.ee valitsus.ee eesti.ee emta.ee likumi.lv saeima.lv
lrs.lt lrv.lt e-tar.lt psp.cz senat.cz vlada.cz justice.cz mvcr.cz mpsv.cz e-sbirka.cz
slov-lex.sk nrsr.sk zus.pl nbp.pl njt.hu parlament.hu kormany.hu magyarorszag.hu cdep.ro
senat.ro just.ro parliament.bg government.bg sabor.hr dz-rs.si pisrs.si uradni-list.si
hellenicparliament.gr kremlin.ru government.ru gosuslugi.ru fed.us gc.ca canada.ca parl.ca
ourcommons.ca sencanada.ca scc-csc.ca gouv.qc.ca quebec.ca assnat.qc.ca gov.on.ca ontario.ca
gov.bc.ca gov.ab.ca alberta.ca gov.sk.ca saskatchewan.ca gov.mb.ca gov.ns.ca novascotia.ca
gnb.ca gov.nl.ca gov.pe.ca gov.nt.ca gov.nu.ca yukon.ca leg.br jus.br mp.br nic.in
parliament.nz lg.jp judiciary.hk`
)

/**
 * Countries whose second level of that name is the government's, by the registries' own rules.
 * Elsewhere, and under a generic domain, anybody may hold it: `gov.de`, `go.com`, `gov.app`.
 */
const gov = listOf(
  `ac ae af al ao ar as au az ba bb bd bf bg bh bm bn br bs bt bw by bz cd cl cm cn co cx cy cz
dm do dz ec ee eg et fj gd ge gh gi gn gr gu gy hk hr hu ie il in io iq ir it jo kg kh ki km
kn kp kr kw kz la lb lc lk lr ls lt lv ly ma me mg mk ml mn mo mr ms mt mu mv mw my mz na ng
nr om ph pk pl pn pr ps pt pw py qa ro rs ru rw sa sb sc sd sg sh si sk sl so ss sx sy tj tl
tm tn to tr tt tw ua ug uk vc ve vn ws ye za zm zw`
)

const gob = listOf("ar bo cl cu do ec es gt hn mx ni pa pe pk sv ve")

const gouv = listOf("bj cd cg ci dj fr ga ht km mc ml ne sn tg")

const mil = listOf(
  `ac ae al ar az ba bd bo br by cl cn co cy do ec eg fj gh gt hn id in io iq jo kg km kr kz lv
mg mv my mz ng ni no nz pe ph pl py qa rw sh st sy tj tm to tr tt tw tz ug uy vc ve ye za zm
zw`
)

const go = listOf("ci cr id jp ke kr th tj tz ug")

/** `example` is what invented sites end in. */
const invented = "example"

/** Zones whose bare name is a site too: `gov.ie`, `gob.mx`. */
const portals: Readonly<Record<string, ReadonlySet<string>>> = {
  gov,
  gob,
  gouv,
  gub: new Set(["uy"]),
  govt: new Set(["nz"])
}

const zonesBelow: Readonly<Record<string, ReadonlySet<string>>> = { ...portals, mil, go }

/** `state.tx.us`, as states and their offices have been named from the beginning. */
const americanState = /(?:^|\.)state\.[a-z]{2}\.us$/

/**
 * Whether the host is a public body's. `host` is in lower case without port and trailing dot, as
 * `WebAddress.canonical` gives it.
 */
export const isOfficial = (host: string): boolean => {
  const labels = host.split(".")
  const isZone = labels.some((_, place) => zones.has(labels.slice(place).join(".")))
  return (isZone && labels.length > 1) || isNational(labels) || americanState.test(host)
}

const isNational = (labels: ReadonlyArray<string>): boolean => {
  const [country = "", kind = "", body = ""] = labels.toReversed()
  if (!Object.hasOwn(zonesBelow, kind)) return false
  if (body === "") return portals[kind]?.has(country) === true
  return country === invented || zonesBelow[kind]?.has(country) === true
}
