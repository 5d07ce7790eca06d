/** Faults of what leaves for a model, of what a pack may say, and of what the cache keeps. */
import type { Mutant } from "./Mutant.ts"

const asked = "src/adapters/openai/AskedRequest.ts"
const researcher = "src/adapters/openai/ChatResearcher.ts"
const pack = "src/domain/pack/PackAssembly.ts"
const entry = "src/domain/search/QueryCacheEntry.ts"
const privacyTests = ["test/contract/ModelPrivacy.test.ts"] as const
const domain = "packages/language/src/privacy"
const chosenTests = [
  "packages/language/test/ChosenWords.test.ts",
  "packages/language/test/QueryPrivacy.test.ts"
] as const
/** Why it does not matter which of a writer's questions are looked at. */
const chosenOnly = "a writer's question chooses a quoted condition, and is itself never shown"
const packTests = ["test/domain/PackAssembly.test.ts"] as const
const entryTests = ["test/domain/QueryCacheEntry.test.ts"] as const

const besideTests = ["packages/language/test/BesideQuestion.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "told-leaves",
    file: `${domain}/QueryPrivacy.ts`,
    text: "isPrivate ? [...gone, ...besideQuestion(text, gone)] : gone",
    replacement: "gone",
    means: "what an asker tells leaves with a question that needs none of it",
    tests: besideTests
  },
  {
    id: "told-of-nobody-stays",
    file: `${domain}/QueryPrivacy.ts`,
    text: "isPrivate ? [...gone, ...besideQuestion(text, gone)] : gone",
    replacement: "[...gone, ...besideQuestion(text, gone)]",
    means: "a statement that holds nothing private is kept back",
    tests: besideTests
  },
  {
    id: "told-of-short-questions-stays",
    file: `${domain}/BesideQuestion.ts`,
    text: "const termsMin = 5",
    replacement: "const termsMin = 0",
    means: "a question that says too little leaves alone",
    tests: besideTests
  },
  {
    id: "model-sees-question",
    file: asked,
    text: "question: strip(standaloneQuestion(request))",
    replacement: "question: standaloneQuestion(request)",
    means: "a model's server reads who asks",
    tests: privacyTests
  },
  {
    id: "model-sees-as-asked",
    file: asked,
    text: "{ as_asked: strip(user_question) }",
    replacement: "{ as_asked: user_question }",
    means: "a model's server reads who asks",
    tests: privacyTests
  },
  {
    id: "model-sees-topic",
    file: asked,
    text: "topic: strip(topic)",
    replacement: "topic",
    means: "a model's server reads who asks, from the topic",
    tests: privacyTests
  },
  {
    id: "model-sees-city",
    file: asked,
    text: `strip(region.city ?? "")`,
    replacement: `region.city ?? ""`,
    means: "a model's server reads what an asker wrote beside the city",
    tests: privacyTests
  },
  {
    id: "model-sees-facts",
    file: asked,
    text: `.map(strip).filter((fact) => fact !== "")`,
    replacement: `.filter((fact) => fact !== "")`,
    means: "a model's server reads all that is known of the asker",
    tests: privacyTests
  },
  {
    id: "model-sees-slots",
    file: asked,
    text: "unknown_required_slots.slice(0, factsMax).map(strip)",
    replacement: "unknown_required_slots.slice(0, factsMax)",
    means: "a model's server reads names in the open questions",
    tests: privacyTests
  },
  {
    id: "model-sees-request",
    file: asked,
    text: `    locale,
    known_facts`,
    replacement: `    ...request,
    locale,
    known_facts`,
    means: "a model's server reads ids and every other field",
    tests: privacyTests
  },
  {
    id: "researcher-sees-title",
    file: researcher,
    text: "course_title: strip(course_title)",
    replacement: "course_title",
    means: "a model's server reads who orders the course",
    tests: privacyTests
  },
  {
    id: "researcher-sees-audience",
    file: researcher,
    text: "audience_category: strip(audience_category)",
    replacement: "audience_category",
    means: "a model's server reads for whom the course is",
    tests: privacyTests
  },
  {
    id: "researcher-sees-depth",
    file: researcher,
    text: "depth_requirement: strip(depth_requirement)",
    replacement: "depth_requirement",
    means: "a model's server reads personal data in a free field",
    tests: privacyTests
  },
  {
    id: "researcher-sees-mode",
    file: researcher,
    text: "learning_mode: strip(learning_mode)",
    replacement: "learning_mode",
    means: "a model's server reads personal data in a free field",
    tests: privacyTests
  },
  {
    id: "pack-orders",
    file: pack,
    text: "    !InjectionFlag.isSuspicious(text) &&\n",
    replacement: "",
    means: "a page gives the next model its orders as a claim",
    tests: packTests
  },
  {
    id: "pack-asks-secrets",
    file: pack,
    text: " && !AskedSecrets.isAskedFor(text)",
    replacement: "",
    means: "a page has the user asked for a password",
    tests: packTests,
    equivalent: chosenOnly
  },
  {
    id: "pack-asks-orders",
    file: pack,
    text: "!InjectionFlag.isSuspicious(text) && !AskedSecrets",
    replacement: "!AskedSecrets",
    means: "a page gives orders by way of a question",
    tests: packTests,
    equivalent: chosenOnly
  },
  {
    id: "pack-asks-anything",
    file: pack,
    text: "draft.what_to_ask_user.slice(0, draftQuestionsMax).filter(isFit)",
    replacement: "draft.what_to_ask_user.slice(0, draftQuestionsMax)",
    means: "a page has the user asked whatever it likes",
    tests: packTests,
    equivalent: chosenOnly
  },
  {
    id: "entry-time-range",
    file: entry,
    text: `    identity.timeRange,
`,
    replacement: "",
    means: "news of a day are answered with those of a year",
    tests: entryTests
  },
  {
    id: "entry-providers",
    file: entry,
    text: `identity.providers
`,
    replacement: `[]
`,
    means: "what the sandbox made up answers for the web",
    tests: entryTests
  },
  {
    id: "entry-outage",
    file: entry,
    text: `called.cache === undefined || (called.status !== "success" && called.status !== ` +
      `"no_results")`,
    replacement: "called.cache === undefined",
    means: "an outage is kept as an answer",
    tests: entryTests
  },
  {
    id: "entry-empty-stands-in",
    file: entry,
    text: `status === "success" && nowMs`,
    replacement: "nowMs",
    means: "that nothing was found once stands in for an outage",
    tests: entryTests
  },
  {
    id: "entry-never-ends",
    file: entry,
    text: "nowMs < fresh_until_ms",
    replacement: "nowMs >= 0",
    means: "answers of last year are given for fresh",
    tests: entryTests
  },
  {
    id: "entry-empty-for-days",
    file: entry,
    text: `status === "no_results" ? emptyFreshMs : freshMsByTopic[topic]`,
    replacement: "freshMsByTopic[topic]",
    means: "that nothing was found is repeated for three days",
    tests: entryTests
  },
  {
    id: "privacy-names-once",
    file: `${domain}/QueryPrivacy.ts`,
    text: "...spans, ...spreadNames(text, spans)]",
    replacement: "...spans]",
    means: "a name leaves wherever it is not introduced again",
    tests: chosenTests
  },
  {
    id: "privacy-unbounded",
    file: `${domain}/QueryPrivacy.ts`,
    text: "text.slice(0, textCharsMax)",
    replacement: "text",
    means: "patterns run over a text of any length",
    tests: chosenTests
  },
  {
    id: "privacy-contacts",
    file: `${domain}/QueryPrivacy.ts`,
    text: "without(rest, spansOf(rest, pattern))",
    replacement: "rest",
    means: "mail addresses and handles leave",
    tests: chosenTests
  },
  {
    id: "privacy-links",
    file: `${domain}/QueryPrivacy.ts`,
    text: "/[@?#=&]/.test(whole) || ",
    replacement: "",
    means: "the query of a link leaves",
    tests: chosenTests
  },
  {
    id: "privacy-codes",
    file: `${domain}/Identifiers.ts`,
    text: "  ...valuesIn(text, \"code\"),\n",
    replacement: "",
    means: "a booking code leaves behind its word",
    tests: chosenTests
  },
  {
    id: "privacy-births",
    file: `${domain}/Identifiers.ts`,
    text: "...spansOf(text.low, bornOn)",
    replacement: "",
    means: "a date of birth leaves",
    tests: ["test/faults/privateCanaries.test.ts"]
  },
  {
    id: "privacy-amounts",
    file: `${domain}/Identifiers.ts`,
    text: "[amount, round, dates, law, edition]",
    replacement: "[dates, law, edition]",
    means: "years and amounts are taken for identifiers",
    tests: chosenTests
  },
  {
    id: "privacy-tagged-in-questions",
    file: `${domain}/PrivateNames.ts`,
    text: "asking: 400",
    replacement: "asking: 90_000",
    means: "a name in the question leaves, however certain it is",
    tests: chosenTests
  },
  {
    id: "privacy-tagged-for-nothing",
    file: `${domain}/PrivateNames.ts`,
    text: "asking: 400",
    replacement: "asking: -4_000",
    means: "a question loses words that are hardly names",
    tests: chosenTests
  },
  {
    id: "privacy-tagged-in-statements",
    file: `${domain}/PrivateNames.ts`,
    text: "telling: -2_000",
    replacement: "telling: 90_000",
    means: "a name that is told leaves with a short question",
    tests: chosenTests
  },
  {
    id: "privacy-introduced",
    file: `${domain}/PrivateNames.ts`,
    text: "[...own, ...joined(text.raw, gone)]",
    replacement: "joined(text.raw, gone)",
    means: "a name behind \"my name is\" leaves where the weights are not sure",
    tests: ["test/faults/privateCanaries.test.ts"]
  },
  {
    id: "privacy-weights",
    file: `${domain}/NameTagger.ts`,
    text: "letters.charCodeAt(at) - zeroCode",
    replacement: "zeroCode - letters.charCodeAt(at)",
    means: "the fitted weights count the other way round",
    tests: chosenTests
  },
  {
    id: "privacy-phrases",
    file: `${domain}/NameTagger.ts`,
    text: "isBreak(token) ? steps.slice(4) : steps.slice(0, 4)",
    replacement: "[0, 0, 0, 0]",
    means: "the words of a name are told one by one",
    tests: chosenTests
  },
  {
    id: "privacy-editions",
    file: `${domain}/Identifiers.ts`,
    text: "[amount, round, dates, law, edition]",
    replacement: "[amount, round, dates, law]",
    means: "a standard with its year is taken for somebody's number",
    tests: ["packages/language/test/QueryPrivacy.test.ts"]
  },
  {
    id: "privacy-introduced-nearer",
    file: `${domain}/PrivateNames.ts`,
    text: "word.isIntroduced && !/d/.test(word.shape) ||",
    replacement: "",
    means: "a rare name behind \"my wife\" leaves with the question",
    tests: chosenTests
  },
  {
    id: "privacy-one-word-behind-relations",
    file: `${domain}/Introductions.ts`,
    text: "name.length > 1 || hasSecrets ? name : []",
    replacement: "name",
    means: "a question loses the thing behind a relation, whatever the weights say",
    tests: ["packages/language/test/QueryPrivacy.test.ts"]
  },
  {
    id: "privacy-long-numbers",
    file: `${domain}/Identifiers.ts`,
    text: "  ...longNumbersIn(text),\n",
    replacement: "",
    means: "a long number leaves where the weights are not sure",
    tests: ["test/faults/privateCanaries.test.ts"]
  },
  {
    id: "privacy-passwords",
    file: `${domain}/Identifiers.ts`,
    text: "  ...valuesIn(text, \"pass\"),\n",
    replacement: "",
    means: "a password leaves behind its word",
    tests: chosenTests
  },
  {
    id: "privacy-words-of-others",
    file: `${domain}/Identifiers.ts`,
    text: "[text.unspaced ?? text.spaced, text.spaced]",
    replacement: "[text.unspaced ?? text.spaced]",
    means: "a password leaves behind an English word in Japanese text",
    tests: chosenTests
  },
  {
    id: "privacy-number-features",
    file: `${domain}/NameFeatures.ts`,
    text: "hasDigits(token) ? ofNumberIn(read, at) : []",
    replacement: "[]",
    means: "the tagger tells numbers by the words beside them alone",
    tests: chosenTests
  },
  {
    id: "privacy-rarer-names",
    file: `${domain}/KnownNames.ts`,
    text: "? 1 : 0",
    replacement: "? 0 : 0",
    means: "a rare given name is as any other word",
    tests: ["packages/language/test/NameTagger.test.ts"]
  }
]
