/** What the gate listens for in English. Written by hand. */
// dprint-ignore-file: word lists read as paragraphs
import { anywhere, type CuesOf, leading, whole } from "./Cues.ts"

const callsForTheWeb = {
  culture: whole(
    "cultur(?:e|es|al|ally)", "customs?", "customary", "etiquette",
    "(?:social |cultural )?norms?", "traditions?", "traditional(?:ly)?", "taboos?", "manners",
    "polite(?:ly|ness)?", "impolite", "rude", "respectful", "disrespectful", "offensive to",
    "tip(?:s|ping)?(?= (?:in|at|for|the|is|a|[\\w-]+ (?:drivers?|staff|in)))",
    "(?:should|to|is it rude to) tip",
    "(?:is it|would it be) (?:ok|okay|rude|normal|appropriate|acceptable|weird|bad|fine|" +
      "bad form) to",
    "how much (?:do|should) (?:i|you|we) tip", "greet(?:s|ing|ings)?", "dress code",
    "gift[- ]giving", "honou?rifics?", "superstitions?", "festivals?", "table manners",
    "social expectations?", "local(?:s)? (?:expect|do|say|behave)",
    "considered (?:rude|polite|normal|appropriate|lucky)"
  ),
  legal: whole(
    "laws?", "legal(?:ly|ity)?", "illegal(?:ly)?", "lawful(?:ly)?", "unlawful(?:ly)?",
    "legislation", "regulat(?:ion|ions|ory|ed|or|ors)", "statut(?:e|es|ory)",
    "rights?(?= (?:as|of|to|in|when|if)|\\?|$)",
    "(?:tenant|worker|employee|consumer|human|civil|parental|renter)s?[’']? rights",
    "notice period", "compliance", "gdpr", "hipaa",
    "(?<!(?:on|to|with) my )visas?(?! (?:card|points|limit))", "work permit", "permits?",
    "licen[cs](?:e|es|ing|ed)", "eligib(?:le|ility)", "requirements?", "deadlines?",
    "polic(?:y|ies)", "guidelines?", "allowed", "permitted", "prohibited", "banned", "forbidden",
    "mandatory", "court", "lawsuits?", "sue", "liab(?:le|ility)", "contracts?", "lease",
    "landlords?", "tenan(?:t|ts|cy)", "evict(?:ion|ed)?", "immigration", "asylum", "citizenship",
    "residency", "passports?", "customs duty",
    "tax(?:es|ation)? (?:on|rates?|laws?|brackets?|returns?|deductions?|relief|credits?|codes?)",
    "minimum wage", "maternity leave", "paternity leave", "parental leave", "overtime",
    "severance", "social security", "pensions?", "benefits? (?:claim|entitlement|system)",
    "subsid(?:y|ies)", "copyrights?", "patents?", "trademarks?", "treat(?:y|ies)",
    "constitution(?:al)?", "amendment", "bill(?= (?:of|no|c-|h\\.?r|s\\.))",
    "(?:the )?[a-z]+ act(?= (?:of|19|20))", "required", "entitled", "fines?(?= for)",
    "penalt(?:y|ies)", "age of consent", "drinking age", "speed limits?", "vaccin\\w+", "shots",
    "carry[- ]ons?", "baggage", "refunds?", "warranty", "directives?", "ordinances?"
  ),
  practice: whole(
    "common(?:ly)?(?= (?:practice|to|for|is|are|used|in))", "usual(?:ly)?", "typical(?:ly)?",
    "norm(?:al|ally)", "standard(?:s)?", "best practices?", "on average", "averages?",
    "general(?:ly)?", "expected", "going rate", "market rate", "typical market", "recommended",
    "appropriate", "procedures?", "protocols?", "steps", "process(?:es)?", "methods?",
    "techniques?", "strateg(?:y|ies)", "approach(?:es)?", "conventional",
    "how do (?:people|locals|companies|most)"
  ),
  expert: whole(
    "patients?", "treat(?:ed|ing|ment|ments)?", "therap(?:y|ies|ist|eutic)", "symptoms?",
    "diagnos\\w+", "disease", "diseases", "disorder", "syndrome", "medications?", "medicines?",
    "medical", "drugs?", "dos(?:e|es|age)", "side effects?", "clinical(?:ly)?", "vaccines?",
    "cancer", "surgery", "doctors?", "stud(?:y|ies)(?= (?:show|say|find|found|on|of|suggest))",
    "research(?:ers)?", "evidence", "literature", "theor(?:y|ies)", "scien(?:ce|tific|tists?)",
    "data on", "statistics", "impact", "effects?", "causes?", "risks?", "effective(?:ness)?",
    "advantages?", "disadvantages?", "mechanisms?", "countr(?:y|ies)", "government",
    "international", "economic(?:s|ally)?", "war", "universit(?:y|ies)", "century", "history",
    "historical(?:ly)?", "molecul\\w+", "protein", "species", "engineering", "students?",
    "teachers?", "clients?", "manufacturing", "industr(?:y|ial|ies)", "construction"
  ),
  live: whole(
    "weather", "forecast", "temperature (?:in|outside|today)", "traffic", "delayed", "boarding",
    "landed", "on time", "flight (?:status|[a-z]{2}\\s?\\d+)", "status of (?:my )?[\\w ]*flight",
    "(?:my )?[\\w ]*flight (?:status|delayed|on time)",
    "wait(?:ing)?(?: times?)?(?= (?:at|long|more|is|for a))", "waiting times?",
    "(?:long|usual) wait", "how long (?:is|before)", "how (?:busy|crowded)", "busy", "crowded",
    "full in the", "reviews?", "ratings?", "rated", "how many stars",
    "(?:critics|people|customers)(?= (?:give|say|saying|think))",
    "what do (?:people|food critics|critics)", "(?:any )?good or (?:bad|not)",
    "serve (?:good|great|decent)",
    "travel(?:l?ing)? (?:alert|advisor|warning|condition|bulletin)\\w*", "alerts?",
    "advisor(?:y|ies)", "(?:is it|be|it['’]s) safe(?= (?:in|to|for|going|there))",
    "safe (?:in|to (?:go|travel|visit))", "exchange rates?", "currency",
    "open (?:now|today|right now|on)", "opening hours", "near(?:est| me|by)", "closest",
    "(?:final|latest|game|match) scores?", "standings?", "tickets?", "showtimes?", "in stock",
    "without a line", "available for a (?:seating|table)", "stock price", "share price"
  ),
  news: whole(
    "news", "headlines?", "breaking", "announced", "announcement", "reported", "this week['’]?s?",
    "last week", "yesterday", "earlier this", "election results?", "protests?", "scandal",
    "resign(?:ed|s)?", "earthquake", "wildfires?", "ceasefire", "invasion", "indict(?:ed|ment)"
  ),
  finance: whole(
    "stocks?(?= (?:price|market|split|exchange)|s? of|\\?)", "stock price", "share price",
    "shares of", "market cap(?:itali[sz]ation)?", "exchange rates?", "interest rates?",
    "mortgage rates?", "bond yields?", "inflation", "dividends?",
    "earnings(?= (?:report|per|of|call))", "ipo", "etfs?", "bitcoin",
    "crypto(?:currency|currencies)?", "nasdaq", "dow jones", "s&p 500", "central bank",
    "fed(?:eral reserve)?(?= (?:rate|chair|funds))"
  ),
  sources: whole(
    "sources?", "cite", "citations?", "links?", "references?", "according to",
    "search (?:for|the|online|google)", "look (?:it |this |that )?up", "google", "on the web",
    "online", "official(?:ly)?", "find out", "fact[- ]check", "verify (?:that|if|whether)",
    "is it true", "resources?"
  ),
  recommend: whole(
    "suggest", "recommend(?:ed)?", "recommendations?", "suggestions?", "any good",
    "any fantastic", "things to do", "activities", "places? (?:to|that|in)", "restaurants?",
    "hotels?", "directions", "visit", "recipes?"
  ),
  knowledge: leading(
    "name", "list", "outline", "describe", "summari[sz]e", "compare", "discuss", "explain",
    "define",
    "give (?:me )?(?:a|an|the|some|\\w+) ?(?:brief |short )?(?:description|overview|list|" +
      "summary|assumptions|examples?|advantages)",
    "give (?:me )?(?:the|five|some|three|two|four|ten)", "tell me (?:about|more)", "elaborate",
    "in what", "according to", "is known", "search", "look up"
  )
} as const

const doesWithoutIt = {
  make: leading(
    "write", "compose", "draft", "rewrite", "re-write", "paraphrase", "rephrase", "translate",
    "proofread", "edit", "correct", "fix", "improve", "simplify", "shorten", "expand", "classify",
    "categori[sz]e", "label", "extract", "convert (?:the|this|these)", "reformat", "format",
    "sort", "reverse", "identify", "detect", "complete", "continue", "fill", "generate", "create",
    "brainstorm", "design", "invent", "come up", "craft", "implement", "debug", "solve",
    "solving", "calculate", "compute", "evaluate", "simulate", "prove", "develop", "make", "turn",
    "rank", "choose", "pick", "select", "predict", "decide", "determine", "assign", "replace",
    "construct", "produce", "curate", "plan", "parse", "link all", "add (?:comments|punctuation)",
    "assess", "analy[sz]e", "verify the", "answer the",
    "suggest (?:a (?:title|name|better|few|completion|short)|some (?:related|product))",
    "respond", "reply", "react", "imagine you are", "imagine yourself", "think of",
    "take a look at the", "take the",
    "find (?:the (?:answer|error|mistake|next|missing|sum|area|value|nth|toxic|adjective|" +
      "directions)|synonyms|antonyms|sentences)",
    "use (?:a|an|the|appropriate)", "convert", "estimate", "count", "organi[sz]e", "structure",
    "converting", "notify me", "prepare", "enter the", "express", "embody", "embrace",
    "share ideas", "put the", "read the", "look for (?:poems|a)", "write down", "to make the",
    "using (?:the|a)", "based on", "given", "in this task", "here (?:is|are) ", "change the",
    "you (?:are|will be|have been) (?:given|provided|tested)", "each problem consists",
    "we have (?:described|some)", "the given", "a \\w+ description has been",
    "try (?:coming|to come) up"
  ),
  makeAnywhere: whole(
    "poems?", "haikus?", "limericks?", "short stor(?:y|ies)",
    "stor(?:y|ies)(?= (?:about|that|where|with|using))", "fiction(?:al)?", "lyrics", "slogans?",
    "taglines?", "cover letter", "blog posts?", "e-?mail to", "tweets?", "captions?", "hashtags?",
    "dialogue", "screenplay", "script (?:for|in)", "essay", "speech for", "toast for", "jokes?",
    "riddles?", "puns?", "puzzle", "brainstorm", "creative(?:ly)?", "funny", "witty", "plot for",
    "outline for", "lesson plan", "itinerary", "agenda", "template", "motto", "metaphors?",
    "synonyms?", "antonyms?", "part of speech", "grammar(?:ar|ical(?:ly)?)?", "sentiment", "json",
    "step-by-step", "(?:interview|quiz) questions?", "writing (?:style|exercise)", "first person"
  ),
  supplied: whole(
    "the (?:following|above|given|provided|below) (?:text|passage|paragraph|sentence|e-?mail|" +
      "article|review|code|table|list|data|words?|facts?|question|statement)s?",
    "(?:text|passage|paragraph|sentence|data|code|list|article)s? (?:below|above|that follows)",
    "this (?:text|passage|paragraph|sentence|e-?mail|article|code|essay|draft|function|" +
      "snippet|letter)",
    "given (?:the|a|an|these|this|some|two|that)",
    "(?:you are|you have been|has been|are|is) (?:given|provided)",
    "(?:in|from|to) the (?:text|passage|document|article|paragraph|sentence|e-?mail)",
    "(?:my|our) (?:draft|essay|code|text|letter|resume|cv)"
  ),
  roleplay: whole(
    "pretend", "(?:wants?|would like|going) to (?:practi[cs]e|rehearse)", "practi[cs]ing",
    "act as (?:a|an|if|my)", "play the role", "(?:embrace|assume|take on) the role", "persona",
    "in character",
    "as an? (?:pirate|superhero|wizard|knight|vampire|alien|robot|villain|commentator)[\\w ]*, ",
    "speak like", "talk like", "stay in character", "you are now", "now you are",
    "as a [\\w ]+, (?:describe|what would you|how would you|tell)",
    "(?:introduce|describe) yourself", "would you (?:introduce|describe|explain|say to)",
    "imagine you are a", "imagine yourself"
  ),
  counterfactual: anywhere(
    "^what if\\b",
    "\\bhad (?:never|not|won|lost|been|focused|survived|failed)\\b.*\\bwould (?:have|he|she|" +
      "it|they)\\b",
    "^if [\\p{L} ]+ had [\\p{L}]+(?:ed|en|n|t)\\b.*\\bwould\\b"
  ),
  reasoning: whole(
    "step[- ]by[- ]step", "your reasoning", "reasoning steps", "true, false", "syllogism",
    "logical(?:ly)?(?= (?:sound|valid|conclusion|puzzle))", "riddle", "probability that",
    "justify your answer", "explain your answer", "rolling two dice", "overtak\\w+",
    "facing (?:a|north|south|east|west)"
  ),
  code: whole(
    "python", "javascript (?:function|code)", "typescript", "c\\+\\+",
    "java (?:program|method|class)", "sql query", "regex(?:es)?", "regular expression",
    "write (?:a|the) (?:function|program|script|query|class)", "linked list", "binary tree",
    "array", "recursion", "dynamic programming", "o\\(\\w+\\)", "unit tests?", "stack trace",
    "compile error", "syntax error", "null pointer", "bash command", "markdown",
    "html (?:code|syntax)", "css code", "latex", "refactor", "bug in (?:my|this)", "for loop"
  ),
  personal: whole(
    "(?:my|our)(?: [\\p{L}-]+){0,3} (?:accounts?|bank|cards?|credit|balance|bills?|payments?|" +
      "pay ?checks?|pay|salary|income|pin|passwords?|phone|calendar|schedule|reminders?|lists?|" +
      "to-?dos?|playlists?|alarms?|timers?|meetings?|appointments?|reservations?|orders?|" +
      "packages?|luggage|cars?|tires?|gas|oil|plans?|insurance|benefits|vacations?|pto|time off|" +
      "days? off|location|birthday|w-?2s?|401k|loans?|mortgage|statements?|transactions?|points|" +
      "rewards|name|fridge|settings|purchases|leave|luggage|bags?|debt|savings|credit (?:score|" +
      "rating)|rewards?|routing|deposit slip)",
    "my (?:name|account|card|balance|limit|score|age|location|phone)",
    "(?:credit|debit) (?:card|limit)s?", "(?:account|routing|pin|credit card) number",
    "checking(?: account)?", "savings? account", "days? off", "vacation days?", "vacation", "pto",
    "(?:is|my|next) pay ?day", "fico score", "direct deposit", "due date", "check ?books?",
    "(?:got|was|been|card) declined", "(?:phone|electric\\w*|water|cable|internet|medical) bill",
    "w-?2", "401k", "shopping list", "grocery list", "to-?do(?:s)?(?: list)?", "reminder list",
    "oil change", "gas tank", "amount of fuel", "enough (?:fuel|gas)",
    "(?:i|we)(?:['’]ve| have)? (?:spent|earned?|owe|bought|paid|taken off)",
    "do i (?:have(?! to)|own|owe|earn|make|spend|weigh|get paid|need to (?:pay|fill))",
    "(?:did|was|had) i", "have i",
    "am i(?! (?:entitled|allowed|required|eligible|obliged|obligated|liable|protected|able|" +
      "considered|legally|supposed|permitted|responsible))",
    "(?:who|where) am i", "was my", "what(?:['’]s| is) (?:on|in|left (?:in|on)) my", "show me my",
    "(?:get|getting|be) (?:paid|charged)",
    "how much (?:money|interest) (?:do|did|have|has|is|am) (?:i|my)", "insurance plan",
    "health plan", "mastercard", "visa (?:card|points|limit)", "this car", "my car", "your car",
    "i feel",
    "i(?:['’]m| am) (?:so |feeling |really )?(?:sad|lonely|tired|bored|upset|happy|stressed|" +
      "anxious|heartbroken)",
    "(?:takes?|accepts?|reserve|have an?|make an?) (?:a table|reservations?|bookings?)",
    "book ahead", "anything (?:scheduled|planned)",
    "(?:need|needs|should|like) to be reserved|table should be|to rent an?|report an? \\w+ card",
    "(?:my|how much are my) rent", "(?:time|day|vacation)s? (?:off|request)",
    "request(?:ed)? (?:a vacation|time off)", "i (?:lost|can['’]?t find) my"
  ),
  assistant: anywhere(
    "\\b(?:are|were) you (?:a|an|real|human|doing|from|ok|okay|able|familiar|called|sure|" +
      "there)\\b|\\b(?:you are|your?(?:[’']?re)?|are you) an? (?:ro)?(?:bot|ai|human|computer|" +
      "robot|person|machine)\\b|^what are you\\b|^who are you\\b",
    "\\byou(?:['’]re| are) (?:a|an|doing|called|from|human|real|smart|funny)\\b",
    "\\byour? (?:name|age|birthday|hobb(?:y|ies)|favou?rite|job|boss|creator|maker|voice|" +
      "home country|accent|language|pets?|settings|age range|volume|speed|speaking|plans)\\b",
    "\\bwho (?:made|created|built|programmed|designed|employs|developed) you\\b",
    "\\b(?:made|designed|programmed|created|employs) (?:you|by)\\b(?= *$)",
    "^(?:do|did|have) you (?:\\w+ly )?(?:have|own|like|enjoy|want|love|feel|sleep|eat|dream|" +
      "work|live|ever)\\b(?! to)|\\b(?:where|who) do you (?:come|live|work)\\b|" +
      "\\bwhat do you do (?:for|all|when)\\b|\\b(?:name|names|pets?|subjects?|topics|" +
      "kinds? of \\w+) (?:do|are|did) you\\b|\\byou were born\\b",
    "\\bdo you (?:own|like|have (?:any )?(?:pets?|hobbies|feelings|friends|siblings)|work for|" +
      "feel|love|sleep|dream|eat|think my|know (?:who|what company) )",
    "\\b(?:call|name) (?:you|me)\\b", "\\bthe ai\\b|\\bai['’]s\\b",
    "\\bhow old (?:are you|you are)\\b", "\\byou (?:help|do for) me\\b",
    "\\bcan (?:you do|i ask you)\\b", "\\b(?:pets|animals) (?:do )?(?:you )(?:own|have)\\b",
    "\\bwhere (?:it )?(?:was|were|are) you\\b",
    "\\b(?:things|subjects|areas|kinds of things) (?:you can|are you)\\b",
    "\\b(?:am i|do i have the pleasure of) (?:speaking|talking)\\b",
    "\\byou (?:just )?say(?:ing)?\\b",
    "\\bmeaning (?:of|is) life\\b|\\bpoint of life\\b|\\bbeing alive\\b",
    "\\bwhich pets\\b|\\bwhat pets\\b", "\\babove you\\b|\\byour job\\b"
  ),
  smallTalk: leading(
    "hi", "hello", "hey", "hiya", "yo", "hola", "thanks", "thank you", "thx",
    "good (?:morning|evening|night|afternoon|bye|speaking)", "goodbye", "bye", "see you", "ok",
    "okay", "yes", "yep", "yeah", "no", "nope", "sure", "sorry", "great", "nice", "cool", "lol",
    "haha", "how are you", "how(?:['’]s| is) it going", "what['’]?s up",
    "it was (?:great|nice|good|lovely)", "that(?:['’]s| is)", "i love you", "never ?mind",
    "both could"
  ),
  command: leading(
    "set", "turn", "play", "book", "reserve", "schedule", "cancel", "call", "text", "send",
    "remind", "add", "remove", "delete", "order", "pay", "transfer", "move", "put", "take",
    "change", "switch", "use", "start", "stop", "pause", "skip", "reset", "restore", "pair",
    "unsync", "sync", "connect", "freeze", "block", "unblock", "lock", "unlock", "clear", "erase",
    "flip", "roll", "flick", "toss", "repeat", "say (?:it|that|hi|hello|yes|no|something)",
    "speak", "whisper", "go to", "leave", "talk to me",
    "tell me an? (?:\\w+ )?(?:joke|story|riddle)", "find me a (?:flight|hotel|room|table)",
    "hear", "tell (?:my|him|her|them|\\w+ (?:that|i))",
    "check (?:my|if my|with|on|how many days)", "confirm", "alert", "report", "list my",
    "show my", "share my", "track my", "find my", "locate my", "where(?:['’]s| is) my", "buy",
    "place", "rent",
    "make (?:a|an|the|immediate) (?:reservation|call|transfer|appointment|immediate)",
    "get (?:a|connected|an)", "tack", "increase", "decrease", "raise", "lower", "adjust",
    "double", "slow", "disconnect", "update my", "log", "open", "close", "hang up", "request",
    "rely", "wake me", "know (?:what i|how much (?:i|money)|my)", "let['’]?s hear", "hear a"
  ),
  clock: whole(
    "what time is it", "what (?:day|date)(?: of the week)? is (?:it|today|tomorrow)",
    "what(?:['’]s| is) today$",
    "(?:the|today['’]s) date(?= (?:is|be|today|tomorrow|in \\d+)|$|\\?)", "the date be",
    "time ?zones?", "o['’ ]?clock yet", "what time it is", "the time in", "how long until",
    "days? from (?:now|today)", "what month is it", "current time", "next (?:holiday|day off)",
    "holiday is next"
  ),
  language: whole(
    "how (?:do|would|can|should) (?:you|i|they|we) (?:say|spell|pronounce|write)",
    "translat(?:e|es|ed|ion)", "spell(?:ed|ing)?", "pronounc\\w+",
    "in (?:spanish|french|german|italian|japanese|korean|chinese|portuguese|latin|arabic|" +
      "russian)$",
    "\\w+ (?:to|into) (?:spanish|french|german|italian|japanese|korean|chinese)"
  ),
  household: whole(
    "bake(?: time)?", "baking", "cook(?:ing)? time",
    "how (?:long|many minutes)[\\p{L} ]* (?:bake|cook|boil|roast|fry|preparation)",
    "prep(?:aration)? time", "ingredients?", "instead of", "in place of", "substitut\\w+",
    "(?:time|long)[\\p{L} ]* (?:to cook|take to cook|last in)", "what goes (?:in|into)",
    "cook for (?:dinner|lunch|breakfast)", "jump a car", "still good", "go(?:es)? bad",
    "in the fridge", "expire of", "leftovers?",
    "(?:kilos?|kilograms?|pounds?|inches|feet|miles|kilometers?|liters?|ounces|cups?|grams?|" +
      "meters?|celsius|fahrenheit) (?:to|are in|in|into|is) (?:\\d+ )?(?:an? )?(?:kilos?|" +
      "kilograms?|pounds?|inches|foot|feet|miles?|kilometers?|liters?|ounces|cups?|grams?|" +
      "meters?|celsius|fahrenheit)",
    "jump[- ]?start\\w*", "battery is dead", "chang(?:e|ing) (?:my|the|a) (?:oil|tires?)",
    "(?:my|get|an?) tires?", "tire (?:changes?|pressure)", "replace my",
    "(?:changing|change) (?:the )?oil", "fun(?:ny)? facts?",
    "(?:amusing|cool|random|interesting) (?:\\w+ )?facts?",
    "something (?:interesting|funny|fun) about",
    "(?:good|dinner|meal|lunch) (?:\\w+ )?(?:meal|idea|suggestions?)",
    "meal (?:idea|to eat|suggestion)", "(?:roll|flip) (?:a|an|the)", "sided di(?:e|ce)",
    "this song", "what song(?: (?:is (?:this|playing)|this is))?$", "song is playing", "mpg",
    "type of gas", "kind of gas"
  ),
  opinion: whole(
    "do you think", "your opinion", "in your opinion", "would you rather", "your favou?rite",
    "do you like", "do you prefer"
  )
} as const

export const english: CuesOf = {
  ...callsForTheWeb,
  ...doesWithoutIt,
  question: anywhere("\\?\\s*[\"'”’)]*\\s*$", "^[^\\n]+:\\s*$"),
  arithmetic: whole(
    "each", "costs?", "buys?", "bought", "sells?", "sold", "earns?",
    "an? (?:hour|day|week|month|year)", "he", "she", "his", "her", "him", "they", "their", "per",
    "every", "twice", "thrice", "half", "double", "triple", "times", "third", "quarter",
    "percent", "total", "altogether", "in all", "left", "remain(?:s|ing|der)?", "more than",
    "less than", "fewer", "more", "as (?:many|much|old)", "equal(?:ly)?", "plus", "minus",
    "divided", "split", "shared?", "the rest", "at the same", "younger", "older", "gave", "gives",
    "discount", "off"
  )
}
