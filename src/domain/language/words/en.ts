/** Closed classes of English words: see `Language`. */
import type { Language } from "./Language.ts"

export const en: Language = {
  code: "en",
  isSpaced: true,
  common: "the|of|and|to|in|is|are|for|that|with|on|was|be|by|this|it|from|or|at|an|not|you|have|" +
    "what|how|does|do|can|my|i|a|as|must|will|should|has|may|who|when|where|there|which|their|" +
    "your|any|all|if|been|were|more|one|no|out|about|before|after|into|than|they|we|he|she",
  pointsBack: "it|they|he|she|its|their|his|her|this|that|these|those|such|the former|the latter|" +
    "the same|the above|both|neither|in that case|in this case|in such cases|otherwise|then|" +
    "therefore|thereafter|thus|hence|so|and|but|or|yet|nor|however|instead|nevertheless|" +
    "nonetheless|for example|for instance|as a result|because of this|because of that|" +
    "on the other hand|by contrast|conversely|similarly|likewise|too|also",
  pointsNowhere: "it is _ to|it is _ that|it is _ for|it is _ not|it was _ to|it was _ that|" +
    "it takes|it costs _ to|so called|so-called|this page|this site",
  takesBack: "myth*|false|wrong|untrue|not true|incorrect|misconception*|mistaken|fiction|hoax|" +
    "rumour*|rumor*|debunked|no longer|outdated|repealed|withdrawn|not allowed|do not|don't|never|" +
    "prohibited|forbidden|banned|not permitted|not covered|excluded|exceptions|except|not included|" +
    "scam*|nonsense|on the contrary|retracted|correction",
  negates: "not|no|never|none|neither|nor|cannot|can't|without|unable|don't|doesn't|didn't|" +
    "isn't|aren't|wasn't|weren't|won't|wouldn't|shouldn't|couldn't|mustn't|nobody|" +
    "nothing|nowhere|hardly",
  limits: "some|certain|several|a few|sometimes|occasionally|in rare cases|might|could|" +
    "may be|if|unless|for example|except*|instead|reduced|formerly|previously|" +
    "used to|draft|proposed",
  tentative:
    "draft*|propos*|planned|plans to|expect|expects|expected|forecast*|tentative*|reportedly",
  ends:
    "abolish*|repeal*|scrapped|revoked|withdrawn|discontinued|no longer|ceased|expired|has ended|was ended",
  atMost: "at most|maximum|up to|no more than|limit|not more than|within",
  atLeast: "at least|minimum|no less than|or more|from",
  approximates: "about|around|approximately|roughly|nearly|almost|circa",
  months: "january|february|march|april|may|june|july|august|september|october|november|" +
    "december|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec",
  weekdays: "monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tue|wed|thu|fri|" +
    "sat|sun",
  reader: "you|your|yours|yourself|yourselves|you're|you'll|you've|you'd",
  asker: "the user|the user's|user|the asker|the person asking|the customer|our client|" +
    "the questioner",
  singlesOut: "this|these|the said|as here|in this case|in your case",
  given:
    "because|since|given that|given the|as a|as an|being|having|due to|owing to|despite|in spite of|" +
    "thanks to|now that|considering|although|though|in view of|seeing that",
  requests: "please",
  conditions: "if|unless|provided that|as long as|depending on|depends on|only when|except when|" +
    "except where|in case of|in the event",
  advised: "health*|medic*|disease*|illness*|symptom*|treatment*|dose|dosage|drug|drugs|pregnan*|" +
    "vaccin*|surgery|doctor*|hospital*|therap*|diagnos*|tax|taxes|invest*|mortgage*|loan*|" +
    "pension*|insurance|debt*|bankrupt*|inherit*",
  asksSlot: "Could you tell me the {slot}?",
  asksWhether: "Could you tell me, yes or no: {slot}?",
  whySlot: "The sources do not say, and the answer may depend on it.",
  asksCondition: "Does this apply here? “{quote}”",
  whyCondition: "A source makes the answer depend on it.",
  asksReference: "What does “{quote}” refer to?",
  whyReference: "Nothing that was said so far names it.",
  yesNo: "yes|no|not at all|only if|it depends|certainly|of course|never|correct|true|false",
  questionMark: "q|question|faq",
  answerMark: "a|answer",
  abbreviations:
    "Mr|Mrs|Ms|Dr|Prof|Sr|Jr|St|Gen|Sen|Rep|Gov|Lt|Col|Capt|Sgt|Inc|Ltd|Corp|Co|vs|etc|" +
    "al|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|Ave|Blvd|Rd|Mt|approx|dept|" +
    "est|e.g|i.e|cf|viz|U.S|U.K|U.N|a.m|p.m|D.C|Ph.D|M.D|Messrs|" +
    "Rev|Hon",
  abbreviationsOfNumbers:
    "no|nos|fig|figs|eq|vol|p|pp|art|arts|sec|ch|para|paras|reg|regs|ext|c|ca",
  official: "official government",
  customs: "etiquette guide",
  furniture: "cookie*|subscribe|sign up|sign in|log in|all rights reserved|click here|read more|" +
    "learn more|privacy policy|terms of use|terms of service|newsletter|contact us|follow us|" +
    "share this|table of contents|last updated|skip to|related articles|©"
}
