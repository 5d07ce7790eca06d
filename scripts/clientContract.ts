/** Writes the client's files of the contract. A test fails when they differ from what is there. */
import { writeFileSync } from "node:fs"
import { clientFiles } from "./contract/ClientFiles.ts"

for (const { path, text } of clientFiles()) {
  writeFileSync(path, text)
  console.log(path)
}
