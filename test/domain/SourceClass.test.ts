import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { classFieldsOf, isOfficial } from "../../src/domain/search/SourceClass.ts"
import { words } from "../support/words.ts"

/** What represents a kind of public body in some country. */
const samples = words`
  irs.gov gov.uk gov.ie gov.br gov.pl gob.mx gouv.fr govt.nz moi.go.th europa.eu bund.de
  gesetze-im-internet.de bundestag.de boe.es normattiva.it service-public.fr lovdata.no admin.ch
  gv.at gov.bc.ca state.tx.us
`
/** Under these, any free name may be registered. */
const anybodys = ["com", "net", "org", "app", "dev", "info", "de", "ch", "nl", "se", "eu"]
const looksAlike = words`
  gov.evil.com www.gov.evil.com irs.gov.evil.example mygov.example gov.example go.example gov
  int mil mygov.uk.example notgov.uk xgov.uk x.mygov.uk abcnews.go.com go.com pkg.go.dev
  x.gov.com x.gov.app x.go.it gouv.fr.example noteuropa.eu europa.eu.example www.example.com
  go.jp gov-uk.example x.go.uk paint.com 127.0.0.1 [::1] localhost a..gov.example.com
  gov.example.com gov.de x.gov.de x.gob.de x.gouv.de x.go.de bundestag.de.example.com
  my-bundestag.de mybundestag.de bundestag.com gesetze-im-internet.de.com boe.es.com
  x.xn--gv-yja.uk state.texas.us constructor.com x.constructor.com toString.de
`

describe("isOfficial", () => {
  it.each(words`
    www.irs.gov nasa.gov army.mil who.int gov.uk www.gov.uk hmrc.gov.uk www.nhs.uk www.mhlw.go.jp
    city.minato.tokyo.lg.jp www.moel.go.kr moi.go.th www.service-public.gouv.fr impots.gouv.fr
    agenciatributaria.gob.es www.gob.mx www.canada.ca cic.gc.ca www.bag.admin.ch bmi.bund.de
    europa.eu ec.europa.eu www.immigration.govt.nz www.ato.gov.au planalto.gov.br ris.bka.gv.at
    www.housing.gov.example library.halvern.gov.example www.juumin.go.example gov.ie www.gov.ie
    gov.br www.gov.pl gov.pl gob.mx www.gesetze-im-internet.de dip.bundestag.de www.boe.es
    eur-lex.europa.eu www.legifrance.gouv.fr www.legislation.gov.uk www.irishstatutebook.ie
    isap.sejm.gov.pl www.riigiteataja.ee www.assemblee-nationale.fr www.gov.scot
    laws-lois.justice.gc.ca dds.georgia.gov comptroller.state.tx.us www.stat.gov.cz
    elections.gov.in www.gov.kr
  `)("%s is a public body's", (host) => assert.isTrue(isOfficial(host)))

  it.each(["", ...looksAlike])("'%s' is not", (host) => assert.isFalse(isOfficial(host)))

  it.prop(
    "everything below a zone is, and nothing that only looks like it",
    { word: Schema.String.check(Schema.isPattern(/^w[a-z0-9]{0,12}x$/)) },
    ({ word }) => {
      for (const zone of samples) {
        const dashed = zone.replaceAll(".", "-")
        assert.isTrue(isOfficial(zone), zone)
        assert.isTrue(isOfficial(`${word}.${zone}`), zone)
        for (const end of anybodys) {
          for (
            const like of [`${zone}.${word}`, dashed, `${word}-${dashed}`, `${dashed}.${word}`]
          ) {
            assert.isFalse(isOfficial(`${like}.${end}`), `${like}.${end}`)
          }
        }
      }
    }
  )

  it("no kind of body counts where anyone may register it", () => {
    const kinds = ["gov", "gob", "gouv", "go", "govt", "mil", "gub", "bund", "parliament"]
    for (const kind of kinds) {
      for (const end of anybodys.filter((end) => `${kind}.${end}` !== "bund.de")) {
        assert.isFalse(isOfficial(`${kind}.${end}`), `${kind}.${end}`)
        assert.isFalse(isOfficial(`tax.${kind}.${end}`), `tax.${kind}.${end}`)
      }
    }
  })
})

const classesOf = (addresses: ReadonlyArray<string>) =>
  addresses.map((address) => {
    const { host, href } = new URL(`https://${address}`)
    return classFieldsOf({ host, href }).source_class ?? "none"
  }).join(" ")

it("a host has the class of who may register its name, and one that looks like it has none", () => {
  const alike = ["reuters.com.news.net", "notreuters.com", "harvard-edu.org", "gov-housing.com"]
  assert.strictEqual(
    classesOf(["law.harvard.edu", "bristol.ac.uk", "www.gov.uk", "www.reuters.com", ...alike]),
    "primary primary primary known none none none none"
  )
})

it("is known where an operator says so, but for what strangers publish there", () => {
  const sites = { known: ["desk.example", "wirtschaft.example"] }
  const found = ["www.desk.example/a", "mydesk.example/a", "desk.example/forum/a"]
  assert.deepStrictEqual(
    found.map((address) => {
      const { host, href } = new URL(`https://${address}`)
      return classFieldsOf({ host, href }, sites).source_class
    }),
    ["known", undefined, undefined]
  )
})

it("has no class where strangers publish", () => {
  assert.strictEqual(
    classesOf([
      "petition.parliament.uk/petitions/1",
      "forum.gov.pl/a",
      "www.mit.edu/~someone/law.html",
      "datatracker.ietf.org/doc/draft-someone-messaging/",
      "apnews.com/press-release/wire/new-limit",
      "clinicaltrials.gov/study/NCT1",
      "sites.psu.edu/somebody/law/",
      "tenants.edu.pl/law"
    ]),
    "none none none none none none none none"
  )
  assert.strictEqual(
    classesOf([
      "www.gov.uk/government/news/press-release",
      "apnews.com/article/new-limit",
      "members.parliament.uk/member/1",
      "www.rfc-editor.org/rfc/rfc9110"
    ]),
    "primary known primary primary"
  )
})
