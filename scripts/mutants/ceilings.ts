/** Ceilings that are changed without a look at those that depend on them. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const related = ["test/architecture/limits.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("src/application/sharing/SingleFlight.ts", related, [
    {
      id: "ceiling-heartbeat",
      text: "const heartbeatMs = 1_500",
      replacement: "const heartbeatMs = 4_000",
      means: "one late heartbeat ends a lease, and another process repeats the paid search"
    }
  ]),
  ...faultsIn("src/wiring/Serving.ts", related, [
    {
      id: "ceiling-exit",
      text: "export const exitMsMax = 19_000",
      replacement: "export const exitMsMax = 15_000",
      means: "the process ends itself while running groundings still have their grace"
    }
  ]),
  ...faultsIn("src/infrastructure/web/SafeFetch.ts", related, [
    {
      id: "ceiling-held",
      text: "const heldBytesMax = 12 * 1_024 * 1_024",
      replacement: "const heldBytesMax = 8 * 1_024 * 1_024",
      means: "the longest page of text can never be read, on however idle a machine"
    }
  ]),
  ...faultsIn("src/infrastructure/http/BoundedJson.ts", related, [
    {
      id: "ceiling-body",
      text: "export const bodyBytesMax = 512 * 1_024",
      replacement: "export const bodyBytesMax = 256 * 1_024",
      means: "a question that the contract allows is refused when its caller escapes letters"
    }
  ]),
  ...faultsIn("src/domain/pack/Confidence.ts", related, [
    {
      id: "ceiling-disputed",
      text: "const uncertainMax = 0.25",
      replacement: "const uncertainMax = 0.35",
      means: "a disputed claim counts as one to rely on"
    }
  ]),
  ...faultsIn("packages/pages/src/PageExtraction.ts", related, [
    {
      id: "ceiling-page-answer",
      text: "const answerBytesMax = 4 * 1_048_576",
      replacement: "const answerBytesMax = 2 * 1_048_576",
      means: "a long page in Chinese is lost as a crash of the worker that read it"
    }
  ]),
  ...faultsIn("packages/pages/src/TextBlocks.ts", ["packages/pages/test/TextBlocks.test.ts"], [
    {
      id: "page-rows-of-paragraphs",
      text: "texts.every(({ length }) => length <= cellCharsMax)",
      replacement: "texts.every(({ length }) => length > 0)",
      means: "the paragraphs of a page that is laid out as a table become one line"
    }
  ]),
  ...faultsIn("packages/pages/src/HtmlTree.ts", ["test/adapters/MainContent.test.ts"], [
    {
      id: "ceiling-page-width",
      text: "if (parent.childNodes.length < widthMax) return parent",
      replacement: "if (parent.childNodes.length < 1_000 * widthMax) return parent",
      means: "a page of one wide element takes many seconds to read"
    },
    {
      id: "page-names-as-they-are",
      text: "plainName.test(name) ? name : \"span\"",
      replacement: "name",
      means: "names of elements tear the tree, and what a page says stands on the console"
    }
  ]),
  ...faultsIn("packages/language/src/language/Languages.ts", [
    "packages/language/test/Remembered.test.ts"
  ], [
    {
      id: "remembered-everything",
      text: "if (recent.size === entriesMax) {",
      replacement: "if (recent.size < 0) {",
      means: "every text that ever came is kept in memory"
    },
    {
      id: "remembered-pages",
      text: "const own = structuredClone(text)",
      replacement: "const own = text",
      means: "a sentence that is remembered keeps its whole page in memory"
    }
  ])
]
