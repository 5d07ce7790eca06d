/**
 * Writes what the client knows of the contract: `node scripts/clientContract.ts`. A test fails when
 * what it would write differs from what is there.
 */
import { writeFileSync } from "node:fs"
import { clientFiles } from "./contract/ClientFiles.ts"

for (const { path, text } of clientFiles()) {
  writeFileSync(path, text)
  console.log(path)
}
