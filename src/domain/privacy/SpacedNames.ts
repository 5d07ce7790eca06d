/**
 * Finds the names that an asker introduces, in languages with blanks between words.
 *
 * A name is known by what stands beside it: "my name is", a relation, a title, a greeting, the end
 * of a letter, an employer's "work at". What stands there must look like a name: capitals, or in a
 * text without capitals any word that is neither grammar nor a thing.
 */
import { employers } from "./Employers.ts"
import { addressed, signed } from "./LetterNames.ts"
import {
  doesSomething,
  isVerbal,
  nameAt,
  nameBefore,
  pastTitles,
  skip,
  smallSurname,
  wordSpans
} from "./NameReading.ts"
import {
  clauseAt,
  count,
  isOf,
  type Name,
  type PrivateText,
  type Span,
  wordsOf
} from "./PrivateText.ts"

/** Names in the language of the text, and in any other in which it introduces somebody. */
export const namesIn = (text: PrivateText): ReadonlyArray<Name> => [
  ...namesOf(text),
  ...text.others.flatMap((spaced) => namesOf({ ...text, spaced })),
  ...toldLater(text)
]

const capital = /(?<=[\p{L}\p{N},] )\p{Lu}[\p{Ll}][\p{L}'’-]*(?! ?-?\d| \p{Lu})/gu
const pronoun =
  /^\s*(?:(?:and |und |et |y |e )?(?:she|he|it|this|er|sie|es|das|il|elle|c'est|este|ela|ele|él|ella|asking)?(?:'s| is| ist| est| es| é|'re)?(?: for)? ?)$/u

const aged = /^ (?:is|ist|a|est|es|é|tem|tiene|ha|has)(?: \p{L}+)? \d/u
/** Words before a person in a question. */
const asPerson =
  /(?:^|\s)(?:can|could|should|may|might|for|to|give|is|does|will|kann|darf|soll|muss|für|bekommt|braucht|peut|doit|pour|à|donner|puede|debe|para|a|pode|deve|o|può|deve|per|можно|может)\s$|(?:miel|comer|tomar) $/u

/** "Can Lotte go? She is our daughter": the only name of the question is hers. */
const toldLater = (text: PrivateText): ReadonlyArray<Name> => {
  const isTold = text.clauses.some(({ end, isAsking, start }) => {
    const part = text.low.slice(start, end)
    const [owner] = part.matchAll(wordsOf(text.spaced, "my"))
    const [kin] = part.matchAll(wordsOf(text.spaced, "kin"))
    if (isAsking || owner === undefined || kin === undefined || kin.index < owner.index) {
      return false
    }
    const rest = part.slice(kin.index + kin[0].length)
    const lead = part.slice(0, owner.index)
    return pronoun.test(lead) && (lead.trim() !== "" || aged.test(rest)) && !/\p{Lu}/u.test(rest)
  })
  if (!isTold) return []
  const found = text.clauses.filter(({ isAsking }) => isAsking).flatMap(({ end, start }) =>
    Array.from(text.raw.slice(start, end).matchAll(capital), (match) => start + match.index)
      .flatMap((at) => nameAt(text, at, "capital"))
  ).filter(({ end, start }) =>
    !/ /u.test(text.raw.slice(start, end)) &&
    asPerson.test(text.low.slice(0, start))
  )
  const names = new Set(found.map(({ end, start }) => text.raw.slice(start, end)))
  return names.size <= 2 ? found.slice(-1) : []
}

const namesOf = (read: PrivateText): ReadonlyArray<Name> => {
  const own = introduced(read)
  const text = own.length > 0 ? { ...read, isOwn: true } : read
  return [...own, ...acquainted(text)]
}

const acquainted = (text: PrivateText): ReadonlyArray<Name> => [
  ...addressed(text),
  ...signed(text),
  ...(text.isOwn ? [...related(text), ...titled(text), ...employers(text)] : publicRelations(text))
]

const afterSelf =
  /^(?:\s*[:=,]\s*|\s+(?:is|ist|est|es|è|é|—|-)\s+|\s+)(?:(?:the|a|o|la|el|der|die|il) )?/u

const origin =
  /^,?\s+(?:from|of|at|von|vom|aus|bei|de|da|do|di|из|der|chez|del)\s+(?:the |la |der |dem )?/u

/** The introduction goes with the name. */
const ledBy = (names: ReadonlyArray<Name>, from: number): ReadonlyArray<Name> =>
  names.map((name) => ({ ...name, from }))

/** "My name is …", "I'm …, from …", "… here". */
const introduced = (text: PrivateText): ReadonlyArray<Name> => [
  ...wordSpans(text, "self").flatMap(({ end, start }) =>
    nameAt(text, skip(text, end, afterSelf), "any").flatMap((name) => [
      ...withOrigin(text, ledBy([name], start)),
      ...others(text, name.end, 3)
    ])
  ),
  ...wordSpans(text, "am").flatMap(({ end, start }) => {
    const at = skip(text, end, /^\s+(?:the |der |die |la |el |il |le |o |a )?/u)
    const isField = /na?me?|nom/u.test(text.low.slice(start, end))
    const [name] = nameAt(text, at, text.isSmall && !isField ? "any" : "capital")
    return name !== undefined && isSelf(text, start, name)
      ? withOrigin(text, ledBy([name], start))
      : []
  }),
  ...Array.from(
    text.low.matchAll(
      /,? (?:here|speaking|hier|aquí|ici|aqui|qui|на связи)(?=\s*(?:[.,!:;)\n]|$))/gu
    )
  )
    .flatMap(({ index }) => nameBefore(text, index, "start"))
]

const isSelf = (text: PrivateText, start: number, { end, start: from }: Span): boolean => {
  const name = text.raw.slice(from, end)
  const rest = text.low.slice(end, end + 24)
  const isFirm =
    /^(?:\s*[,.!;:)\n]|\s*$|,? (?:and|und|et|y|e|и) (?:i|ich|je|mi|my|meine?|trabajo|j'|arbeite|\p{Lu})| (?:here|from|aus|de|da|do|of|von|desde|du|vom|at|bei|chez|hier)(?!\p{L}))/u
      .test(rest)
  const isPeople =
    /(?:ian|ean|ish|ese|isch|ais|aise|ois|ano|ana|ista|ist|er|erin|in)$/u.test(name) &&
    name.length > 6
  const lead = text.low.slice(start, from)
  if (
    /^(?:it's|its|c'est|это|this is)/u.test(lead) &&
    !/(?:^|[.!?\n,] ?|salut |coucou |hi |hey )$/u.test(text.low.slice(0, start))
  ) {
    return false
  }
  if (field.test(lead)) {
    return name.includes(" ") && /(?:^|[.!?:;,\n(] ?)$/u.test(text.low.slice(0, start))
  }
  const opens = /^(?:(?:hi|hello|hey|bonjour|salut|coucou|hola|oi|olá|hallo|ciao)[ ,!]*)?$/u
    .test(text.low.slice(0, start))
  if (
    clauseAt(text, start)?.isAsking === true && !opens &&
    !/^(?:i|im|ich|soy|sou|sono|je|yo|eu|io|я)(?![\p{L}])|(?:na?me?n?|nom|nombre|nome) (?:d|v)/u
      .test(lead)
  ) {
    return false
  }
  return name.includes(" ") && !/^\p{Ll}/u.test(name) || isFirm && !isPeople ||
    / (?:a|o|der|die|la|el) $/u.test(lead) && /^\p{Lu}/u.test(name)
}

/** "Name Ada Fox": as on a form. */
const field = /^(?:full )?(?:name|nome|nombre|nom|имя|фио)\s/u

/** "Marta from Lidl": where they are from goes too, unless it is a place that all know. */
const withOrigin = (text: PrivateText, names: ReadonlyArray<Name>): ReadonlyArray<Name> =>
  names.flatMap((name) => {
    const from = origin.exec(text.low.slice(name.end, name.end + 24))?.[0]
    if (from === undefined) return [name]
    const at = name.end + from.length
    return [name, ...nameAt(text, at, text.isSmall ? "any" : "capital")]
  })

const toName =
  /^(?:(?:\s\p{L}+){0,2}[, ]+(?:a certain|un certain|une certaine|un tal|una tal|um tal|uma tal|ein gewisser|eine gewisse|un certo|una certa) |['’]s name is |['’]s called |\s*[,:(=]\s*|\s+)/u

const further = /^(?:,? (?:and|und|et|y|e|и|sowie)|,) /u

const age = /^\s*(?:\(\d{1,2}\)|, \d{1,2},)/u

/** "My husband Kenji", "our twins Noor and Sami", "Kenji, my husband". */
const related = (text: PrivateText): ReadonlyArray<Name> =>
  (["kin", "role"] as const).flatMap((field) =>
    wordSpans(text, field).flatMap(({ end, start }) => [
      ...housed(text, start, end),
      ...behindRelation(text, start, end),
      ...beforeRelation(text, start)
    ])
  )

/** "My boss at Pemberton's": the house of somebody whom one knows. */
const housed = (text: PrivateText, start: number, end: number): ReadonlyArray<Name> => {
  const lead = /^ (?:at|bei|chez|de chez|beim|from|of|da|na|do|del|de|von|en) (?:the |la )?/u
    .exec(text.low.slice(end, end + 16))?.[0]
  if (lead === undefined || !isOwned(text, start) && !isTelling(text, start)) return []
  return nameAt(text, end + lead.length, "capital")
}

const isTelling = (text: PrivateText, at: number): boolean => clauseAt(text, at)?.isAsking === false

const calledAt = (text: PrivateText, at: number): number => {
  const rest = text.low.slice(at, at + 30)
  const [found] = rest.matchAll(wordsOf(text.spaced, "called"))
  return found !== undefined && /^[\s,(]*$/u.test(rest.slice(0, found.index))
    ? at + found.index + found[0].length +
      (/^[\s:]+/u.exec(rest.slice(found.index + found[0].length))?.[0].length ?? 0)
    : at
}

const behindRelation = (text: PrivateText, start: number, end: number): ReadonlyArray<Name> => {
  const named = calledAt(text, end)
  const at = named > end ? named : skip(text, end, toName)
  if (at === end) return []
  const isMine = isOwned(text, start) || neighbours.test(text.low.slice(start, end))
  const isAsking = clauseAt(text, start)?.isAsking === true
  const form = named > end &&
      !/^[,(]? ?(?:der|die|den|dem|la|el|o|a|c'est) ?$/u.test(text.low.slice(end, named).trim())
    ? "any"
    : "capital"
  const isBoxed = /\($/u.test(text.low.slice(end, at)) && boxed.test(text.low.slice(at))
  const isSmallName = isBoxed || (text.isSmall || isMine && hasSurname(text, at)) &&
      (isMine || /,/.test(text.low.slice(end, at))) &&
      isDoing(text, at) &&
      (!/,/.test(text.low.slice(end, at)) || /^[\p{L}'’-]+\s*,/u.test(text.low.slice(at)))
  const names = nameAt(text, at, isSmallName ? "any" : form)
  const [first] = names
  if (first === undefined) return []
  if (isAsking && !isMine && !/ /u.test(text.raw.slice(first.start, first.end)) && named === end) {
    return []
  }
  const own = named > end ? { ...first, from: end } : first
  return [...withOrigin(text, [own]), ...others(text, first.end, 3)]
}

/** One word alone in brackets: "supervisor (jorunn)". */
const boxed = /^[\p{L}'’-]{3,}\)/u

const others = (text: PrivateText, end: number, left: number): ReadonlyArray<Name> => {
  const aged = end + (age.exec(text.low.slice(end, end + 8))?.[0].length ?? 0)
  const joint = further.exec(text.low.slice(aged, aged + 8))?.[0]
  if (joint === undefined || left === 0) return []
  const [name] = nameAt(text, aged + joint.length, "capital")
  if (name === undefined || joint === ", " && / /u.test(text.raw.slice(name.start, name.end))) {
    return []
  }
  return [name, ...others(text, name.end, left - 1)]
}

/** Two words without a capital before what the person does. */
const hasSurname = (text: PrivateText, at: number): boolean => {
  const first = /^[\p{Ll}'’-]{3,}/u.exec(text.raw.slice(at, at + 26))?.[0]
  return first !== undefined && !isVerbal(first, text) &&
    smallSurname(text, at + first.length) !== undefined
}

/** A word without a capital that something is said of, so that it may be a name. */
const isDoing = (text: PrivateText, at: number): boolean => {
  const rest = text.low.slice(at, at + 60)
  const next = /^[\p{L}'’-]+(\s*[,.;:!?)]|\s+([\p{L}'’]+)|\s*$)/u.exec(rest)
  if (next === null) return false
  const follower = next[2]
  return follower === undefined || hasSurname(text, at) ||
    doesSomething(follower, text) && !isVerbal(next[0].split(" ")[0] ?? "", text) ||
    isOf(text.spaced, "does", follower) ||
    /^(?:for|with|about|on|in|without|because|from|of|at|da|do|de|du|aus|von|vom|bei|chez|из|and|und|et|y|e|if|se|s'est|a|ha|hat|est|è|é|tem|um|who|que|qui|der)$|(?:ed|ou|eu|iu|ó)$/u
      .test(follower)
}

/** "my" and a few words before a relation, or a private person's genitive. */
const isOwned = (text: PrivateText, start: number): boolean => {
  const head = text.low.slice(Math.max(0, start - 32), start)
  const [...owners] = head.matchAll(wordsOf(text.spaced, "my"))
  const last = owners.at(-1)
  return last !== undefined &&
    /^(?:[\s'’s]+[\p{L}\d'’-]+){0,3}[\s-]*$/u.test(head.slice(last.index + last[0].length))
}

const aside =
  /(?:\s*[,(–—-]\s*|\s+(?:is|ist|est|es|è|é|это)\s+)(?:who is |who's |qui est |que es |der |die |das |la |el |le |il |o |a |an |the |one of )?$/u

const beforeRelation = (text: PrivateText, start: number): ReadonlyArray<Name> => {
  const head = text.low.slice(Math.max(0, start - 40), start)
  if (/['’]s? $/u.test(head) && isTelling(text, start)) {
    return nameBefore(text, start - (/['’]s? $/u.exec(head)?.[0].length ?? 0), "anywhere")
  }
  const owner = Array.from(head.matchAll(wordsOf(text.spaced, "my"))).at(-1)
  if (
    owner === undefined ||
    !/^\s+(?:[\p{L}\d-]+\s+){0,2}$/u.test(head.slice(owner.index + owner[0].length))
  ) return []
  const lead = aside.exec(head.slice(0, owner.index))?.[0]
  if (lead === undefined) return []
  const at = Math.max(0, start - 40) + owner.index - lead.length
  return nameBefore(text, at, "anywhere").filter(({ end, start: from }) => {
    const isAfterRelation = wordSpans(text, "kin").some((kin) =>
      kin.end + 1 >= from && kin.start < from
    )
    return !isAfterRelation && end > from
  })
}

/**
 * Names of public people behind a relation word: landlords, tenants and neighbours are somebody's
 * relations, and need not be the asker's.
 */
const publicRelations = (text: PrivateText): ReadonlyArray<Name> =>
  wordSpans(text, "kin").flatMap(({ end, start }) => {
    if (!neighbours.test(text.low.slice(start, end))) return []
    const at = skip(text, calledAt(text, end), /^\s*[,:(=]?\s*/u)
    const [name] = nameAt(text, at, "capital")
    if (name === undefined) return []
    const isDouble = / /u.test(text.raw.slice(name.start, name.end))
    const rest = text.low.slice(name.end, name.end + 24)
    return isDouble ||
        /^ (?:is|has|was|does|did|won['’]t|will|keeps?|refuses?|sues?|says?|said|wants?|owes?|plays?|threatens?|never|still|zahlt|hat|ist|verlangt|no|ne|não|non)(?!\p{L})/u
          .test(rest) ||
        pastTitles(text, at) > at
      ? [name]
      : []
  })

const neighbours =
  /^(?:landlord|landlady|tenants?|subtenant|neighbou?rs?|room-?mate|flat-?mate|housemate|co-?worker|colleague|ex-(?:wife|husband)|vermieter(?:in)?|mieter(?:in)?|nachbar(?:in|n)?|mitbewohner(?:in)?|propriétaire|locataire|voisine?|caser[oa]|inquilin[oa]|vecin[oa]|senhorio|vizinh[oa]|inquilin[oa]|сосед(?:ка)?|хозя(?:ин|йка)(?: квартиры)?)$/u

/** "Herr Kühn", "Dr. Orth": in a text of one's own, unless one asks about a work or a person. */
const titled = (text: PrivateText): ReadonlyArray<Name> =>
  wordSpans(text, "title").flatMap(({ end, start }) => {
    const at = skip(text, end, /^\.? /u)
    if (at === end || clauseAt(text, start)?.isAsking === true && !isBesideOwn(text, start)) {
      return []
    }
    const isWord = (["plain", "me", "my"] as const)
      .some((field) => isOf(text.spaced, field, text.low.slice(start, end)))
    if (isWord && !isTitleLike(text, start)) return []
    return nameAt(text, at, text.isSmall && !isWord ? "any" : "capital")
  })

/** "me", "los", "seu", "fr": titles that are words, too. */
const isTitleLike = (text: PrivateText, start: number): boolean =>
  /^\p{Lu}/u.test(text.raw.slice(start, start + 1))

const isBesideOwn = (text: PrivateText, start: number): boolean => {
  const clause = clauseAt(text, start)
  const part = text.low.slice(clause?.start ?? 0, clause?.end)
  return count(part, text.spaced, "my") > 0 &&
    (count(part, text.spaced, "kin") > 0 || count(part, text.spaced, "role") > 0)
}
