/** What needs neither a database nor child processes, what needs either, and what needs to be alone. */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import * as BuiltWorkers from "./test/support/builtWorkers.ts"

const common = {
  // A busy machine takes ten times as long; what hangs is ended all the same.
  testTimeout: 240_000,
  hookTimeout: 240_000,
  pool: "forks",
  // Of all processes that tests start: their sources are compiled once.
  env: {
    NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
    ...BuiltWorkers.environment
  },
  // Tests wait as much as they compute: two cores are kept busy by three.
  maxWorkers: 3
} as const

/** A browser's packages stand among the tests once one has run, with tests of their own. */
const packages = "**/node_modules/**"

const fastFolders = "architecture,golden,domain,application,adapters,simulation"

const slowOfFastFolders = [
  // These need PostgreSQL.
  "test/application/EvidenceStore.test.ts",
  "test/application/ProjectionRunner.test.ts",
  // These start servers or processes and wait for them.
  "test/adapters/DocumentFiles.test.ts",
  "test/adapters/EvidenceIngest.test.ts",
  "test/adapters/ModelTasks.test.ts",
  "packages/pages/test/SealedProcess.test.ts",
  "packages/sandbox/test/SandboxSites.test.ts"
]

/** These measure memory or time, or change what their process has but once. */
const alone = [
  "packages/pages/test/PageExtraction.test.ts",
  "packages/client/test/ClientFaults.test.ts",
  "test/faults/databaseAway.test.ts",
  "packages/safe-fetch/test/hostileBodies.test.ts",
  "test/faults/hostileCallers.test.ts",
  "test/faults/privateDirectory.test.ts",
  "test/faults/projectionTail.test.ts",
  "test/infrastructure/EmbeddedPostgres.test.ts"
]

const fast = {
  ...common,
  name: "fast",
  include: [`test/{${fastFolders}}/**/*.test.ts`, "packages/*/test/**/*.test.ts"],
  exclude: [packages, ...slowOfFastFolders, ...alone],
  // None of these files keeps anything that another could find.
  isolate: false
}

/** These need a server, and keep what they make of it to themselves. */
const served = {
  ...common,
  name: "served",
  include: [`test/!(${fastFolders.replaceAll(",", "|")})/**/*.test.ts`, ...slowOfFastFolders],
  exclude: [packages, ...alone],
  globalSetup: ["test/support/postgresServer.ts"],
  isolate: false
}

export const slow = {
  ...common,
  name: "slow",
  include: alone,
  globalSetup: ["test/support/postgresServer.ts"]
}

/** Long files that mostly wait go first, so that at the end many short ones keep every core busy. */
const order = ["slow", "served", "fast"]

class LongFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>) {
    const place = ({ project }: TestSpecification) => order.indexOf(project.name)
    return (await super.sort(files)).sort((left, right) => place(left) - place(right))
  }
}

export const projects = [fast, served, slow].map((test) => ({
  test,
  plugins: [BuiltWorkers.plugin]
}))

export default defineConfig({
  test: {
    projects,
    sequence: { sequencer: LongFirst }
  }
})
