/** Formats the project's TypeScript, or with `--check` names the files that are not formatted. */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { formatted } from "./Formatter.ts"

const isCheck = process.argv.includes("--check")
const named = process.argv.slice(2).filter((argument) => !argument.startsWith("--"))
const files = named.length > 0
  ? named
  : globSync("{src,test,bench,migrations,examples,scripts,packages}/**/*.ts", {
    exclude: ["**/node_modules/**", "**/dist/**"]
  }).concat("vitest.config.ts")

const changed = files.sort().filter((filePath) => {
  const fileText = readFileSync(filePath, "utf8")
  const text = formatted(filePath, fileText)
  if (text === fileText) return false
  if (!isCheck) writeFileSync(filePath, text)
  return true
})

console.log(`${files.length} files, ${changed.length} ${isCheck ? "not formatted" : "formatted"}`)
for (const file of changed) console.log(`  ${file}`)
if (isCheck && changed.length > 0) process.exitCode = 1
