/** Finds employers, schools and the like, behind the words for being there. */
import { looksLikeNoun } from "./GermanNouns.ts"
import { cap, nameAt, particle, skip, wordSpans } from "./NameReading.ts"
import { clauseAt, isOf, type Name, type PrivateText, wordsOf } from "./PrivateText.ts"
import { isPublic } from "./PublicWords.ts"

const article =
  /^['’]?\s*(?:(?:at|bei|the|der|die|das|dem|den|la|le|les|el|il|lo|o|a|de|da|do|dos|des|du|di|called|named|is|heißt|ist|est|es)(?![\p{L}\p{N}])['’]?\s*|[,:«"“„]\s*|l['’]){0,3}/u

const employerShape = new RegExp(
  `(?:\\p{Lu}[\\p{L}\\d]*(?:['’&-][\\p{L}\\d]+)*|[\\d&]+(?= ?\\p{Lu}))(?:(?:(?<=(?<!\\p{L})(?:St|Sta|Ste|Dr|Mt))\\. | )(?:(?:${particle}|am|an|im|of|the) ){0,2}(?:${cap}|[&]+(?= ?\\p{Lu})))*`,
  "uy"
)

/** Employers, schools and the like: "work at …", "chez …", "meine Firma …". */
export const employers = (text: PrivateText): ReadonlyArray<Name> =>
  (["job", "org"] as const).flatMap((field) =>
    wordSpans(text, field).flatMap(({ end, start }) => {
      const clause = clauseAt(text, start)
      const lead = text.low.slice(start, end)
      const isPresent =
        /^(?:i |ich |je |yo |eu |я )?(?:work|arbeit|travaill|trabaj|trabalh|lavor|работ|bosse|employ|job|angestellt|studi|employé|chez)/u
          .test(lead)
      if (
        clause?.isAsking === true && opensWithAsk(text, clause.start) && field === "job" &&
        isPresent
      ) return []
      const at = skip(text, end, article)
      if (at === end && /[\p{L}]$/u.test(lead)) return []
      employerShape.lastIndex = at
      const found = employerShape.exec(text.raw)
      const words = found?.[0].split(" ") ?? []
      const [first = ""] = words
      if (
        found !== null && first !== "" && !isPublic(first) &&
        !isOf(text.spaced, "plain", first.toLowerCase()) &&
        !(text.spaced === "de" && words.length === 1 && looksLikeNoun(first) && field === "job" &&
          !/bei$/u.test(lead))
      ) {
        const name = employerOf(found[0], text)
        return [{ start: at, end: at + name.length }]
      }
      if (
        !text.isSmall || field === "org" ||
        /(?:^|\s)(?:a|an|ein|eine|einer|un|une|una|um|uma)\s/u.test(text.low.slice(end, at + 1))
      ) return []
      return nameAt(text, at, "any").filter((name) =>
        !/^(?:night|home|least|free|myself|noon|all|casa|noche|nuit)/u.test(
          text.low.slice(name.start)
        )
      )
    })
  )

/** A public word ends it: "SAP Deutschland" goes to "SAP". */
const employerOf = (found: string, { spaced }: PrivateText): string => {
  const words = found.split(" ")
  const end = words.findIndex((word, at) => at > 0 && isOf(spaced, "me", word.toLowerCase()))
  return (end === -1 ? words : words.slice(0, end)).join(" ").replace(/\.$/, "")
}

const opensWithAsk = (text: PrivateText, start: number): boolean => {
  const part = text.low.slice(start, start + 30).replace(/^[\s¿¡"]+/u, "")
  const [first] = part.matchAll(wordsOf(text.spaced, "ask"))
  return first?.index === 0
}
