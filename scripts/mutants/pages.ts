/** Faults of what is read off a page. */
import type { Mutant } from "./Mutant.ts"

const charset = "packages/pages/src/Charset.ts"
const charsetTests = ["test/infrastructure/PageBytes.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "page-charset-about",
    file: charset,
    text: "isDeclaration ? inContent",
    replacement: "content !== \"\" ? inContent",
    means: "what a page says of a charset in its description decides how it is read",
    tests: charsetTests
  },
  {
    id: "page-charset-unknown",
    file: charset,
    text: "Option.firstSomeOf(labels.map(asAscii).map(named))",
    replacement: "Option.flatMap(Option.fromUndefinedOr(labels.map(asAscii)[0]), named)",
    means: "a declaration that names nothing hides the one after it",
    tests: charsetTests
  },
  {
    id: "page-entity-unknown",
    file: "packages/pages/src/markdown/Markdown.ts",
    text: "if (named === whole) return literal(scan, at, 1)",
    replacement: "if (named === whole) return at + whole.length",
    means: "words after an ampersand are lost",
    tests: ["test/adapters/JinaMarkdown.test.ts"]
  }
]
