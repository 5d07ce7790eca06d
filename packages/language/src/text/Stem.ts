/** Porter's suffix stripping for English words (M. F. Porter, 1980). Other words pass unchanged. */

/** Longer "words" are ids or broken text; they pass unchanged. */
const wordCharsMax = 40

const c = "[^aeiou][^aeiouy]*"
const v = "[aeiouy][aeiou]*"
const hasOneTurn = new RegExp(`^(?:${c})?${v}${c}`)
const hasExactlyOneTurn = new RegExp(`^(?:${c})?${v}${c}(?:${v})?$`)
const hasTwoTurns = new RegExp(`^(?:${c})?${v}${c}${v}${c}`)
const hasVowel = new RegExp(`^(?:${c})?[aeiouy]`)
const isShort = new RegExp(`^${c}[aeiouy][^aeiouwxy]$`)
const endsDouble = /([^aeiouylsz])\1$/

/** Endings in their order, each with what stands in its place. */
const endingsOf = (list: string): ReadonlyArray<readonly [ending: string, instead: string]> =>
  list.split(/,\s*/).map((pair) => {
    const [ending = "", instead = ""] = pair.split(" ")
    return [ending, instead]
  })
const endings = endingsOf(`ational ate,tional tion,enci ence,anci ance,izer ize,bli ble,alli al,
  entli ent,eli e,ousli ous,ization ize,ation ate,ator ate,alism al,iveness ive,fulness ful,
  ousness ous,aliti al,iviti ive,biliti ble,logi log`)
const laterEndings = endingsOf("icate ic,ative,alize al,iciti ic,ical ic,ful,ness")
const lastEnding =
  /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/

/** Texts repeat their words: what was worked out is kept for a while. No answer depends on it. */
const known = new Map<string, string>()
const knownMax = 20_000

export const stem = (word: string): string => {
  if (word.length < 3 || word.length > wordCharsMax) return word
  const kept = known.get(word)
  if (kept !== undefined) return kept
  const stemmed = /^[a-z]+$/.test(word) ? stripped(word) : word
  if (known.size >= knownMax) known.clear()
  known.set(word, stemmed)
  return stemmed
}

const stripped = (word: string): string => {
  const replaced = replace(laterEndings)(replace(endings)(yToI(pastAndGerund(plural(word)))))
  return finalE(dropLast(replaced))
}

const plural = (word: string): string => {
  if (/(?:ss|i)es$/.test(word)) return word.slice(0, -2)
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word
}

const pastAndGerund = (word: string): string => {
  if (word.endsWith("eed")) return hasOneTurn.test(word.slice(0, -3)) ? word.slice(0, -1) : word
  const root = /^(.*)(?:ed|ing)$/.exec(word)?.[1]
  if (root === undefined || !hasVowel.test(root)) return word
  if (/(?:at|bl|iz)$/.test(root)) return `${root}e`
  if (endsDouble.test(root)) return root.slice(0, -1)
  return isShort.test(root) ? `${root}e` : root
}

const yToI = (word: string): string =>
  word.endsWith("y") && hasVowel.test(word.slice(0, -1)) ? `${word.slice(0, -1)}i` : word

const replace = (pairs: ReadonlyArray<readonly [string, string]>) => (word: string): string => {
  const pair = pairs.find(([ending]) => word.endsWith(ending))
  if (pair === undefined) return word
  const root = word.slice(0, -pair[0].length)
  return hasOneTurn.test(root) ? root + pair[1] : word
}

const dropLast = (word: string): string => {
  const root = lastEnding.exec(word)?.[1] ?? /^(.+[st])ion$/.exec(word)?.[1]
  return root !== undefined && hasTwoTurns.test(root) ? root : word
}

const finalE = (word: string): string => {
  const root = word.slice(0, -1)
  const drops = word.endsWith("e") &&
    (hasTwoTurns.test(root) || (hasExactlyOneTurn.test(root) && !isShort.test(root)))
  const rest = drops ? root : word
  return rest.endsWith("ll") && hasTwoTurns.test(rest) ? rest.slice(0, -1) : rest
}
