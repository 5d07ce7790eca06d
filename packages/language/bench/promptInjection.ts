/**
 * What the detector of planted instructions sees and what it takes for one by mistake.
 *
 * Prints one line a language and a kind of attack, then one line a set of ordinary texts. Many of
 * the attacks are plain questions that only their place makes hostile: no detector of words can see
 * those, and what slips through is still only quoted data.
 *
 * The forms were written after reading what was missed in every second row, counted from the first:
 * the other half ("unread") is what to expect of attacks of this kind.
 */
import { Schema } from "effect"
import { suspiciousSpans } from "../src/injection/InjectionFlag.ts"
import { sentences } from "../src/text/Sentences.ts"
import { jsonLines, namesIn, share, wholeText } from "./jsonLines.ts"

const folder = "prompt_injection/dev"
const pageChars = 3_000

const Attack = Schema.Struct({
  user_input: Schema.String,
  injection_type: Schema.String,
  injection_variant: Schema.String,
  speaking_language: Schema.String
})
const Order = Schema.Struct({ kind: Schema.String, instruction: Schema.String })
const Passage = Schema.Struct({ text: Schema.String })
const Article = Schema.Struct({
  paragraphs: Schema.Array(Schema.Struct({ context: Schema.String }))
})
const Premise = Schema.Struct({ premise: Schema.String })
const Turn = Schema.Struct({ contexts: Schema.Array(Passage) })
const Context = Schema.Struct({
  context: Schema.Union([Schema.String, Schema.Array(Schema.String)])
})
const Search = Schema.Struct({
  search_result: Schema.Array(Schema.Struct({ text: Schema.optionalKey(Schema.String) }))
})

const isSeen = (text: string): boolean => suspiciousSpans(text).length > 0

const attacks = [
  "cyberseceval_prompt_injection",
  "cyberseceval_prompt_injection_multilingual"
].flatMap((name) =>
  jsonLines(`${folder}/${name}.jsonl`, Attack)
    .map((attack, place) => ({ ...attack, half: place % 2 === 0 ? "read" : "unread" }))
)

const report = (title: string, keyOf: (attack: (typeof attacks)[number]) => string) => {
  const groups = Map.groupBy(attacks, keyOf)
  for (const [key, group] of Array.from(groups).toSorted(([a], [b]) => a.localeCompare(b))) {
    const seen = group.filter(({ user_input }) => isSeen(user_input)).length
    console.log(`seen  ${title} ${key.padEnd(32)} ${share(seen, group.length)}`)
  }
}
report("language", ({ speaking_language }) => speaking_language)
report("language and half", ({ half, speaking_language }) => `${speaking_language} ${half}`)
report("language and way", (attack) => `${attack.speaking_language} ${attack.injection_type}`)
report("kind", ({ injection_variant }) => injection_variant)

const orders = jsonLines(`${folder}/bipia_attacks.jsonl`, Order)
  .map((order, place) => ({ ...order, half: place % 2 === 0 ? "read" : "unread" }))
for (const [key, group] of Map.groupBy(orders, ({ half, kind }) => `${kind} ${half}`)) {
  const seen = group.filter(({ instruction }) => isSeen(instruction)).length
  console.log(`seen  bare orders (BIPIA) ${key.padEnd(20)} ${share(seen, group.length)}`)
}

const contexts = jsonLines(`${folder}/bipia_contexts.jsonl`, Context)
  .map(({ context }) => typeof context === "string" ? context : context.join("\n"))

/** Attacks that are seen alone, put into ordinary texts: does the place matter? */
const plain = attacks.filter(({ user_input }) => isSeen(user_input) && user_input.length < 400)
for (const place of ["start", "middle", "end"] as const) {
  const planted = plain.map(({ user_input }, index) => {
    const text = contexts[index % contexts.length] ?? ""
    const cut = text.indexOf("\n", Math.floor(text.length / 2))
    const middle = cut < 0 ? text.length : cut
    if (place === "start") return `${user_input}\n${text}`
    if (place === "end") return `${text}\n${user_input}`
    return `${text.slice(0, middle)}\n${user_input}\n${text.slice(middle)}`
  })
  console.log(
    `seen  planted at the ${place} ${share(planted.filter(isSeen).length, planted.length)}`
  )
}

const pagesOf = (text: string): ReadonlyArray<string> =>
  Array.from(
    { length: Math.ceil(text.length / pageChars) },
    (_, place) => text.slice(place * pageChars, (place + 1) * pageChars)
  )

const ordinary: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
  ["e-mails, tables, code (BIPIA)", contexts],
  ...namesIn("chunking_eval/shared").map((name) =>
    [`corpus ${name}`, pagesOf(wholeText(`chunking_eval/shared/${name}`))] as const
  ),
  [
    "news pages (RealTimeQA)",
    namesIn("search_and_pages/dev").filter((name) => name.startsWith("realtimeqa"))
      .flatMap((name) => jsonLines(`search_and_pages/dev/${name}`, Search))
      .flatMap((row) => row.search_result.flatMap(({ text }) => text ?? []))
  ],
  [
    "forum, handbooks (MTRAG)",
    Array.from(
      new Set(
        jsonLines("grounded_answering/dev/mtrag_human_eval.jsonl.gz", Turn)
          .flatMap((turn) => turn.contexts.map(({ text }) => text))
      )
    )
  ],
  [
    "Korean (KorQuAD)",
    jsonLines("passage_retrieval/dev/korquad_v1_dev.articles.jsonl", Article)
      .flatMap(({ paragraphs }) => paragraphs.map(({ context }) => context))
  ],
  ...[["Korean (KLUE)", "klue_nli_ko"], ["Japanese (JNLI)", "jnli_ja"]].map(([name, file]) =>
    [
      name ?? "",
      jsonLines(`attribution/dev/${file}.jsonl`, Premise).map(({ premise }) => premise)
    ] as const
  ),
  ...[["Japanese (JSQuAD)", "jsquad-ja"], ["Chinese (XQuAD)", "xquad-zh"]].map(([name, file]) =>
    [
      name ?? "",
      jsonLines(`passage_retrieval/dev/${file}.passages.jsonl`, Passage).map(({ text }) => text)
    ] as const
  )
]
for (const [name, texts] of ordinary) {
  const spans = texts.map((text) => suspiciousSpans(text).length)
  const flagged = spans.reduce((sum, count) => sum + count, 0)
  const all = texts.reduce((sum, text) => sum + sentences(text).length, 0)
  const pages = spans.filter((count) => count > 0).length
  console.log(
    `false ${name.padEnd(32)} pages ${share(pages, texts.length)} sentences ${share(flagged, all)}`
  )
}

const timed = ordinary.flatMap(([, texts]) => texts)
const charsCount = timed.reduce((sum, text) => sum + text.length, 0)
const startedAt = performance.now()
timed.forEach(isSeen)
console.log(
  `cost  ${
    ((performance.now() - startedAt) / charsCount * 10_000).toFixed(2)
  } ms for 10,000 characters`
)
