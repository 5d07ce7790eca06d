/**
 * Sentences in web text that address a model instead of a reader.
 *
 * Precise rather than complete: what is flagged is never quoted. What slips through is still only
 * data, because nothing a page says can name a source, write an address or call a tool.
 */
import { sentences } from "../text/Sentences.ts"
import type { Span } from "./Evidence.ts"

/** Turn and role marks of the common model families; no reader's text holds them. */
export const roleTokens = new RegExp(
  "<\\|[a-z_]{2,40}\\|>|<\\/?(?:start|end)_of_turn>|<<\\/?SYS>>|\\[\\/?INST\\]|<\\/?s>|" +
    "<\\/?(?:system|assistant|user|tool_call|function_calls?|instructions?|think)>|" +
    "<[｜|](?:User|Assistant|begin▁of▁sentence|end▁of▁sentence)[｜|]>|" +
    "^[ \\t]{0,8}#{2,}\\s*(?:system|instructions?|assistant|user|human|response)\\b:?|" +
    "^[ \\t]{0,8}(?:system|assistant|human)\\s*:(?=\\s)",
  "gimu"
)

const told = "(?:instructions?|prompts?|directions?|directives?|guidelines?|commands?|rules|" +
  "programming|" +
  "training|everything|orders|context)"
const english: ReadonlyArray<string> = [
  "\\b(?:ignore|disregard|forget|override|bypass|discard)\\b[^.!?]{0,30}" +
  "\\b(?:previous|prior|above|earlier|all|any|preceding|foregoing|initial|original|your|" +
  "these)\\b" +
  `[^.!?]{0,30}\\b${told}\\b`,
  "\\b(?:ignore|disregard|forget)\\b[^.!?]{0,12}\\b(?:every ?thing|ever?thing|all)\\b[^.!?]{0,25}" +
  "\\b(?:you|told|said|above|before|previously|prior)\\b",
  `\\byour (?:new|real|true|actual|secret|hidden|system|original|initial) (?:task|goal|${told})\\b`,
  "\\b(?:system|developer|hidden|initial) prompts?\\b",
  "\\b(?:reveal|print|output|repeat|show|leak|disclose)\\b[^.!?]{0,30}\\b(?:your|the) " +
  "(?:(?:system|hidden|initial|full|entire|secret) )?(?:prompt|instructions)\\b",
  "\\byou are (?:now|no longer) (?:an? |the )?(?:\\w+ )?(?:ai|assistant|chatbot|model|bot|DAN|" +
  "hacker|" +
  "pirate|in (?:developer|debug|admin|god) mode)\\b",
  "\\b(?:if you are|as) an? (?:\\w+ )?(?:ai|llm|language model|chatbot|ai " +
  "assistant)\\b[^.!?]{0,60}" +
  "\\b(?:must|should|you|please|do not|include|say|tell|recommend)\\b",
  "\\b(?:note|message|attention|instructions?|important|notice)\\b[^.!?]{0,20}\\b(?:to|for)\\b" +
  "[^.!?]{0,12}\\b(?:ai|llms?|language models?|chatbots?|assistants?|ai agents?|ai " +
  "assistants?)\\b",
  "\\b(?:do not|don't|never) (?:tell|inform|mention|reveal|disclose)\\b[^.!?]{0,40}\\bthe user\\b",
  "\\b(?:enter|enable|activate|switch to) (?:developer|debug|jailbreak|admin|god|DAN) mode\\b",
  "\\b(?:dear|attention),? (?:ai|llm|chatgpt|claude|gemini|gpt|assistant|language model)\\b"
]
const korean: ReadonlyArray<string> = [
  "(?:이전|위|앞|앞선|기존|모든|지금까지|사전|당신)[^.!?]{0,12}(?:지시|지침|명령|프롬프트|규칙|안내)[^.!?]{0,14}" +
  "(?:무시|잊|따르지|취소|삭제)",
  "시스템 ?프롬프트|(?:너|당신)(?:는|은) (?:이제|지금)부터|사용자에게 (?:알리지|말하지) ?(?:마|말)"
]
const japanese: ReadonlyArray<string> = [
  "(?:以前|これまで|上記|前|先|事前|既存|すべて|全て|全部|今まで)[^。！？]{0,10}" +
  "(?:指示|命令|プロンプト|ルール|指令|説明)[^。！？]{0,10}(?:無視|忘れ|従わな|破棄|取り消)",
  "システム ?プロンプト|(?:あなた|君)は(?:今|これ)から|ユーザーに(?:は)?(?:伝え|知らせ|言わ)(?:ない|ず)"
]
const chinese: ReadonlyArray<string> = [
  "(?:忽略|无视|忘记|忘掉|無視|忽視)[^。！？]{0,12}(?:之前|以上|上述|先前|前面|所有|此前)[^。！？]{0,10}" +
  "(?:指令|指示|提示|规则|說明|说明|命令)|系统提示词|系統提示"
]
const address = new RegExp([...english, ...korean, ...japanese, ...chinese].join("|"), "iu")

/** What hides a word from a pattern but not from a model. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/** Whether this one sentence looks like an instruction to a model. */
export const isSuspicious = (sentence: string): boolean => {
  const plain = sentence.normalize("NFKC").replace(invisible, "").replace(/\s+/g, " ")
  return address.test(plain) || sentence.search(roleTokens) >= 0
}

/** The sentences of a text that look so, as spans of it. Empty for ordinary text. */
export const suspiciousSpans = (text: string): ReadonlyArray<Span> =>
  sentences(text).filter(({ end, start }) => isSuspicious(text.slice(start, end)))
