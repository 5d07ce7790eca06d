/**
 * Work on a stranger's text grows at most as n log n. CPU time of a text is held against that of one four
 * times as long: linear work takes four to five times as much, quadratic work sixteen times.
 */
import { assert, describe, it } from "@effect/vitest"
import * as ChatAnswer from "@web-grounding/dialects/ChatAnswer"
import * as WrittenJson from "@web-grounding/dialects/WrittenJson"
import * as AnswerSlot from "@web-grounding/language/AnswerSlot"
import * as Chunking from "@web-grounding/language/Chunking"
import * as Disguise from "@web-grounding/language/Disguise"
import * as InjectionFlag from "@web-grounding/language/InjectionFlag"
import * as KeySentences from "@web-grounding/language/KeySentences"
import * as Languages from "@web-grounding/language/Languages"
import * as NeedScore from "@web-grounding/language/NeedScore"
import * as PassageWords from "@web-grounding/language/PassageWords"
import { passagesOf, poolOf } from "@web-grounding/language/PassageWords"
import * as Quantities from "@web-grounding/language/Quantities"
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import * as QuestionTerms from "@web-grounding/language/QuestionTerms"
import * as QuotedPassage from "@web-grounding/language/QuotedPassage"
import * as Relevance from "@web-grounding/language/Relevance"
import * as Sameness from "@web-grounding/language/Sameness"
import * as Sentences from "@web-grounding/language/Sentences"
import * as Words from "@web-grounding/language/Words"
import { DateTime, Option } from "effect"
import { isoDate } from "../../packages/dialects/src/Dialect.ts"
import * as DuckDuckGo from "../../packages/dialects/src/DuckDuckGo.ts"
import { dayOf } from "../../packages/dialects/src/SerpApi.ts"
import { tokensOf } from "../../packages/language/src/privacy/NameTokens.ts"
import { readText } from "../../packages/language/src/privacy/PrivateText.ts"
import { readConverted } from "../../packages/pages/src/DocumentReading.ts"
import { markdownBlocks } from "../../packages/pages/src/Markdown.ts"
import { dateOf } from "../../packages/pages/src/PageFacts.ts"
import { noPageOf } from "../../packages/pages/src/PageGate.ts"
import { parseTarget } from "../../packages/safe-fetch/src/Network.ts"
import * as RobotsRules from "../../packages/safe-fetch/src/RobotsRules.ts"
import * as ChatPackWriter from "../../src/adapters/openai/ChatPackWriter.ts"
import * as NeedRules from "../../src/domain/need/NeedRules.ts"
import * as ConfidenceFeatures from "../../src/domain/pack/ConfidenceFeatures.ts"
import * as Contradiction from "../../src/domain/pack/Contradiction.ts"
import * as PackAssembly from "../../src/domain/pack/PackAssembly.ts"
import * as TopicSentences from "../../src/domain/pack/TopicSentences.ts"
import * as Page from "../../src/domain/page/Page.ts"
import * as PlanRules from "../../src/domain/plan/PlanRules.ts"
import type { QueryPlan, StopCondition } from "../../src/domain/plan/QueryPlan.ts"
import * as Fit from "../../src/domain/research/Fit.ts"
import * as OutlineFindings from "../../src/domain/research/OutlineFindings.ts"
import * as TopicExtraction from "../../src/domain/research/TopicExtraction.ts"
import * as StoreKnowledge from "../../src/domain/retrieval/StoreKnowledge.ts"
import * as FoundPage from "../../src/domain/search/FoundPage.ts"
import * as WebAddress from "../../src/domain/search/WebAddress.ts"
import * as NextStep from "../../src/domain/session/NextStep.ts"
import { chunksOfDocument } from "../../src/domain/store/DocumentChunking.ts"
import * as EvidenceBlock from "../../src/domain/view/EvidenceBlock.ts"
import * as RetryAfter from "../../src/infrastructure/RetryAfter.ts"
import { claimOf, materialsOf, needOf, pageOf } from "../support/evidencePages.ts"
import { cpuMsOf } from "../support/machine.ts"
import { hit, requestOf } from "../support/sessionFacts.ts"

const full = process.env["WG_TEST_FULL"] === "1"
/** What the full form repeats besides: pieces that patterns look for. */
const furtherUnits = [
  ..."?.-=,#\u3000\u200b\u0301가ひ中",
  ...["A'", "Mr. ", "A. ", "A b ", "1,", "1. ", "- ", "[...]", "[a](", "<a ", "a@b.", "www.a."],
  ...["http://a.b/", "€1 ", "1 January ", "12:00 ", "I am ", "my name is A ", "A of ", "{\"a\":"],
  "α; "
]
/** CPU time from which a text is long enough to be measured, in milliseconds. */
const measuredMs = 1
/** Lengths that are measured begin here. Of short texts, and in the full form, it is the longest. */
const lengthMin = 500
const shortMax = 8_000
/** Linear work grows by 4, n log n by less than 6 and quadratic work by 16. */
const growthMax = 11
const triesMax = 6

interface Reading {
  readonly read: (text: string) => unknown
  readonly textOf: (chars: number, from: number) => string
  readonly charsMax: number
}

const repeated = (unit: string) => (chars: number) =>
  unit.repeat(Math.ceil(chars / unit.length)).slice(0, chars)

/** Text of so many characters; `from` gives each text words of its own. */
const shapes: Readonly<Record<string, Reading["textOf"]>> = {
  blanks: repeated(" "),
  "one letter": repeated("a"),
  "distinct numbers": (chars, from) =>
    Array.from({ length: Math.ceil(chars / 8) }, (_, place) => 1_000_000 + from * 3_000 + place)
      .join(" ").slice(0, chars),
  "1%": repeated("1%"),
  brackets: repeated("([<"),
  emoji: repeated("👨‍👩‍👧🙂"),
  quotes: repeated("\"'“"),
  newlines: repeated("\n"),
  "short sentences": (chars, from) =>
    repeated(
      Array.from({ length: 50 }, (_, place) => `In Halvern run ${from + place} trams. `).join("")
    )(chars),
  ...(full ? Object.fromEntries(furtherUnits.map((unit) => [unit, repeated(unit)])) : {})
}

const question = "How much notice must a tenant give in Halvern in 2026?"
const pageChars = 200_000
const materialChars = 1_000_000
const passageChars = 4_000
const snippetChars = 8_000
const claimChars = 600
const requestChars = 2_000
const headerChars = 16_384

const now = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
const pageWith = (text: string, place = 1) =>
  pageOf(text, {
    source_id: `s${place}`,
    site: `s${place}.example`,
    reader: "web",
    chunks: Chunking.chunksOfText(text)
  })
const chunksIn = (text: string) => Page.chunksOf([pageWith(text)])
const passagesIn = (text: string) => passagesOf(chunksIn(text))
const hitsOf = (content: string) =>
  Array.from(
    { length: 5 },
    (_, place) => hit(`https://s${place}.example/`, { content: `${place} ${content}` })
  )
const sourceOf = (text: string) => ({
  url: "https://one.example/",
  title: question,
  site: "one.example",
  official: false,
  text,
  headings: []
})
const agree: StopCondition = { _tag: "N_REPUTABLE_SOURCES_AGREE", count: 2 }
const planWith = (phrase: string): QueryPlan => ({
  queries: [question, phrase],
  must_have_evidence: [phrase],
  stop_conditions: [agree]
})

/** Every pure function that reads what a stranger wrote, with the longest text that it is given. */
const readers: ReadonlyArray<
  readonly [name: string, charsMax: number, read: (text: string) => unknown]
> = [
  ["robots.txt", 500_000, (text) => RobotsRules.rulesOf(`user-agent: *\nallow: /${text}`, "us")],
  [
    "robots.txt of many rules",
    500_000,
    (text) =>
      RobotsRules.rulesOf(`user-agent: *\n${text.replaceAll(/.{1,9}/g, "allow: /$&\n")}`, "us")
  ],
  [
    "an address against robots.txt",
    2_000,
    (text) =>
      RobotsRules.isAllowed(
        RobotsRules.rulesOf("user-agent: *\nallow: /*a*1*%*b\n", "us") ?? [],
        `/${text}`
      )
  ],
  ["an address", 2_048, (text) => parseTarget(`https://one.example/${text}`)],
  ["WebAddress", 2_048, (text) => WebAddress.canonical(`https://one.example/${text}`)],
  ["Retry-After", headerChars, (text) => RetryAfter.millis(text, now)],
  ["dates", headerChars, (text) => [dateOf(text), dayOf(text, now), isoDate(text)]],
  ["gate of a page", 3_000, (text) => noPageOf({ text: `Subscribe. ${text}` })],
  ["Markdown code", 400_000, (text) => markdownBlocks(`\t${text}!`)],
  ["Markdown", 400_000, readConverted],
  [
    "DuckDuckGo",
    1_000_000,
    (text) => DuckDuckGo.readPage(`<html><div id="links">${text}</div></html>`)
  ],
  ["a model's answer", 400_000, ChatAnswer.readAnswer],
  ["a model's JSON", 400_000, WrittenJson.objectsIn],

  ["Sentences.split", materialChars, Sentences.split],
  ["Sentences.clean", materialChars, Sentences.clean],
  ["Sentences.proseOf", snippetChars, (text) => Sentences.proseOf(text, snippetChars, () => false)],
  ["Sentences.hasLink", snippetChars, Sentences.hasLink],
  ["Sentences.cutAt", materialChars, (text) => Sentences.cutAt(text, text.length / 2)],
  ["Words.words", pageChars, Words.words],
  ["Words.terms", pageChars, Words.terms],
  ["Words.nameTerms", pageChars, Words.nameTerms],
  [
    "Words.nameTerms, wide blanks",
    pageChars,
    (text) => Words.nameTerms(`a${"\u3000".repeat(text.length)}b`)
  ],
  ["Words.shinglesOf", pageChars, Words.shinglesOf],
  [
    "Languages",
    pageChars,
    (text) => [Languages.languageOf(text), Languages.isNegated(text), Languages.withoutAsking(text)]
  ],
  ["Languages.withDigits", pageChars, Languages.withDigits],
  ["Disguise", requestChars, Disguise.readings],
  ["Quantities", pageChars, (text) => Quantities.quantities(text)],
  [
    "Quantities.missingFrom",
    claimChars,
    (text) => [Quantities.missingFrom(text, question), Quantities.missingFrom(question, text)]
  ],
  ["InjectionFlag.isSuspicious", pageChars, InjectionFlag.isSuspicious],
  ["InjectionFlag.suspiciousSpans", pageChars, InjectionFlag.suspiciousSpans],
  ["InjectionFlag.escaped", pageChars, (text) => InjectionFlag.escaped(text, "0".repeat(32))],
  ["privacy, a text", 4_000, readText],
  ["privacy, tokens", 4_000, tokensOf],
  ["QueryPrivacy.strip", 4_000, QueryPrivacy.strip],
  ["QueryPrivacy.isOpen", 4_000, QueryPrivacy.isOpen],
  ["NeedScore", requestChars, (text) => NeedScore.decideNeedSearch(text)],
  [
    "QuestionTerms",
    requestChars,
    (text) => [
      QuestionTerms.askingPart(text),
      QuestionTerms.askedThings(text),
      QuestionTerms.kindOf(text)
    ]
  ],
  [
    "QuestionTerms.isOther",
    claimChars,
    (text) =>
      QuestionTerms.isOther(QuestionTerms.askedThings(question), text, {
        heading: text,
        text,
        title: text
      })
  ],
  ["QuestionTerms.countriesIn", pageChars, QuestionTerms.countriesIn],
  [
    "AnswerSlot",
    claimChars,
    (text) => [AnswerSlot.answersIn(question, text), AnswerSlot.answersIn(text, text)]
  ],

  ["Chunking.chunksOfText", materialChars, (text) => Chunking.chunksOfText(text)],
  [
    "Chunking.chunksOfText, marks",
    materialChars,
    (text) => Chunking.chunksOfText(`a${"\u0301".repeat(text.length)}`)
  ],
  ["Chunking.chunksOfSnippet", snippetChars, Chunking.chunksOfSnippet],
  [
    "Chunking.isOfSources",
    claimChars,
    (text) => Chunking.isOfSources(`Notice ${text}. ${text}`, [pageWith(text)])
  ],
  ["Chunking.speaksOfUser", snippetChars, Chunking.speaksOfUser],
  ["DocumentChunking", materialChars, chunksOfDocument],
  ["PassageWords.poolOf", pageChars, (text) => poolOf(passagesIn(text))],
  ["Relevance.scores", pageChars, (text) => Relevance.scores(question, passagesIn(text))],
  ["PassageWords.scores", requestChars, (text) => PassageWords.scores(text, [` ${text} `])],
  [
    "Relevance.scores, a long question",
    requestChars,
    (text) => Relevance.scores(text, passagesIn(text))
  ],
  ["KeySentences.select", pageChars, (text) => KeySentences.select(question, passagesIn(text), 8)],
  [
    "TopicSentences.select",
    pageChars,
    (text) => TopicSentences.select(question, passagesIn(text), 8)
  ],
  [
    "QuotedPassage.find",
    pageChars,
    (text) => QuotedPassage.locate(text, Chunking.chunksOfText(text), text.slice(-400))
  ],
  [
    "QuotedPassage.find, another's words",
    pageChars,
    (text) => QuotedPassage.locate(text, Chunking.chunksOfText(text), question)
  ],
  [
    "QuotedPassage.find, a long quotation",
    requestChars,
    (text) => QuotedPassage.locate(`${text} a ${text}`, Chunking.chunksOfText(text), `${text} b`)
  ],
  [
    "QuotedPassage.nearest",
    pageChars,
    (text) =>
      QuotedPassage.nearest(
        QuotedPassage.searchable(text, Chunking.chunksOfText(text)),
        `${text.slice(-300)} x`
      )
  ],
  [
    "QuotedPassage.passageAround",
    passageChars,
    (text) =>
      QuotedPassage.passageAround(QuotedPassage.readable(text, { start: 0, end: text.length }), {
        start: 0,
        end: Math.min(40, text.length)
      })
  ],
  ["QuotedPassage.shown", snippetChars, QuotedPassage.shown],
  ["Sameness", claimChars, (text) => [
    Sameness.isSameSubject(question, text, `x ${text}`),
    Sameness.mayMeanTheSame(question, text, `x ${text}`),
    Sameness.haveSameNumber(text, `x ${text}`),
    Sameness.haveDifferentNumbers(text, `x ${text}`),
    Sameness.isDenied(text, `x ${text}`),
    Sameness.isOfOtherTime(text, `x ${text}`),
    Sameness.isAlike(text, `x ${text}`),
    Sameness.isAlikeButForNames(text, `x ${text}`),
    Sameness.find(text, [`x ${text}`], "en")
  ]],
  ["Contradiction", claimChars, (text) => [
    Contradiction.contradict(question, text, `x ${text}`),
    Contradiction.disagreement(question, text, `x ${text}`)
  ]],

  ["FoundPage.hitsOf", 100_000, (text) =>
    FoundPage.hitsOf(
      [Option.some({ url: "https://one.example/", title: text, content: text })],
      { hitsMax: 1, includeDomains: [], excludeDomains: [] },
      { provider: "tavily", siteOf: (host) => host }
    )],
  ["a page's title", 500, (text) => Page.clean(text, "https://one.example/")],
  [
    "NextStep.isSatisfied",
    snippetChars,
    (text) => NextStep.isSatisfied(planWith("notice"), hitsOf(text), question)
  ],
  [
    "NextStep.isSatisfied, of figures",
    snippetChars,
    (text) =>
      NextStep.isSatisfied(
        planWith("notice"),
        hitsOf(
          `${question} ${text}`.replaceAll(
            /.{250}/gs,
            "$&. A tenant must give notice in Halvern in 2026 "
          )
        ),
        question
      )
  ],
  [
    "NeedRules.decide",
    requestChars,
    (text) =>
      NeedRules.decide(
        requestOf({
          topic: `a${text}`.slice(0, requestChars).toWellFormed(),
          user_question: `b${text}`.slice(0, requestChars).toWellFormed()
        })
      )
  ],
  [
    "PlanRules.plan",
    requestChars,
    (text) =>
      PlanRules.plan(
        requestOf({
          topic: `a${text}`.slice(0, requestChars).toWellFormed(),
          known_facts: [`c${text}`.slice(0, 1_000).toWellFormed()]
        }),
        needOf("USER_ASKED"),
        2026
      )
  ],
  [
    "PlanRules.check",
    requestChars,
    (text) =>
      PlanRules.check(
        planWith(text),
        requestOf({ known_facts: [`c${text}`.slice(0, 1_000).toWellFormed()] }),
        needOf("USER_ASKED")
      )
  ],
  [
    "StoreKnowledge",
    16_000,
    (text) => StoreKnowledge.measure(question, [pageWith(text)])
  ],
  [
    "ConfidenceFeatures.readingOf",
    pageChars,
    (text) => ConfidenceFeatures.readingOf(question, [pageWith(text), pageWith(`x ${text}`, 2)])
  ],
  ["PackAssembly, the page", pageChars, (text) =>
    PackAssembly.assemble(materialsOf({
      pages: [pageWith(`${question} ${text}`), pageWith(`${text} ${question}`, 2)],
      claims: [claimOf(question, { s1: question, s2: question })]
    }))],
  ["PackAssembly, the draft", claimChars, (text) =>
    PackAssembly.assemble(materialsOf({
      pages: [pageWith(`${question} ${text}`), pageWith(`${text} ${question}`, 2)],
      draft: {
        claims: [claimOf(text, { s1: text, s2: text }), claimOf(`x ${text}`, { s1: `x ${text}` })],
        what_to_ask_user: [{ q: text, why: text }]
      }
    }))],
  [
    "ChatPackWriter",
    pageChars,
    (text) =>
      ChatPackWriter.shownOf({
        chunks: chunksIn(text).slice(0, 12),
        boundary: "0".repeat(32),
        question
      })
  ],
  ["EvidenceBlock", pageChars, (text) =>
    EvidenceBlock.build({
      boundary: "0".repeat(32),
      charsMax: 1_400,
      excerpts: EvidenceBlock.select({
        boundary: "0".repeat(32),
        charsMax: 1_400,
        chunks: chunksIn(text),
        question,
        pack: PackAssembly.assemble(materialsOf({
          pages: [pageWith(`${question} ${text}`)],
          claims: [claimOf(question, { s1: question })]
        }))
      })
    })],
  [
    "TopicExtraction",
    pageChars,
    (text) => TopicExtraction.draftOf(question, [sourceOf(`${question} ${text}`)])
  ],
  ["Fit", pageChars, (text) => Fit.fitOf(question, [sourceOf(`${question} ${text}`)])],
  ["OutlineFindings", pageChars, (text) =>
    OutlineFindings.checkedOutline(question, {
      modules: [{
        title: question,
        description: question,
        support: [{ source: 1, quote: question }]
      }],
      outcomes: [{ text: question, source: 1, quote: question }]
    }, [{
      type: "external",
      title: question,
      url: "https://one.example/",
      text: `${text} ${question}`
    }])]
]

let texts = 0

/** Least CPU time in milliseconds of so many runs, each on a text that nothing is remembered of. */
const leastMs = ({ charsMax: _, read, textOf }: Reading, chars: number, runs: number): number =>
  Math.min(...Array.from({ length: runs }, () => {
    texts += 1
    const text = `${texts} ${textOf(chars, texts)}`
    return cpuMsOf(() => read(text))
  }))

/** How much more a text four times as long costs, of a length from which that can be measured. */
const growthOf = (reading: Reading, runs: number): number => {
  const isLongest = full || reading.charsMax <= shortMax
  for (
    let chars = isLongest ? reading.charsMax : lengthMin;
    chars <= reading.charsMax;
    chars *= 4
  ) {
    const long = leastMs(reading, chars, runs)
    if (long < measuredMs) continue
    return long / Math.max(leastMs(reading, chars / 4, 6 * runs), measuredMs / 16)
  }
  // All that is ever read costs too little to be measured.
  return 0
}

/** Measured again where the machine may have been busy with something else. */
const grows = (reading: Reading): boolean => {
  for (let tries = 1; tries <= triesMax; tries++) {
    if (growthOf(reading, tries) <= growthMax) return false
  }
  return true
}

describe("work on a stranger's text", () => {
  it.each(readers)("grows at most as n log n: %s", (_, charsMax, read) => {
    read(question)
    const grown = Object.entries(shapes)
      .filter(([, textOf]) => grows({ charsMax, read, textOf }))
    assert.deepStrictEqual(grown.map(([shape]) => shape), [])
  })

  it("ends however many different numbers pages hold", () => {
    const numbers = Array.from(
      { length: 140_000 },
      (_, place) => `${1_000_000 + place}${place % 100 === 0 ? " notice" : ""}`
    ).join(" ")
    assert.isNotEmpty(Relevance.scores(question, passagesIn(numbers)))
  })

  it("is seen to grow where each position is compared with all others", () => {
    const read = (text: string) => {
      let same = 0
      for (let one = 0; one < text.length; one++) {
        for (let other = 0; other < one; other++) {
          if (text.charCodeAt(one) === text.charCodeAt(other)) same += 1
        }
      }
      return same
    }
    const reading = { charsMax: shortMax, read, textOf: repeated("a") }
    assert.isTrue([1, 2, 3, 4].some(() => grows(reading)))
  })
})
