/** A run of the one file that fails, set up as every run is: `test/e2e/testRun.test.ts`. */
import { defineConfig } from "vitest/config"
import { slow } from "../../vitest.config.ts"

export default defineConfig({ test: { ...slow, include: ["test/support/failing.ts"] } })
