/** How the project's TypeScript is formatted. */
import { createFromBuffer } from "@dprint/formatter"
import { getPath } from "@dprint/typescript"
import { readFileSync } from "node:fs"

const formatter = createFromBuffer(readFileSync(getPath()))

formatter.setConfig({ lineWidth: 100, indentWidth: 2, useTabs: false }, {
  semiColons: "asi",
  quoteStyle: "alwaysDouble",
  trailingCommas: "never",
  operatorPosition: "maintain",
  "arrowFunction.useParentheses": "force",
  "functionExpression.spaceAfterFunctionKeyword": false
})

export const formatted = (filePath: string, fileText: string): string =>
  formatter.formatText({ filePath, fileText })
