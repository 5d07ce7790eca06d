/** What can be said without a database and without child processes: the tests of every minute. */
import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: [
      "test/architecture/**/*.test.ts",
      "test/golden/**/*.test.ts",
      "test/domain/**/*.test.ts",
      "test/application/**/*.test.ts",
      "test/adapters/**/*.test.ts"
    ],
    exclude: [
      // These need PostgreSQL.
      "test/application/EvidenceStore.test.ts",
      "test/application/ProjectionRunner.test.ts",
      // This one starts processes and waits for them.
      "test/adapters/PageExtraction.test.ts"
    ],
    testTimeout: 60_000,
    pool: "forks",
    isolate: false,
    maxWorkers: 2
  }
})
