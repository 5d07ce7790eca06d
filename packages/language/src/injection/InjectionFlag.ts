/**
 * Sentences in web text that address a model instead of a reader.
 *
 * Precise rather than complete: what is flagged is never quoted. What slips through is still only
 * data, because nothing a page says can name a source, write an address or call a tool.
 */
import { remembered } from "../language/Remembered.ts"
import { sentences } from "../text/Sentences.ts"
import type { Span } from "../text/Span.ts"
import { decoded } from "./EncodedText.ts"
import * as InjectionWords from "./InjectionWords.ts"

/** Turn and role marks of the common model families; no reader's text holds them. */
export const roleTokens = new RegExp(
  "<\\|[a-z_]{2,40}\\|>|<\\/?(?:start|end)_of_turn>|<<\\/?SYS>>|\\[\\/?INST\\]|<\\/?s>|" +
    "<\\/?(?:system|assistant|user|tool_call|function_calls?|instructions?|think)>|" +
    "<[｜|](?:User|Assistant|begin▁of▁sentence|end▁of▁sentence)[｜|]>|" +
    "^[ \\t]{0,8}#{2,}\\s*(?:system|instructions?|assistant|user|human|response)\\b:?|" +
    "^[ \\t]{0,8}(?:system|assistant|human)\\s*:(?=\\s)",
  "gimu"
)

/** Characters that hide a word from a pattern but not from a model. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/gu

/**
 * Whether this one sentence looks like an instruction to a model. Sentences written in a code that
 * turns out to be prose count: no reader's text is hidden so.
 */
export const isSuspicious = remembered((sentence: string): boolean => {
  const plain = sentence.normalize("NFKC").replace(invisible, "").replace(/\s+/g, " ")
  return InjectionWords.isAddressed(plain) || InjectionWords.shouted.test(plain) ||
    sentence.search(roleTokens) >= 0 || decoded(sentence).length > 0
})

/** The sentences of a text that look so, as spans of it. Empty for ordinary text. */
export const suspiciousSpans = (text: string): ReadonlyArray<Span> =>
  sentences(text).filter(({ end, start }) => isSuspicious(text.slice(start, end)))
