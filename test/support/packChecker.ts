/** The reader's own check of a pack, sharing no code with what built it. */
import type { Claim, GroundingPack } from "../../src/domain/pack/GroundingPack.ts"
import type { Page } from "../../src/domain/page/Page.ts"

/** A scheme with nothing after it is a word: `data: 5` is no link. */
const addressPattern = /(?:[a-z][a-z0-9+.-]*:\/\/|www\.|javascript:|data:|mailto:)[^\s"'<>)\]]+/gi

export const standingClaims = (pack: GroundingPack): ReadonlyArray<Claim> => [
  ...pack.key_points,
  ...pack.norms_and_expectations,
  ...pack.constraints_and_rules
]

/** One sentence for each promise the pack breaks; empty for a sound pack. */
export const brokenPromises = (
  pack: GroundingPack,
  pages: ReadonlyArray<Page>
): ReadonlyArray<string> => {
  const standing = standingClaims(pack)
  return [
    ...standing.flatMap((claim) => brokenByClaim(claim, pages)),
    ...standing.flatMap(({ confidence, text }) => confidence < 0.3 ? [`too unsure: ${text}`] : []),
    ...pack.disputed_or_uncertain.flatMap((claim) => [
      ...brokenQuotes(claim, pages),
      ...(claim.reason === undefined ? [`disputed without a reason: ${claim.text}`] : [])
    ]),
    ...orders(pack),
    ...askedSecrets(pack),
    ...foreignAddresses(pack, pages),
    ...brokenNumbers(pack, standing)
  ]
}

/** Words of an order to a model, in the languages of the drafts that the tests make up. */
const order =
  /\b(?:ignore|disregard) (?:all|any|the|your) |system prompt|\[\/?INST\]|<\|\w|모든 지시/i
/** Words of what a page might want to learn from a user, in the same languages. */
const secret = /pass(?:word|code)|\bpin\b|credit card|비밀번호|暗証番号/i

/** No claim speaks to the model that reads the pack, disputed or not. */
const orders = (pack: GroundingPack): ReadonlyArray<string> =>
  [...standingClaims(pack), ...pack.disputed_or_uncertain].flatMap(({ text }) =>
    order.test(text) ? [`a prompt injection: ${text}`] : []
  )

/** No page asks the user for a secret, or gives a model an order, in the caller's name. */
const askedSecrets = ({ what_to_ask_user }: GroundingPack): ReadonlyArray<string> =>
  what_to_ask_user.flatMap(({ q, why }) =>
    [secret, order].some((pattern) => pattern.test(`${q} ${why}`)) ? [`asks for: ${q}`] : []
  )

/** Figures of supported claims that none of their quotations holds, read off letter by letter. */
export const inventedNumbers = (pack: GroundingPack): ReadonlyArray<string> =>
  standingClaims(pack).flatMap(({ sources, support, text }) => {
    if (support !== "supported") return []
    const figures = (words: string) => words.normalize("NFKC").replace(/,(?=\d{3})/g, "")
    const quoted = figures(sources.flatMap(({ quotes }) => quotes.map((one) => one.text)).join(" "))
    return (figures(text).match(/\d+/g) ?? []).filter((number) => !quoted.includes(number))
  })

const brokenByClaim = (claim: Claim, pages: ReadonlyArray<Page>): ReadonlyArray<string> => [
  ...(claim.sources.length === 0 ? [`no source: ${claim.text}`] : []),
  ...(claim.sources.some(({ quotes }) => quotes.length === 0)
    ? [`no quotation: ${claim.text}`]
    : []),
  ...(claim.reason === undefined ? [] : [`stands with a reason: ${claim.text}`]),
  ...brokenQuotes(claim, pages)
]

const brokenQuotes = (claim: Claim, pages: ReadonlyArray<Page>): ReadonlyArray<string> =>
  claim.sources.flatMap((source) => {
    const page = pages.find(({ source_id }) => source_id === source.source_id)
    if (page === undefined) return [`forged source ${source.source_id}`]
    if (page.url !== source.url || page.text_sha256 !== source.text_sha256) {
      return [`changed ${page.url}`]
    }
    return source.quotes.flatMap(({ end, start, text }) => {
      const isThere = text !== "" && page.text.slice(start, end) === text
      const isWhole = page.chunks.some((chunk) => chunk.start <= start && end <= chunk.end)
      return isThere && isWhole ? [] : [`not at its offsets: ${text}`]
    })
  })

const foreignAddresses = (
  pack: GroundingPack,
  pages: ReadonlyArray<Page>
): ReadonlyArray<string> => {
  const known = new Set(pages.map(({ url }) => url))
  return textsOf(pack).flatMap((text) => {
    const found = [
      ...text.matchAll(addressPattern),
      ...text.normalize("NFKC").matchAll(addressPattern)
    ]
    return found.filter(([address]) => !known.has(address)).map(([address]) =>
      `foreign address ${address}`
    )
  })
}

const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)])
}

const brokenNumbers = (
  pack: GroundingPack,
  standing: ReadonlyArray<Claim>
): ReadonlyArray<string> => {
  const confidences = [
    pack.confidence,
    ...[...standing, ...pack.disputed_or_uncertain].map((claim) => claim.confidence)
  ]
  const isEmpty = standing.length + pack.disputed_or_uncertain.length === 0
  return [
    ...confidences.filter((value) => !(value >= 0 && value <= 1)).map((value) =>
      `confidence ${value}`
    ),
    ...(isEmpty === (pack.confidence === 0) ? [] : ["confidence 0 exactly when nothing is claimed"])
  ]
}
