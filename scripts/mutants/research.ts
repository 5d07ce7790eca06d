/** Faults of research and outlines: what is kept of a proposal, and how far it is relied on. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const research = "src/domain/research"
const outlines = ["test/domain/OutlineFindings.test.ts"] as const
const readings = ["test/domain/ResearchReading.test.ts"] as const
const confidences = ["test/domain/ResearchConfidence.test.ts"] as const
const courses = ["test/application/OutlinedCourse.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn(`${research}/Fit.ts`, ["test/domain/CourseFit.test.ts"], [
    {
      id: "fit-country-twice",
      text: "filter((word) => Countries.countriesIn(word).size === 0)",
      replacement: "filter((word) => Countries.countriesIn(`${word}!`).size < 99)",
      means: "a page on any matter of the country is about the course"
    },
    {
      id: "fit-beside-other-place",
      text: "if (fit >= fittingMin || isElsewhere) return []",
      replacement: "if (fit >= fittingMin) return []",
      means: "a page on another country is named as the nearest"
    }
  ]),
  ...faultsIn(`${research}/Disagreement.ts`, ["test/domain/CourseFit.test.ts"], [
    {
      id: "disagreement-of-anybody",
      text: "sources.filter((source) => source.official).map(",
      replacement: "sources.map(",
      means: "a blog is told as the official word against another"
    },
    {
      id: "disagreement-unsaid",
      text: "Contradiction.contradict(\"\", line, description)",
      replacement: "Contradiction.contradict(description, line, description)",
      means: "pages that speak of another thing are told as disputed"
    }
  ]),
  ...faultsIn("src/domain/session/ResearchReading.ts", readings, [
    {
      id: "research-left-out-unsaid",
      text: "about.length === 0 ? besideNotes(course_title, sources) : []",
      replacement: "about.length < 0 ? besideNotes(course_title, sources) : []",
      means: "a page that was nearly chosen is not told"
    },
    {
      id: "research-dispute-unsaid",
      text: "      ...disagreementNotes(findings, about),\n",
      replacement: "",
      means: "a course teaches what an official page denies, and nobody is told"
    }
  ]),
  ...faultsIn(`${research}/OutlineFindings.ts`, outlines, [
    {
      id: "outline-unquoted",
      text: "onNone: () => \"\",",
      replacement: "onNone: () => quote,",
      means: "a model makes up the words that are to bear a module"
    },
    {
      id: "outline-short-quotes",
      text: "terms(quote).length < quoteTermsMin",
      replacement: "terms(quote).length < 0",
      means: "two words that every text has bear anything"
    },
    {
      id: "outline-other-source",
      text: "const from = read[source - 1]",
      replacement: "const from = read[source - 1] ?? read[0]",
      means: "what no source said is told of the first one"
    },
    {
      id: "outline-untitled",
      text: "      .filter(({ from }) => isBorne(name, from.held))\n",
      replacement: "",
      means: "a module of any name stands on a quotation about something else"
    },
    {
      id: "outline-described-at-will",
      text: "description: isTold ? told : first.quote",
      replacement: "description: told",
      means: "a model's own words describe what learners pay for"
    },
    {
      id: "outline-figures",
      text: "terms(text).every((term) => !/\\p{N}/u.test(term) || held.has(term))",
      replacement: "true",
      means: "a module names a period that no source has"
    },
    {
      id: "outline-outcome-unborne",
      text: "return isBorne(text, from.held) && shared",
      replacement: "return shared",
      means: "an outcome goes beyond its source"
    },
    {
      id: "outline-outcome-aside",
      text: "shared >= Math.min(quotedTermsMin, said.size)",
      replacement: "shared >= 0",
      means: "an outcome stands on a quotation about something else"
    },
    {
      id: "outline-instructed",
      text: "const name = shown(title, titleCharsMax)",
      replacement: "const name = title",
      means: "an order to a model is a module's title"
    },
    {
      id: "outline-parted",
      text: "if (known === undefined) return [...modules, next]",
      replacement: "if (known === undefined || place >= 0) return [...modules, next]",
      means: "what the house and the web both treat is taught twice"
    }
  ]),
  ...faultsIn(`${research}/OutlineComposition.ts`, outlines, [
    {
      id: "outline-unusable-web",
      text: "type === \"internal\" || web.is_usable",
      replacement: "true",
      means: "an outline rests on research that is not to be used"
    },
    {
      id: "outline-tells-left-out",
      text: "description: isWhole ? module.description : first.quote",
      replacement: "description: module.description",
      means: "the words of a source that was left out stay"
    },
    {
      id: "outline-hours-by-module",
      text: "wordCount / wordsPerMinute + practice",
      replacement: "practice",
      means: "a course has as many hours however much is to be read"
    }
  ]),
  ...faultsIn(`${research}/ResearchConfidence.ts`, confidences, [
    {
      id: "research-few-results",
      text: "Math.min(1, results / resultsMin) *",
      replacement: "1 *",
      means: "one result is as good as many"
    },
    {
      id: "research-one-site",
      text: "(sites < sitesMin ? aloneShare : 1)",
      replacement: "1",
      means: "a site that repeats itself is as good as two"
    },
    {
      id: "research-weak-fit",
      text: "Math.min(1, fit / fitEnough)",
      replacement: "1",
      means: "results beside the subject are as good as those on it"
    },
    {
      id: "research-after-failure",
      text: "isComposed && !hasFailed ? certainMax",
      replacement: "isComposed ? certainMax",
      means: "what followed a failed model is relied on"
    }
  ]),
  ...faultsIn("src/domain/session/ResearchReading.ts", readings, [
    {
      id: "research-beside",
      text: ".filter(({ fit }) => fit >= Fit.fittingMin)",
      replacement: ".filter(({ fit }) => fit >= 0)",
      means: "pages on something else count as results, and are named as sources"
    },
    {
      id: "research-failed-writer",
      text: "hasFailed(researched?.rung) || hasFailed(written?.rung)",
      replacement: "hasFailed(researched?.rung)",
      means: "research whose writer failed is of high confidence"
    },
    {
      id: "research-budget-untold",
      text: "reason_codes.includes(\"BUDGET_EXHAUSTED\") === true",
      replacement: "reason_codes.includes(\"BUDGET_EXHAUSTED\") === undefined",
      means: "whoever has no search left is not told so"
    }
  ]),
  ...faultsIn("src/application/ResearchTopic.ts", courses, [
    {
      id: "research-repeated-empty",
      text: "const source = own?.reused === undefined",
      replacement: "const source = own !== undefined",
      means: "research that was asked before under another id is empty"
    },
    {
      id: "research-blocking",
      text: "input.mode === \"blocking\" && !ResearchReading",
      replacement: "input.mode === \"skip\" && !ResearchReading",
      means: "whoever cannot do without the web is not told that it failed"
    },
    {
      id: "research-own-tier",
      text: "search_budget > Budget.limitOf(\"standard\") ? \"premium\"",
      replacement: "search_budget > Budget.limitOf(\"standard\") ? \"standard\"",
      means: "a session of its own cannot send the queries that were asked for"
    }
  ]),
  ...faultsIn("src/domain/session/NextStep.ts", courses, [
    {
      id: "outline-searched-again",
      text: ") ?? researchOf(session, request)",
      replacement: ")",
      means: "an outline spends the session's searches on what its research has found"
    },
    {
      id: "outline-of-reused-research",
      text: "(isResearchReused(answer, grounding) ? researching(answer) : undefined)",
      replacement: "undefined",
      means: "an outline after research is empty"
    }
  ]),
  ...faultsIn("src/application/steps/ResearchCourse.ts", courses, [
    {
      id: "research-nothing-borne-out",
      text: "outlineOf(draft).modules.length > 0",
      replacement: "true",
      means: "a model that makes things up leaves an empty outline where rules have one"
    }
  ]),
  ...faultsIn("src/application/replay/RecomputeStep.ts", courses, [
    {
      id: "replay-outline-documents",
      text: "event._tag === \"WEB_GROUNDING_RESEARCHED\" ? event.documents ?? [] : []",
      replacement: "[]",
      means: "no outline that rests on the house's documents replays"
    }
  ])
]
