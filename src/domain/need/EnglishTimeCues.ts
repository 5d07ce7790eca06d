/** What tells in English how fast an answer changes. Written by hand. */
// dprint-ignore-file: word lists read as paragraphs
import { anywhere, type CuesOf, whole } from "./Cues.ts"

const superlatives =
  "(?:larg|bigg|tall|high|long|fast|old|young|rich|wealthi|strong|short|small|cheap|great|hott|" +
  "cold|deep|heavi|dead|wid|busi|low|lat|new|rar|clos|near|safe?|power)est"

export const englishTime: CuesOf = {
  fresh: whole(
    "latest", "newest", "most recent(?:ly)?", "recent(?:ly)?", "current(?:ly)?",
    "today(?:['’]s)?", "tonight", "right now", "now", "nowadays", "at the moment", "these days",
    "so far", "to date", "as of", "up[- ]to[- ]date", "ongoing", "anymore", "any more",
    "breaking", "present(?:ly)?(?= (?:day|owner|holder|exchange|rate|price))", "incumbent",
    "reigning", "acting", "still", "already", "live", "real[- ]time", "in recent", "yet\\?"
  ),
  relative: whole(
    "(?:this|last|past|next|previous|coming) (?:\\d+ )?(?:day|week|weekend|month|year|season|" +
      "morning|quarter|decade|summer|winter|spring|fall|night|century|years|months|weeks|days|" +
      "few|game|match|time|election)",
    "(?:this|last|next) year['’]?s?", "yesterday", "tomorrow", "ago", "since", "soon",
    "how long (?:has|have|is it)", "last (?:time|play|win|won)", "the last"
  ),
  superlative: whole(
    superlatives,
    "(?:most|least)[- ](?:popular|expensive|subscribed|followed|streamed|viewed|valuable|" +
      "populous|visited|watched|liked|successful|powerful|downloaded|decorated|spoken|played|" +
      "sold|common|\\w+ed)",
    "(?:best|highest|top|lowest)[- ](?:selling|paid|grossing|rated|ranked|earning|scorer|" +
      "scoring)",
    "the most", "(?:highest|biggest|largest|lowest)[- ]\\w+", "number one", "no\\. ?1",
    "number 1", "top \\d+", "(?:world|national|olympic) records?",
    "records?(?= (?:for|holder|in))", "all[- ]time", "rank(?:ed|ing|ings|s)?", "best"
  ),
  office: whole(
    "president", "vice[- ]president", "prime minister", "chancellor", "vice[- ]chancellor", "ceo",
    "cfo", "cto", "chair(?:man|woman|person)?", "governor", "mayor", "senators?",
    "(?:foreign |finance |defen[cs]e |home )?minister", "secretary(?:[- ]general| of)?",
    "(?:head )?coach(?:es)?", "manager", "captain", "king", "queen", "monarch", "pope",
    "champions?", "record holder", "leader", "speaker", "representative", "congress(?:man|woman)",
    "ambassador", "director general", "head of", "chief", "attorney general", "judges?", "spouse",
    "wife", "husband", "girlfriend", "boyfriend", "host(?:s)?(?= (?:of|city|country))", "owners?",
    "owns", "headquarters", "headquartered", "members? of", "member states?", "members",
    "players?", "team does", "club", "hosts"
  ),
  tally: whole(
    "how many", "how much", "number of", "population", "total", "count", "followers",
    "subscribers", "percent(?:age)?", "h-index", "capacity", "market cap", "net worth",
    "unemployment", "gdp", "inflation", "enrol(?:l)?(?:ed|ment)", "how often", "amount of"
  ),
  perfect: anywhere(
    "\\bhow many\\b.*\\b(?:has|have|are there|exist|does|do|living)\\b",
    "\\b(?:has|have) (?!to\\b)[\\p{L}' -]{0,40}?(?:ed|won|been|written|made|scored|played|" +
      "given|grown|had)\\b",
    "\\bare (?:there|left|living)\\b"
  ),
  age: whole(
    "how old is", "how old are", "current age", "age of", "how old", "years old is", "ages?"
  ),
  price: whole(
    "prices?", "costs?", "worth", "salary", "salaries", "wages?", "rents?", "fees?", "fares?",
    "rates?", "tuition", "stock", "weather", "forecast", "traffic", "temperature", "exchange",
    "schedule", "scores?", "standings?", "polls?", "odds", "box office", "charts?", "billboard",
    "availability", "opening hours", "flight", "wait", "reviews?", "rating", "alerts?",
    "tax(?:es)?", "minimum wage", "interest", "mortgage",
    "make(?= (?:a|per) (?:year|month|hour|week))", "earn", "paid"
  ),
  release: whole(
    "versions?", "models?", "release date", "coming out", "come out", "comes out",
    "air(?:s|ing)?", "seasons?", "episodes?", "next (?:film|movie|album|game|season|book)",
    "new (?:season|movie|album|show|series|episode|iphone|law|\\w+)", "upcoming", "streaming",
    "on netflix", "on tv", "play(?:s)? (?:for|on)", "sequel"
  ),
  upcoming: whole(
    "next", "upcoming", "will", "when (?:does|do|is|are)", "going to", "start(?:s|ing)?",
    "expected", "scheduled", "planned", "future", "ends?", "2[6-9]th|20(?:2[6-9]|3\\d)"
  ),
  holder: anywhere(
    "\\bwho(?:['’]s| is| are| has| have| owns| holds| leads| runs| won| plays| wins| sits)\\b",
    "\\bwhich (?:team|country|player|club|company|person|state|city) (?:is|has|have|holds|" +
      "won)\\b",
    "\\bholds?\\b", "\\bwinners?\\b", "\\bwon the\\b"
  ),
  present: whole(
    "is", "are", "has", "have", "does", "do", "['’]s", "can", "will", "live", "lives"
  ),
  past: whole("was", "were", "did", "had", "used to", "became", "when was", "where was"),
  origin: whole(
    "invent(?:ed|or)?", "discover(?:ed|er|y)", "found(?:ed|er|ers)", "wrote", "written by",
    "author(?:ed)?", "painted", "compos(?:ed|er)", "born", "die", "died", "death", "dead",
    "killed", "buried", "creat(?:ed|or)", "develop(?:ed|er)", "direct(?:ed|or)", "starred",
    "filmed", "built", "sang", "sings?", "song", "lyrics", "played (?:the|in|by|piano|on)",
    "voiced?", "actor", "cast", "characters?", "book", "novel", "film(?:ed)?", "movie", "poem",
    "paint(?:er|ing)", "real name", "originally", "origin", "come from", "comes from", "history",
    "ancient", "medieval", "battle", "world war", "empire", "revolution", "dynasty", "b\\.?c\\.?",
    "independence", "signed", "established", "opened", "named after", "fought", "century",
    "introduced", "came from", "take place", "took place", "appear(?:s|ed)?"
  ),
  fixed: whole(
    "capital", "mean(?:s|ing)?", "stand for", "defin(?:e|ition)", "synonym", "formula", "symbol",
    "chemical", "located", "location of", "border(?:s|ing)?", "river", "mountain", "ocean", "sea",
    "lake", "island", "continent", "planet", "distance", "height", "depth", "area of", "length",
    "kilometers?", "miles?", "colou?rs?", "flag", "letters?", "alphabet", "legs", "bones?",
    "organs?", "cells?", "body", "blood", "function", "purpose", "called", "type of", "kind of",
    "part of", "difference between", "known as", "known for", "name of the (?:fear|study)", "why",
    "made of", "consist", "example", "element", "animal", "bird", "fish", "plant", "what is a",
    "what are the", "states? is", "bible", "god", "theorem", "language", "religion", "nickname"
  ),
  ordinal: whole(
    "first", "second", "third", "fourth", "fifth", "\\d+(?:st|nd|rd|th)", "original", "only",
    "inaugural", "earliest", "in the end"
  )
}
