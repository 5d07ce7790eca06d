/** Reads a name at a place of a text: capitals, or in a text without capitals any likely word. */
import { looksLikeNoun } from "./GermanNouns.ts"
import { isOf, type Name, type PrivateText, type Span, wordsOf } from "./PrivateText.ts"
import { isPublic, isPublicName } from "./PublicWords.ts"

/** Longest stretch before a mark in which a name is looked for. In UTF-16 code units. */
const beforeCharsMax = 60

export const cap = "\\p{Lu}[\\p{L}\\p{M}]*(?:['’-]\\p{L}[\\p{L}\\p{M}]*)*"

export const particle =
  "(?:van|von|vom|zu|zur|der|den|ter|ten|de|da|do|dos|das|del|della|dello|dal|di|du|la|las|los|le|bin|ben|al|el|e|y|und|and|et|&|d['’]|l['’])"

const part = `(?:(?:d['’])?(?:(?:\\p{Lu}|St|Sta|Dr|Ma|Fco|Jr)\\.|${cap}))`
/** "Dr de La Brosse": only behind a title. */
const noble =
  "(?:(?:van|von|vom|zu|der|den|ter|de|da|do|dos|das|del|della|di|du|la|le|bin|al|el) ){1,3}"

const nameShape = new RegExp(
  `["“„«'(]?(${part}(?:(?: |-)(?:${particle} ){0,2}${part}){0,4})`,
  "uy"
)

const nameBehind = new RegExp(`(${cap}\\.?(?: (?:${particle} ){0,2}${cap}){0,3})["”“»']?$`, "u")

const nobleShape = new RegExp(`${noble}(?=(?:d['’])?\\p{Lu})`, "uy")

const smallShape = /([\p{L}][\p{L}\p{M}'’-]{1,24})/uy

/** A name found, and who it belongs to is told elsewhere. */
type Case = "capital" | "any"

const isName = (name: string, text: PrivateText, at: number, raw: string): boolean => {
  const { spaced } = text
  const bare = name.replace(leadingParticles, "")
  const [first = "", second] = bare.split(/[\s]+/u)
  const low = first.toLowerCase().replace(/[.,]$/u, "")
  if (low.length < 2 && second === undefined) return false
  const isInitial = /^\p{Lu}\.$/u.test(first) && second !== undefined
  if (isPublic(name) || isPublicName(bare)) return false
  if (!isInitial && (isGrammar(low, spaced) || isGrammar(low, "en"))) return false
  if (/^\p{Lu}{2,4}$/u.test(name) && !/^\p{Lu}{2,} \p{Lu}/u.test(raw.slice(at, at + 12))) {
    return false
  }
  return spaced !== "de" || second !== undefined && !looksLikeNoun(second) || !looksLikeNoun(first)
}

const leadingParticles = new RegExp(`^(?:${particle} )+(?=\\p{Lu})`, "iu")
const isParticle = new RegExp(`^${particle}$`, "u")

const isGrammar = (low: string, language: PrivateText["spaced"]): boolean =>
  !months.has(low) && (["plain", "me", "kin", "role", "ask", "code"] as const)
    .some((field) => isOf(language, field, low))

/** Words that are given names, too. */
const months = new Set(["abril", "april", "june", "may", "august", "will"])

/** Removes the words behind a name that are none of it. */
const trimmed = (name: string, { spaced }: PrivateText): string => {
  const words = name.split(" ")
  const end = words.findIndex((word, at) => {
    const low = word.toLowerCase()
    if (at === 0 || isParticle.test(word)) return false
    return isPublic(word) && isParticle.test(words[at - 1] ?? "") || isOf(spaced, "plain", low) ||
      spaced === "de" && looksLikeNoun(word)
  })
  const kept = end === -1 ? words : words.slice(0, end)
  const last = kept.findLastIndex((word) => /^(?:[dl]['’])?\p{Lu}/u.test(word))
  return kept.slice(0, last + 1).join(" ")
}

/** The name that begins at the position, if one does; titles before it are passed over. */
export const nameAt = (text: PrivateText, at: number, form: Case): ReadonlyArray<Name> => {
  const from = pastTitles(text, at)
  nobleShape.lastIndex = from
  const lead = isBehindTitle(text, from) ? nobleShape.exec(text.raw)?.[0].length ?? 0 : 0
  nameShape.lastIndex = from + lead
  const found = nameShape.exec(text.raw)
  if (found !== null) {
    const start = from + lead + found[0].length - (found[1] ?? "").length
    const name = trimmed(found[1] ?? "", text)
    return name !== "" && isName(name, text, start, text.raw)
      ? [{ start: start - lead, end: start + name.length, from: at }]
      : []
  }
  if (form === "capital" && (from === at || !text.isSmall)) return []
  smallShape.lastIndex = from
  const small = smallShape.exec(text.low)?.[1]
  if (small === undefined || !isSmallName(small, text)) return []
  const end = from + small.length
  const more = smallSurname(text, end)
  return [{
    start: from,
    end: form === "any" && more !== undefined ? end + 1 + more.length : end,
    from: at
  }]
}

const closed = /^\s*(?:[\p{P}\p{S}\n]|$)| +\p{Lu}| (?:and|und|et|y|e|from|aus|de) /uy

/** A second word without a capital, before a mark or what the person does. */
export const smallSurname = (text: PrivateText, end: number): string | undefined => {
  const word = /^ (\p{Ll}+(?:['’-]\p{Ll}+)*)/u.exec(text.raw.slice(end, end + 26))?.[1]
  if (word === undefined || !isSmallName(word, text)) return undefined
  const behind = end + 1 + word.length
  closed.lastIndex = 0
  if (closed.test(text.raw.slice(behind))) return word
  const next = /^ ([\p{L}'’]+)/u.exec(text.low.slice(behind, behind + 24))?.[1]
  return next !== undefined && word.length > 2 && doesSomething(next, text) ? word : undefined
}

const verbal = { de: /(?<!ber|kur|hors|ger|erns|rgi)t$/u, ru: /(?:[еиую]т|[^и]ла|ется)$/u }

/** Whether the word could be what somebody does, so that no name stands between. */
export const isVerbal = (word: string, { spaced }: PrivateText): boolean =>
  (spaced === "de" || spaced === "ru") && verbal[spaced].test(word)

const copula = /^(?:is|was|ist|war|est|es|era|è|é|foi|a)$/u
const verbs = { de: /(?:[^s]t|te|ten)$/u, en: /(?:[^s]s|ed)$/u, ru: /(?:[еиую]т|л|ла|лась|лся)$/u }

/** A verb in the third person that a person before it is likely to do. */
export const doesSomething = (word: string, { spaced }: PrivateText): boolean =>
  !copula.test(word) && (isOf(spaced, "does", word) ||
    (spaced === "de" || spaced === "en" || spaced === "ru") && verbs[spaced].test(word))

export const pastTitles = (text: PrivateText, at: number): number => {
  const found = /^(?:([\p{L}.]{1,14})\.? ){1,2}/u.exec(text.low.slice(at, at + 32))
  if (found === null) return at
  const words = found[0].trim().split(" ")
  const titles = words.findIndex((word) => !isTitle(word, text))
  const taken = titles === -1 ? words : words.slice(0, titles)
  return at + taken.reduce((sum, word) => sum + word.length + 1, 0)
}

const isBehindTitle = (text: PrivateText, at: number): boolean => {
  const before = /([\p{L}]{1,14})\.? $/u.exec(text.low.slice(Math.max(0, at - 17), at))?.[1]
  return before !== undefined && isTitle(before, text)
}

const isTitle = (word: string, { spaced }: PrivateText): boolean =>
  isOf(spaced, "title", word.replace(/\.$/, ""))

/**
 * Whether a word can be a name in a text without capitals: it is no grammar, no relation and no
 * ending of a verb.
 */
const isSmallName = (word: string, { spaced }: PrivateText): boolean =>
  word.length > 1 && !isPublic(word) &&
  !(["plain", "me", "kin", "role", "does", "ask", "code", "org", "place", "called"] as const)
    .some((field) => isOf(spaced, field, word)) &&
  !/(?:ing|tion|ment|ness|ed|ou|eu|iu|ó|ava|aba|ait)$/u.test(word) && !small.has(word)

const small = new Set(
  ("ate bit hit broke threw drank drove fell felt found gave grew heard knew lost meant met put ran " +
    "read saw sold sent sat slept spent stood stole taught thought tore went wrote came became began " +
    "brought bought built caught chose cut let eats drinks barks snores come bebe toma duerme llega " +
    "hace manda faz dorme chega fica mangia beve prende dorme russa mange boit prend dort arrive " +
    "gagne exige touche reçoit mord aboie kaum gerne oft immer wieder nicht mehr viel zu " +
    "only really finally recently currently usually actually suddenly probably already possibly " +
    "doctor tired sick pregnant married single new moving living working back going born years old " +
    "right wrong sorry sure ready looking trying really happy late allowed able afraid worried " +
    "student nurse wants needs won keeps told said does makes made got get refuses left died " +
    "never always often just soon recently currently sometimes works lives owes pays paid school " +
    "birthday passport visa deposit insurance food house car job name age health rights account " +
    "muy mal bien enferma enfermo embarazada casado casada soltero tiene quiere no se esta está " +
    "malade enceinte seul ici là veut peut travaille habite paye veux grávida doente casada aqui " +
    "quer está tem foi krank schwanger müde hier neu alleine meint sagt will hat ist war kriegt " +
    "sta malato vuole non болен ест не у хочет был").split(" ")
)

export const wordSpans = (
  text: PrivateText,
  field: Parameters<typeof wordsOf>[1]
): ReadonlyArray<Span> =>
  Array.from(text.low.matchAll(wordsOf(text.spaced, field)), (match) => ({
    start: match.index,
    end: match.index + match[0].length
  }))

export const skip = (text: PrivateText, at: number, between: RegExp): number =>
  at + (between.exec(text.low.slice(at, at + 40))?.[0].length ?? 0)

/** The name that ends at the position. */
export const nameBefore = (
  text: PrivateText,
  at: number,
  place: "start" | "anywhere"
): ReadonlyArray<Name> => {
  const head = text.raw.slice(Math.max(0, at - beforeCharsMax), at)
  const found = nameBehind.exec(head)?.[1]
  if (found === undefined) return []
  const words = found.split(" ")
  const from = words.findIndex((word) => {
    const low = word.toLowerCase()
    return /^\p{Lu}/u.test(word) && !isOf(text.spaced, "plain", low) && !isPublic(word) &&
      !isOf(text.spaced, "greet", low)
  })
  if (from === -1) return []
  const name = words.slice(from).join(" ")
  if (name.split(" ").some(isPublic)) return []
  const end = at - (head.length - head.lastIndexOf(found) - found.length)
  const start = end - name.length
  const isFit = place === "anywhere" || /(?:^|[.!?,\n] ?|\p{Ll} ?)$/u.test(text.raw.slice(0, start))
  return isFit && isName(name, text, start, text.raw) ? [{ start, end }] : []
}
