/** Formats the project's TypeScript, or with `--check` names the files that are not formatted. */
import { createFromBuffer } from "@dprint/formatter"
import { getPath } from "@dprint/typescript"
import { globSync, readFileSync, writeFileSync } from "node:fs"

const formatter = createFromBuffer(readFileSync(getPath()))

formatter.setConfig({ lineWidth: 100, indentWidth: 2, useTabs: false }, {
  semiColons: "asi",
  quoteStyle: "alwaysDouble",
  trailingCommas: "never",
  operatorPosition: "maintain",
  "arrowFunction.useParentheses": "force",
  "functionExpression.spaceAfterFunctionKeyword": false
})

const isCheck = process.argv.includes("--check")
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const files = named.length > 0
  ? named
  : globSync("{src,test,bench,migrations,examples,scripts}/**/*.ts", {
    exclude: ["**/node_modules/**"]
  }).concat("vitest.config.ts")

const changed = files.sort().filter((filePath) => {
  const fileText = readFileSync(filePath, "utf8")
  const formatted = formatter.formatText({ filePath, fileText })
  if (formatted === fileText) return false
  if (!isCheck) writeFileSync(filePath, formatted)
  return true
})

console.log(`${files.length} files, ${changed.length} ${isCheck ? "not formatted" : "formatted"}`)
for (const file of changed) console.log(`  ${file}`)
if (isCheck && changed.length > 0) process.exitCode = 1
