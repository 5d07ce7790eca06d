/** Faults of what a claim must show: its passage, its wording, its opponents. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const pack = "src/domain/pack"

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn(
    "packages/language/src/statements/Sameness.ts",
    ["test/domain/Contradiction.test.ts"],
    [
      {
        id: "rounded-is-disputed",
        text: "isRounded(left) || isRounded(right) ? isAbout : isSame",
        replacement: "isSame",
        means: "\"about 12,000\" is told to contradict 11,800"
      },
      {
        id: "rounded-is-anything",
        text: "const roundedShareMax = 0.1",
        replacement: "const roundedShareMax = 1",
        means: "\"about\" hides every contradiction"
      },
      {
        id: "weekdays-are-one",
        text: " || areApart(weekdaysOf(left), weekdaysOf(right))",
        replacement: "",
        means: "opening hours of two days are told to contradict each other"
      }
    ]
  ),
  ...faultsIn(
    "packages/language/src/language/Languages.ts",
    ["test/domain/Contradiction.test.ts"],
    [
      {
        id: "contracts-are-rounded",
        text: "approximates: besideNumber(language.approximates, isSpaced)",
        replacement: "approximates: within(language.approximates)",
        means: "a contract, 契約, or a book about cheese hides a contradiction"
      }
    ]
  ),
  ...faultsIn("packages/language/src/question/QuestionTerms.ts", [
    "packages/language/test/AnswerKind.test.ts"
  ], [
    {
      id: "words-are-no-numbers",
      text: "Languages.patternsOf(Languages.languageOf(sentence)).numberWords.test(sentence)",
      replacement: "false",
      means: "an answer in words, \"quarante jours\", stands beside the question"
    },
    {
      id: "conjunctions-ask-when",
      text: "const opening = \"(?:^|[¿,;:.!?])\\\\s*(?:\\\\p{L}+ ){0,2}\"",
      replacement: "const opening = \"\"",
      means: "\"what happens when\" in other languages is taken to ask for a date"
    }
  ]),
  ...faultsIn("packages/language/src/text/Sentences.ts", [
    "packages/language/test/Sentences.test.ts"
  ], [
    {
      id: "ordinals-end-sentences",
      text: "if (isNumber && isOrdinal(before, next)) return true",
      replacement: "",
      means: "\"am 4. Mai\" is quoted as \"am 4.\""
    },
    {
      id: "short-forms-end-before-numbers",
      text: "if (isShort(abbreviationsOfNumbers, word) && /^\\d/.test(next)) return true",
      replacement: "",
      means: "\"§ 556 Abs. 3\" is quoted as \"§ 556 Abs.\""
    }
  ]),
  ...faultsIn("packages/language/src/statements/QuotedPassage.ts", [
    "packages/language/test/QuotedPassage.test.ts"
  ], [
    {
      id: "passage-list-without-lead",
      text: "if (block.kind === \"item\") return leadIn(look, place)",
      replacement: "if (block.kind === \"item\") return own.start",
      means: "what may not be brought is quoted as what there is to bring"
    },
    {
      id: "passage-row-without-head",
      text: "if (block.kind === \"row\") return headOf(look, place)",
      replacement: "if (block.kind === \"row\") return block.start",
      means: "days without service are quoted as days"
    },
    {
      id: "passage-dangling",
      text: "!words.pointsBack.test(sentence) && !isOpen",
      replacement: "!isOpen",
      means: "\"It reopened on Monday.\" is quoted without what reopened"
    },
    {
      id: "passage-not-taken-back",
      text: "return takesBack || isOpen ? next.end : own.end",
      replacement: "return own.end",
      means: "a rumour is quoted without the sentence that calls it wrong"
    },
    {
      id: "passage-cut-off",
      text: "if (question.test(sentence) || cutOff.test(sentence)) return undefined",
      replacement: "if (question.test(sentence)) return undefined",
      means: "half a sentence stands as a claim"
    },
    {
      id: "passage-footnote",
      text: "return !isNoted && isSound(",
      replacement: "return isSound(",
      means: "\"free*\" is quoted without what the asterisk takes away"
    },
    {
      id: "passage-answer-alone",
      text: "  if (isAnswer) return undefined\n",
      replacement: "",
      means: "\"Yes, until May.\" is quoted without its question"
    },
    {
      id: "passage-heading-lost",
      text: "before.kind === \"heading\" && words.takesBack.test(said)",
      replacement: "false",
      means: "a myth is quoted without the word above it"
    }
  ]),
  ...faultsIn(`${pack}/Judgement.ts`, ["test/domain/Judgement.test.ts"], [
    {
      id: "judged-unvetoed",
      text: "Vetoes.find(worded, quotesOf(proposal), locale) === undefined",
      replacement: "true",
      means: "a number that no source has stands because a judge nodded"
    },
    {
      id: "judged-any-yes",
      text: "said.every(({ judgement }) => judgement === \"supported\")",
      replacement: "said.some(({ judgement }) => judgement === \"supported\")",
      means: "a judge that contradicts itself confirms"
    },
    {
      id: "judged-rules",
      text: "section !== \"constraints_and_rules\" &&",
      replacement: "",
      means: "a rule is told in a model's words"
    },
    {
      id: "judged-unasked",
      text: "const isConfirmed = said.length > 0 &&",
      replacement: "const isConfirmed =",
      means: "without a judge every rephrasing stands"
    },
    {
      id: "judged-verbatim-ignored",
      text: "isConfirmed && wanted !== \"verbatim\" &&",
      replacement: "isConfirmed &&",
      means: "a caller who wants the sources' words gets a model's"
    },
    {
      id: "judged-beside-ignored",
      text: "beside_question === true || said.some(isBesideQuestion)",
      replacement: "beside_question === true",
      means: "what a judge found to speak of another country stands as the answer"
    }
  ]),
  ...faultsIn("packages/language/src/statements/Sameness.ts", [
    "packages/language/test/Vetoes.test.ts"
  ], [
    {
      id: "veto-name",
      text: "return nameTerms(claim).every(isKnown) ?",
      replacement: "return true ?",
      means: "a place that no source names stands in a claim"
    },
    {
      id: "veto-reader",
      text: "speaksOfUser(claim) && !speaksOfUser(quoted) &&",
      replacement: "speaksOfUser(claim) && speaksOfUser(quoted) &&",
      means: "a writer's order to the reader stands as a fact"
    },
    {
      id: "veto-denial",
      text: "return isAdded(\"negates\") ? \"negation\"",
      replacement: "return false ? \"negation\"",
      means: "the opposite of the quotation stands"
    }
  ]),
  ...faultsIn(`${pack}/Judgement.ts`, ["test/domain/NeverAboutUser.test.ts"], [
    {
      id: "judged-foreign",
      text: "if (!isTranslated({ text, quotes })) return text",
      replacement: "if (quotes.length > 0) return text",
      means: "what a writer says of the user in another language than the quotation stands"
    }
  ]),
  ...faultsIn(
    "packages/language/src/statements/Sameness.ts",
    ["test/domain/NeverAboutUser.test.ts"],
    [
      {
        id: "veto-case",
        text: "if (isAdded(\"singlesOut\") || isAdded(\"given\")) return \"case\"",
        replacement: "",
        means: "a source's rule is told as one about this very person"
      },
      {
        id: "veto-requests",
        text: ".requests.test(quoted)",
        replacement: ".reader.test(quoted)",
        means: "a translated word to the reader is lost though its source asks the reader"
      },
      {
        id: "veto-numerals",
        text: "quantities(Languages.withDigits(claim))",
        replacement: "quantities(claim)",
        means: "a number in words passes for none, or for another, in a translation"
      },
      {
        id: "veto-words",
        text: "return parts.some(isStrange) ?",
        replacement: "return parts.every(isStrange) ?",
        means: "a sentence of the writer's own rides behind a quoted one"
      }
    ]
  ),
  ...faultsIn(
    "packages/language/src/passages/Chunking.ts",
    ["test/domain/NeverAboutUser.test.ts"],
    [
      {
        id: "unquoted-unheld",
        text: "said.isSubsetOf(new Set(terms(text.slice(start, end))))",
        replacement: "true",
        means: "what a model makes up of anything is shown as uncertain"
      },
      {
        id: "unquoted-user",
        text: "if (speaksOfUser(claim)) return false",
        replacement: "",
        means: "what a model makes up of the user is shown as uncertain"
      }
    ]
  ),
  ...faultsIn(`${pack}/Contradiction.ts`, ["test/domain/Corroboration.test.ts"], [
    {
      id: "contradiction-denial",
      text: "Sameness.isDenied(said, read) && Sameness.sameNumbers(said, read) ||",
      replacement: "",
      means: "\"can\" and \"cannot\" of two sites both stand"
    },
    {
      id: "contradiction-of-some",
      text: "if (Sameness.isLimited(said) || Sameness.isLimited(read)) return false\n",
      replacement: "",
      means: "\"some allow it\" and \"some do not\" are called a dispute"
    }
  ]),
  ...faultsIn("packages/language/src/language/Languages.ts", [
    "packages/language/test/Languages.test.ts"
  ], [
    {
      id: "language-spelling",
      text: "letters.some((some) => spelled.includes(some)) ? 1 : 0",
      replacement: "0",
      means: "a short German text counts as English"
    }
  ]),
  ...faultsIn("src/domain/need/NeedRules.ts", ["test/domain/NeedRules.test.ts"], [
    {
      id: "standalone-word",
      text: "user_question === undefined && plainWord.test(topic)",
      replacement: "false",
      means: "a plain word is searched for, in whatever sense comes first"
    },
    {
      id: "standalone-scene",
      text: "!isSetUp && user_question === undefined",
      replacement: "user_question === undefined",
      means: "a scene of one word is asked back"
    }
  ]),
  ...faultsIn("packages/language/src/gate/NeedScore.ts", ["test/domain/GateModel.test.ts"], [
    {
      id: "gate-unread",
      text: "features.shape.isUnread ? 0 : -Infinity",
      replacement: "-Infinity",
      means: "a question in a script without word lists is left without a search"
    }
  ]),
  ...faultsIn(`${pack}/TopicSentences.ts`, ["test/domain/TopicSentences.test.ts"], [
    {
      id: "topic-untitled",
      text: "title.size === 0 || ",
      replacement: "",
      means: "pages without a title say nothing on a topic"
    }
  ]),
  ...faultsIn(`${pack}/Succession.ts`, ["test/domain/Supersession.test.ts"], [
    {
      id: "succession-ends",
      text: "said.isEnded && !read.isEnded && areOfOneName(question, newer, older)",
      replacement: "false",
      means: "a rule stands beside the news that it was abolished"
    },
    {
      id: "succession-other-name",
      text: "asked.every((term) => !named.has(term) || shared.includes(term)) &&",
      replacement: "",
      means: "the end of one levy overtakes what is told of another"
    },
    {
      id: "succession-drafts",
      text: "isDecided ? 1 : daysApartMin",
      replacement: "daysApartMin",
      means: "a draft stands beside the decision of the next weeks"
    }
  ]),
  ...faultsIn(`${pack}/Contradiction.ts`, ["test/domain/Supersession.test.ts"], [
    {
      id: "contradiction-unsettled",
      text: "isBorneOut(claims[place], claims[pair.left + pair.right - place], undisputed)",
      replacement: "place < 0",
      means: "the figure that an authority gives, too, is in dispute"
    },
    {
      id: "contradiction-other-things",
      text: " && Sameness.mayMeanTheSame(question, said, read)",
      replacement: "",
      means: "the price of lunch disputes the price of admission"
    }
  ]),
  ...faultsIn(`${pack}/PackAssembly.ts`, ["test/domain/Supersession.test.ts"], [
    {
      id: "pack-figure-lacking",
      text: "isLocal && lacksAnswer(question, claim)",
      replacement: "false",
      means: "a closing day answers what something costs"
    },
    {
      id: "pack-denial-lacking",
      text: "!Languages.isNegated(text) &&",
      replacement: "",
      means: "\"costs nothing\" does not answer what something costs"
    },
    {
      id: "pack-eclipsed-figures",
      text: "AnswerSlot.kindOf(question) === \"number\" ? best : best * eclipsedShareMax",
      replacement: "best * eclipsedShareMax",
      means: "what gives none of the disputed figures answers in their place"
    }
  ]),
  ...faultsIn("src/domain/plan/PlanRules.ts", ["test/domain/PlanRules.test.ts"], [
    {
      id: "plan-with-the-story",
      text: "...(wording.startsWith(asked) ? [] : [asked]),",
      replacement: "",
      means: "a question behind a story is searched for with the story alone"
    },
    {
      id: "plan-without-places",
      text: "...new Set(names)].join(\" \")",
      replacement: "].join(\" \")",
      means: "a question behind a story is searched for without its place"
    }
  ]),
  ...faultsIn(
    "packages/language/src/statements/AnswerSlot.ts",
    ["packages/language/test/AnswerSlot.test.ts"],
    [
      {
        id: "slot-asks-whether",
        text: "if (yesOrNo.test(question)) return \"other\"",
        replacement: "",
        means: "\"can I deduct the cost\" is answered by figures alone"
      }
    ]
  ),
  ...faultsIn(
    "packages/language/src/question/QuestionTerms.ts",
    ["packages/language/test/Answering.test.ts"],
    [
      {
        id: "terms-told-beside",
        text: "asked.has(term) ? 1 : besideWeight",
        replacement: "1",
        means: "what the asker tells counts as what a sentence lacks"
      },
      {
        id: "terms-of-little",
        text: "const askedTermsMin = 3",
        replacement: "const askedTermsMin = 0",
        means: "\"is that legal\" is looked for without what it refers to"
      },
      {
        id: "terms-asking",
        text: "terms(Languages.withoutAsking(question))",
        replacement: "terms(question)",
        means: "\"how much\" in Korean counts as what a sentence lacks"
      }
    ]
  ),
  ...faultsIn("packages/language/src/question/QuestionTerms.ts", [
    "packages/language/test/Answering.test.ts"
  ], [
    {
      id: "asked-whole",
      text: "actual whole entire",
      replacement: "actual entire",
      means: "a sentence on the deposit is of another thing than the whole deposit"
    }
  ]),
  ...faultsIn(`${pack}/Rating.ts`, ["test/domain/Supersession.test.ts"], [
    {
      id: "rating-unsettled",
      text: " || isUnsettled(claims)",
      replacement: "",
      means: "a pack whose sources contradict each other undecided counts as high"
    },
    {
      id: "rating-long-ago",
      text: "answer.freshness === \"outdated\" || ",
      replacement: "",
      means: "a pack on a source of long ago counts as high"
    }
  ]),
  ...faultsIn("src/domain/view/EvidenceBlock.ts", ["test/domain/BlockSelection.test.ts"], [
    {
      id: "block-without-before",
      text: "fitting([{ page, place }, { page, place: place - 1 }]) ?? ",
      replacement: "",
      means: "a sentence stands in the block without the one that it leans on"
    },
    {
      id: "block-filled-up",
      text: "score < scoreShareMin * best",
      replacement: "score < 0",
      means: "the block is filled with what has nothing to do with the question"
    },
    {
      id: "block-said-twice",
      text: "candidates.toReversed().map((one) => [one.text, one])",
      replacement: "candidates.toReversed().map((one) => [one, one])",
      means: "the same sentence of two pages takes the place of another"
    },
    {
      id: "block-doubt-lost",
      text: "isDoubted: doubts.some(({ end, start }) => start < run.end && run.start < end)",
      replacement: "isDoubted: false",
      means: "what the pack disputes is shown as evidence like any other"
    }
  ]),
  ...faultsIn("src/domain/pack/PackAssembly.ts", ["test/domain/Countries.test.ts"], [
    {
      id: "pack-other-country",
      text: "told.size > 0 && Array.from(told).every((code) => !asked.has(code))",
      replacement: "false",
      means: "another country's emergency number stands as the answer"
    },
    {
      id: "pack-region-unasked",
      text: "if (region !== undefined) asked.add(region.country)\n",
      replacement: "",
      means: "the region of the request does not count as asked about"
    }
  ])
]
