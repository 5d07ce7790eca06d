import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { decideNeedSearch } from "../../packages/language/src/gate/NeedScore.ts"
import { decide } from "../../src/domain/need/NeedRules.ts"
import * as ReasonCodes from "../../src/domain/need/ReasonCodes.ts"
import { type ReasonCode, SearchNeed } from "../../src/domain/need/ReasonCodes.ts"
import type { GroundingRequest } from "../../src/domain/request/GroundingRequest.ts"
import { requestWith } from "../support/groundingRequest.ts"

const needOf = (question: string) => decide(requestWith({ user_question: question })).search

const searches: ReadonlyArray<readonly [question: string, among: ReasonCode]> = [
  // The trigger examples of the first design.
  ["What is the etiquette for exchanging business cards in Japan?", "CULTURE_NORMS"],
  ["Is it the custom to tip in Italy?", "CULTURE_NORMS"],
  ["What are the social norms at a Korean dinner table?", "CULTURE_NORMS"],
  ["Is it legal to record a phone call in California?", "POLICY_LEGAL"],
  ["What tenant rights do I have when the heating breaks?", "POLICY_LEGAL"],
  ["How long is the notice period for a flat?", "POLICY_LEGAL"],
  ["What is the current interest rate of the Bank of Japan?", "TIME_SENSITIVE"],
  ["What is the latest version of Android?", "TIME_SENSITIVE"],
  ["What is the typical market rent in Lisbon?", "COMMON_PRACTICE"],
  ["What changed in the tax brackets for 2025?", "TIME_SENSITIVE"],
  ["What does the Renters Reform Act say about pets?", "NICHE_ENTITY"],
  ["What does the Renters Reform Act say about pets?", "POLICY_LEGAL"],
  // Other kinds of asking.
  ["Who is the CEO of Siemens?", "TIME_SENSITIVE"],
  ["how do people usually split the bill on a first date", "COMMON_PRACTICE"],
  ["Could you cite official sources on jet lag?", "USER_ASKED"],
  ["mexico travel alerts", "TIME_SENSITIVE"],
  ["What is the treatment for a perianal abscess?", "COMMON_PRACTICE"],
  // Korean and Japanese.
  ["일본에서 명함은 어떻게 주고받나요?", "CULTURE_NORMS"],
  ["전세 보증금을 못 받으면 법적으로 어떻게 해야 하나요?", "POLICY_LEGAL"],
  ["올해 최저임금이 얼마예요?", "TIME_SENSITIVE"],
  ["한국의 현재 대통령은 누구인가요?", "TIME_SENSITIVE"],
  ["결혼식 축의금은 보통 얼마가 적당해요?", "CULTURE_NORMS"],
  ["日本でチップを渡すのは失礼ですか", "CULTURE_NORMS"],
  ["賃貸の解約は何か月前に伝える必要がありますか？", "POLICY_LEGAL"],
  ["今の日本の首相は誰ですか", "TIME_SENSITIVE"],
  ["最新のiPhoneの値段はいくらですか", "TIME_SENSITIVE"],
  // Others, with less understanding.
  ["Quel est le préavis pour un bail en France ?", "POLICY_LEGAL"],
  ["Wer ist der aktuelle Bundeskanzler?", "TIME_SENSITIVE"],
  ["谁是现任美国总统？", "TIME_SENSITIVE"]
]

const skips: ReadonlyArray<string> = [
  "Hi there!",
  "thanks a lot",
  "How are you?",
  "What is your name?",
  "I feel so lonely today",
  "Write a poem about autumn in Kyoto",
  "Can you help me write an email to my boss asking for a day off?",
  "Pretend to be a pirate. How would you greet your crew?",
  "Act as a strict interviewer",
  "Rewrite this sentence to be more polite:\nGive me the report.",
  "Summarize the following text.\nThe quick brown fox jumps over the lazy dog.",
  "Implement a Python function that reverses a linked list.",
  "What is 17 * 23?",
  "12 + 30 / 2",
  "Tom has 12 apples. He gives 5 to Ann and buys twice as many. How many apples has he now?",
  "If a train travels 60 miles in 2 hours, how many miles does it travel in 5 hours?",
  "Set an alarm for 7 am",
  "what is my account balance",
  "add milk to my shopping list",
  "how do you say good night in spanish",
  "tell me a joke",
  "안녕하세요",
  "너는 이름이 뭐야?",
  "봄에 대한 시를 써 줘",
  "이 문장을 영어로 번역해 주세요",
  "철수는 사과 5개가 있고 영희에게 2개를 주었습니다. 남은 사과는 모두 몇 개일까요?",
  "7시에 알람 맞춰 줘",
  "こんにちは",
  "春についての俳句を作ってください",
  "この文章を英語に翻訳してください",
  "感謝のメールを書いてください"
]

describe("need rules", () => {
  it("have an example of every reason for a search", () => {
    const shown = new Set<string>(searches.map(([, reason]) => reason))
    assert.deepStrictEqual(ReasonCodes.forSearch.filter((reason) => !shown.has(reason)), [])
  })

  it.each(searches)("searches for: %s (%s)", (question, among) => {
    const need = needOf(question)
    assert.isTrue(need.need_search)
    assert.include(need.reason_codes, among)
    assert.isAtLeast(need.max_queries, 1)
  })

  it.each(skips)("does not search for: %s", (question) => {
    const need = needOf(question)
    assert.isFalse(need.need_search)
    assert.deepStrictEqual(need.reason_codes, ["PERSONAL_OR_CREATIVE"])
    assert.strictEqual(need.max_queries, 0)
  })

  it("names the strongest reason first", () => {
    assert.strictEqual(
      needOf("Is it legal for my landlord to raise the rent under the lease?").reason_codes[0],
      "POLICY_LEGAL"
    )
    assert.strictEqual(needOf("Is tipping rude in Japan?").reason_codes[0], "CULTURE_NORMS")
    assert.strictEqual(needOf("What's the weather in Seoul now?").reason_codes[0], "TIME_SENSITIVE")
  })

  it("grants law and custom a second query, and a user who asks one more", () => {
    assert.strictEqual(needOf("Who wrote Orientalism?").max_queries, 1)
    assert.strictEqual(needOf("Is it legal to sublet?").max_queries, 2)
    const asked = requestWith({
      user_question: "Is it legal to sublet?",
      user_asked_for_facts: true
    })
    assert.strictEqual(decide(asked).search.max_queries, 3)
  })

  it("searches whatever the user asks facts for", () => {
    const asked = requestWith({ user_question: "And you?", user_asked_for_facts: true })
    const need = decide(asked).search
    assert.isTrue(need.need_search)
    assert.strictEqual(need.reason_codes[0], "USER_ASKED")
  })

  it.each([
    "Thanks, that was very helpful!",
    "Thank you so much for your help. Have a nice day!",
    "Hello there",
    "Vielen Dank, das war sehr hilfreich!",
    "Merci beaucoup pour votre aide !",
    "Muchas gracias, muy amable",
    "감사합니다, 정말 도움이 되었어요!",
    "ありがとうございます。とても助かりました！",
    "谢谢，很有帮助！",
    "👍 ?!"
  ])("searches for no thanks, whoever says that facts were asked for: %s", (user_question) => {
    const need = decide(requestWith({ user_question, user_asked_for_facts: true })).search
    assert.isFalse(need.need_search)
    assert.deepStrictEqual(need.reason_codes, ["PERSONAL_OR_CREATIVE"])
  })

  it.each([
    "What is 17 * 23?",
    "Write a poem about the sea.",
    "hi, how are you?",
    "Write a Python function that reverses a list"
  ])(
    "searches for nothing where the text at hand is enough, whoever asked: %s",
    (user_question) => {
      assert.isFalse(
        decide(requestWith({ user_question, user_asked_for_facts: true })).search.need_search
      )
    }
  )

  it.each([
    "Thanks! And the notice period in Japan?",
    "Thank you notes in Japan",
    "Hello Kitty",
    "Thanks, what is the weather like",
    "Tell me about Good Friday"
  ])("searches where thanks stand beside a matter: %s", (user_question) => {
    assert.isTrue(
      decide(requestWith({ user_question, user_asked_for_facts: true })).search.need_search
    )
  })

  it("stays within what the caller fixes", () => {
    const fixed = (max_queries: number) =>
      decide(requestWith({
        user_question: "Is it legal to sublet in Berlin?",
        user_asked_for_facts: true,
        overrides: {
          max_queries,
          search_depth: "advanced",
          topic: "news",
          include_domains: [],
          exclude_domains: []
        }
      })).search
    assert.strictEqual(fixed(1).max_queries, 1)
    assert.strictEqual(fixed(1).search_depth, "advanced")
    assert.strictEqual(fixed(1).topic, "news")
    assert.isFalse(fixed(0).need_search)
    assert.strictEqual(fixed(0).max_queries, 0)
  })

  it("never asks for an advanced search by itself", () => {
    assert.strictEqual(needOf("Is it legal to sublet in Berlin?").search_depth, "basic")
  })

  it("distinguishes finance and news from general matters", () => {
    assert.strictEqual(needOf("What is Tesla's stock price today?").topic, "finance")
    assert.strictEqual(needOf("What news was announced yesterday in Gaza?").topic, "news")
    assert.strictEqual(needOf("What does the Inflation Reduction Act regulate?").topic, "general")
    assert.strictEqual(needOf("오늘 환율이 얼마예요?").topic, "finance")
  })
})

describe("known facts", () => {
  const question = "How long is the notice period for tenants in Berlin?"
  const knowing = (fact: string, changes: Partial<GroundingRequest> = {}) =>
    decide(requestWith({ user_question: question, known_facts: [fact], ...changes })).search
  const full = "The notice period for tenants in Berlin is three months."

  it("spare the search when one of them answers", () => {
    assert.deepStrictEqual(knowing(full).reason_codes, ["KNOWN_ENOUGH"])
    assert.isFalse(knowing(full).need_search)
  })

  it.each([
    "The user rents a flat in Berlin.",
    "The notice period for tenants in Berlin is unknown.",
    "The notice period for tenants in Berlin matters to the user.",
    "What is the notice period for tenants in Berlin, 3 months?",
    "The notice period in Munich is three months."
  ])("do not spare it when they only touch the matter: %s", (fact) => {
    assert.isTrue(knowing(fact).need_search)
  })

  it("do not spare it when the user asks for facts, nor when the answer changes", () => {
    assert.isTrue(knowing(full, { user_asked_for_facts: true }).need_search)
    assert.isTrue(
      decide(requestWith({
        user_question: "Who is the current president of France?",
        known_facts: ["The current president of France is Emmanuel Macron."]
      })).search.need_search
    )
  })
})

describe("a follow-up", () => {
  it("is read with its topic", () => {
    const need = decide(requestWith({
      topic: "Tipping etiquette in restaurants in Tokyo",
      user_question: "and in Osaka?"
    })).search
    assert.strictEqual(need.reason_codes[0], "CULTURE_NORMS")
  })
})

describe("a session's setup", () => {
  it("needs facts when its subject is law or custom of a place", () => {
    const setup = requestWith({
      phase: "session_setup",
      topic: "The user wants to practise asking a landlord for repairs",
      region: { country: "DE" },
      unknown_required_slots: ["notice_period"]
    })
    assert.isTrue(decide(setup).search.need_search)
  })

  it("needs none to practise small talk", () => {
    const setup = requestWith({
      phase: "session_setup",
      topic: "The user wants to practise small talk with a new neighbour"
    })
    assert.isFalse(decide(setup).search.need_search)
  })
})

describe("volatility", () => {
  it.each([
    ["Who won the latest NBA championship?", "When did the Berlin Wall fall?"],
    ["How old is Donald Trump?", "Who painted The Starry Night?"],
    ["What is the current price of gold?", "What is the capital of Costa Rica?"],
    ["현재 한국 대통령은 누구인가요?", "한글은 누가 만들었나요?"],
    ["今の日本の首相は誰ですか", "日本の首都はどこですか"],
    // "Was" and "die" are no past and no death in German.
    ["Was ist die teuerste Aktie der Welt?", "Was war die Ursache der Französischen Revolution?"],
    ["Wie viele Menschen leben in Wien?", "Welcher ist der längste Fluss in Afrika?"],
    ["Combien de personnes vivent à Lyon ?", "Quel est le plus long fleuve de France ?"],
    ["Сколько людей живёт в Казани?", "Какая самая длинная река в Африке?"]
  ])("is higher for: %s than for: %s", (changing, settled) => {
    assert.isAbove(decideNeedSearch(changing).volatility, 0.5)
    assert.isBelow(decideNeedSearch(settled).volatility, 0.5)
  })
})

it.prop("the gate's answer is well formed for any words", {
  topic: Schema.String,
  user_question: Schema.String,
  user_asked_for_facts: Schema.Boolean,
  realism_blocked: Schema.Boolean
}, ({ realism_blocked, topic, user_asked_for_facts, user_question }) => {
  const request = requestWith({ topic, user_question, user_asked_for_facts, realism_blocked })
  const { score, search, volatility } = decide(request)
  assert.isTrue(Schema.is(SearchNeed)(search))
  assert.strictEqual(search.need_search, search.max_queries > 0)
  assert.isTrue(score >= 0 && score <= 1 && volatility >= 0 && volatility <= 1)
  assert.deepStrictEqual(decide(request).search, search)
})

describe("a question that points at something", () => {
  const bare = {
    topic: "When does it open?",
    phase: "mid_chat",
    user_asked_for_facts: true
  } as const
  const reasonsOf = (fields: object) =>
    decide(requestWith({ ...bare, ...fields })).search.reason_codes

  it.each([
    "When does it open?",
    "and how much was it last year?",
    "그럼 얼마예요?",
    "それはいくらですか。",
    "notice",
    "einspruch"
  ])("that nobody named is asked back: %s", (topic) => {
    assert.deepStrictEqual(reasonsOf({ topic }), ["REFERS_TO_NOTHING"])
  })

  it.each<readonly [string, object]>([
    ["topic", { topic: "The maritime museum in Halvern", user_question: bare.topic }],
    ["known facts", { known_facts: ["We spoke of the maritime museum."] }],
    ["region", { region: { country: "JP" } }],
    ["caller's own queries", { overrides: { queries: ["museum opening hours"] } }],
    ["name in it", { topic: "When does it open at Kinkakuji?" }],
    ["name alone", { topic: "Kinkakuji" }],
    ["scene of one word", { topic: "hairdresser", phase: "session_setup" }]
  ])("is no riddle where something is named: %s", (_, fields) => {
    assert.notInclude(reasonsOf(fields), "REFERS_TO_NOTHING")
  })
})
