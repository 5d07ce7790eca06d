/** Chooses what of the asker's own statements goes although nothing named it. */
import { looksLikeNoun } from "./GermanNouns.ts"
import {
  blanked,
  type Clause,
  count,
  isOf,
  type PrivateText,
  type Span,
  wordsOf
} from "./PrivateText.ts"
import { isPublic } from "./PublicWords.ts"

/** Spans that go: unknown capitals of private statements, and clauses that said only who one is. */
export const privateSpans = (
  text: PrivateText,
  secrets: ReadonlyArray<Span>,
  isMarked: boolean
): ReadonlyArray<Span> => {
  const statements = text.clauses.filter(({ isAsking }) => !isAsking)
  const isPrivate = text.isOwn && (isMarked || secrets.length > 0 || isTold(text))
  const unknown = text.isOwn ? statements.flatMap((clause) => unknownIn(text, clause)) : []
  const capitals = unknown.filter(({ start }) =>
    isPrivate || houses.test(text.raw.slice(Math.max(0, start - 24), start))
  )
  const gone = [...secrets, ...capitals]
  const hasQuestion = text.clauses.some(({ isAsking }) => isAsking)
  const empty = statements.filter((clause) =>
    gone.some(({ end, start }) => start < clause.end && clause.start < end) &&
    !saysMore(text, clause, gone)
  )
  return [...capitals, ...(hasQuestion || isPrivate ? empty : [])]
}

/** Words before an employer or a person rather than a thing. */
const houses = /(?<!\p{L})(?:at|bei|chez|by|for|für|pour|para|per)\s+(?:\p{Lu}[\p{L}'’-]+\s+)*$/u

/** Whether it tells of people, where a word with a capital may be one of them. */
const isTold = ({ low, spaced, unspaced }: PrivateText): boolean =>
  unspaced === undefined &&
  (["kin", "role", "self"] as const).some((field) => count(low, spaced, field) > 0)

const capital = /(?<![\p{L}\p{N}'’])\p{Lu}[\p{L}\p{M}]*(?:['’-][\p{L}\p{M}]+)*/gu
const place =
  /(?:^|[\s(])(?:in|from|to|near|around|visit|visiting|nach|aus|um|en|à|au|aux|em|no|na|в|во|на|из|a|de|da|do|di)\s+(?:\p{Lu}[\p{L}-]+ )?$/iu

const unknownIn = (text: PrivateText, clause: Clause): ReadonlyArray<Span> =>
  Array.from(text.raw.slice(clause.start, clause.end).matchAll(capital))
    .reduce<ReadonlyArray<Span>>((found, match) => {
      const start = clause.start + match.index
      const end = start + match[0].length
      const before = text.raw.slice(clause.start, start)
      const isNext = text.spaced !== "de" && isPublic(match[0]) && found.at(-1)?.end === start - 1
      return isNext || !isOpen(match[0], before, text, start, end)
        ? [...found, { start, end }]
        : found
    }, [])

const isOpen = (
  word: string,
  before: string,
  text: PrivateText,
  start: number,
  end: number
): boolean => {
  const { raw, spaced, unspaced } = text
  const low = word.toLowerCase()
  if (illness.test(raw.slice(end)) || illness.test(` ${word}`) || named.test(before)) return true
  const near = [before.split(/\s/).at(-2) ?? "", /^ (\p{L}+)/u.exec(raw.slice(end))?.[1] ?? ""]
  if (/^\p{Lu}{1,5}s?$/u.test(word) || isPublic(word) || isAsked(word, text)) return true
  if (isPublic(`${near[0]} ${word}`) || isPublic(`${word} ${near[1]}`)) return true
  if (/^ ?-?\p{Lu}{0,3}\d/u.test(raw.slice(end, end + 6)) || /\d[ -]?$/u.test(before)) return true
  if (unspaced !== undefined) return false
  if (isOf(spaced, "plain", low) || isOf(spaced, "me", low)) return true
  if (
    (["kin", "role", "title", "code", "greet", "sign", "ask"] as const).some((field) =>
      isOf(spaced, field, low)
    )
  ) {
    return true
  }
  const isShortened = /(?<!\p{L})(?:\p{L}|St|Dr|Mr|Mrs|Ms|Sta|Prof)\. ?$/u.test(raw.slice(0, start))
  const opens = !isShortened &&
      /(?:^|[.!?:…\n]["»”)]?\s*|^[\s"“„«(¿¡—–-]+)$/u.test(raw.slice(0, start)) ||
    before.trim() === "" && !/[,(]\s*$/u.test(raw.slice(0, start))
  if (
    likes.test(before) && !(count(before, spaced, "my") > 0 && count(before, spaced, "called") > 0)
  ) return true
  if (mine.test(before)) return true
  if (opens) return !doesNext(text, end)
  const isAtWork = works.test(before)
  if (place.test(before) && spaced !== "de" && !isAtWork) return true
  if (spaced === "de" && /(?:^|\s)(?:in|nach|aus)\s+$/u.test(before)) return true
  return spaced === "de" && isGermanNoun(word, before)
}

/** "Crohn's Disease", "maladie de Charcot": called after somebody. */
const illness =
  /^(?:['’]s)?(?:[ -]\p{Lu}[\p{L}'’-]+)?[ -](?:[Dd]isease|[Ss]yndrome?|[Dd]isorder|[Cc]ancer|[Vv]irus|[Vv]accine|[Tt]est|[Kk]rankheit|[Ss]yndrom|[Ii]mpfung)(?!\p{L})/u
/** "morbus Crohn", "IG Metall", "FC Porto". */
const named =
  /(?:^|\s)(?:morbus|maladie d[eu’']|síndrome de|enfermedad de|mal de|doença de|sindrome di|morbo di|malattia di|syndrome d[eu’']|IG|FC|AC|AS|SC|SV|TSV|VfB|VfL|CF|UD|RB)\s?(?:\p{Lu}[\p{L}-]+[ -])?$/u

/** A word that the question asks about leaves with it anyway. */
const isAsked = (word: string, { clauses, raw }: PrivateText): boolean =>
  clauses.some(({ end, isAsking, start }) =>
    isAsking && raw.slice(start, end).split(/[^\p{L}'’-]+/u).includes(word)
  )

/** A thing of one's own: people have a relation between. */
const mine =
  /(?:^|\s)(?:my|our|mein\p{Ll}{0,2}|unser\p{Ll}{0,2}|mon|ma|mes|notre|mi|mis|nuestr[oa]|meu|minha|nosso|nossa|mio|mia|мой|моя|моё)\s+(?:\p{Lu}{2,4} )?$/iu

/** Verbs whose object is a thing or somebody in public, and articles before a thing. */
const likes =
  /(?:^|[\s'])(?:finished|flew with|sync with|take|takes|taking|prescribed|prescribed me|recommends?|recommended|mentioned|diagnosed with|nehme|nimmt|prend|prends|tomo|toma|tomando|recetó|recetan?|recomiend[ae]n?|recomendó|recomenda(?:m|ram)?|recommandent?|empfiehlt|empfohlen|consigliano?|receitou|prescrit|love|loves|like|likes|adore|adores|watch|watching|watched|read|reading|buy|buying|bought|use|using|install|play|playing|see|listen to|fan of|fans of|flying with|fly with|prefer|want|ordered|own|an?|new|used|liebe|liebt|mag|schaue|lese|kaufe|kaufen|gekauft|spielt|spiele|höre|fan von|fliege mit|einen?|eine|adore|aime|regarde|lis|cherche|acheter|une?|recette de|voir|écoute|fan de|encanta|gusta|leer|ver a|ver|comprar|compré|uno?|una|amo|ama|gosto de|gosta de|adora|ler|uma?|fã de|guardare|leggere|ascolto|comprare|люблю|любит|смотрю|купил|купила|купить)(?: the| die| der| das| den| el| la| le| les| o| a| os| as| il| lo)?(?: \p{Lu}[\p{L}’'-]+| \p{Ll}{2,4}){0,2} +(?:\p{Lu}[\p{L}’'-]+ )?$/iu
/** "worked 30 years at": what stands behind is no town. */
const works =
  /(?:^|\s)(?:work|arbeit|gearbeit|angestellt|travaill|boss|trabaj|trabalh|lavor|работ|employ|empleo|emprego|contrat|demitid|despedid|fired|hired|laid)\p{L}*(?:\s[\p{L}\d]+){0,4}\s+$/u

const determiner =
  /(?:^|\s)(?:der|die|das|den|dem|des|ein\p{L}*|kein\p{L}*|mein\p{L}*|unser\p{L}*|ihr\p{L}*|sein\p{L}*|im|am|zum|zur|vom|ins|\p{Ll}{3,}(?:en|er|es|em|e)|\d+|zwei|drei|vier|fünf|viel|mehr|hat|habe|in|nach|aus|ohne|wegen)\s+$/u

const isGermanNoun = (word: string, before: string): boolean =>
  looksLikeNoun(word) || determiner.test(before) && !/(?:^|\s)(?:\p{Lu}[\p{L}-]+)\s+$/u.test(before)

const doesNext = ({ low, spaced }: PrivateText, end: number): boolean => {
  const rest = low.slice(end, end + 24)
  const [next] = rest.matchAll(wordsOf(spaced, "does"))
  return next !== undefined && /^(?:['’]s)?\s+$/u.test(rest.slice(0, next.index))
}

const scaffold = [
  "plain",
  "me",
  "self",
  "am",
  "called",
  "title",
  "code",
  "pass",
  "home",
  "born",
  "greet",
  "sign",
  "place",
  "does"
] as const
const filler =
  /^(?:live|living|reach|contact|call|write|reachable|find|erreichbar|wohne|wohnhaft|habite|vivo|moro|abito|whatsapp|mail|e-mail|email|correo|year|years|old|jahre|alt|ans|años|anos|anni|лет|number|von|here|hier|signed|call)$/u

/** Whether the clause says anything beside who and where somebody is. */
const saysMore = (text: PrivateText, clause: Clause, gone: ReadonlyArray<Span>): boolean => {
  const rest = blanked(text.low, clause, gone)
  const language = text.unspaced ?? text.spaced
  const bare = scaffold.reduce((left, field) => left.replace(wordsOf(language, field), " "), rest)
  if (text.unspaced !== undefined) {
    const said = bare.replace(
      /입니다|이에요|예요|이고|인데|합니다|에서|です|ます|申し|いい|言い/gu,
      " "
    )
    return (said.match(/\p{L}/gu) ?? []).length > 3
  }
  return (bare.match(/\p{L}{3,}/gu) ?? []).some((word) => !filler.test(word))
}
