/** Faults of the sealed processes that read what strangers wrote, and of a service's processes. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const frame = "packages/pages/src/sealed/SealedWork.ts"
const sealed = "packages/pages/src/sealed/SealedProcess.ts"
const work = "packages/pages/src/sealed/SealedWork.ts"
const watch = "packages/pages/src/sealed/SealedWatch.ts"
const processTests = [
  "test/infrastructure/SealedProcess.test.ts",
  "packages/pages/test/Frame.test.ts"
] as const

export const mutants: ReadonlyArray<Mutant> = [
  {
    id: "frame-any-length",
    file: frame,
    text: "length > bytesMax || bytes > headBytes + length",
    replacement: "bytes > headBytes + length",
    means: "a worker that was taken over fills the service's memory",
    tests: processTests
  },
  {
    id: "frame-more-behind",
    file: frame,
    text: "length > bytesMax || bytes > headBytes + length",
    replacement: "length > bytesMax",
    means: "what a worker sends behind its answer is taken for a part of it",
    tests: processTests
  },
  {
    id: "frame-early",
    file: frame,
    text: `if (bytes < headBytes) return "more"`,
    replacement: "",
    means: "an answer whose length comes in two parts breaks the reader",
    tests: processTests
  },
  {
    id: "frame-endian",
    file: frame,
    text: "readUInt32LE()",
    replacement: "readUInt32BE()",
    means: "no worker is ever understood",
    tests: processTests
  },
  {
    id: "sealed-environment",
    file: sealed,
    text: "{ env: {}, stdio",
    replacement: "{ stdio",
    means: "a page that takes a worker over reads every key of the service",
    tests: processTests
  },
  {
    id: "sealed-heap",
    file: sealed,
    text: `\`--max-old-space-size=\${heapMibMax - 3 * semiSpaceMib}\`,`,
    replacement: "",
    means: "one page takes the memory of the whole machine",
    tests: processTests
  },
  {
    id: "sealed-not-killed",
    file: sealed,
    text: `child.kill("SIGKILL")`,
    replacement: `child.kill("SIGWINCH")`,
    means: "a worker that spins is never ended",
    tests: processTests
  },
  {
    id: "sealed-gone-unseen",
    file: sealed,
    text: "if (hasEnded(child)) return onExit()",
    replacement: "",
    means: "who asks a worker that is gone waits for ever",
    tests: processTests
  },
  {
    id: "sealed-memory-untold",
    file: sealed,
    text: `signalCode === "SIGABRT" || signalCode === "SIGKILL" || exitCode === 134`,
    replacement: "exitCode === 134",
    means: "a page that takes too much memory is told as a bug",
    tests: processTests
  },
  {
    id: "sealed-broken-waits",
    file: sealed,
    text: `if (frame === "broken") lose("crashed")`,
    replacement: `if (frame === "broken") return`,
    means: "who asks a worker that lies waits for ever",
    tests: processTests
  },
  {
    id: "sealed-listens-on",
    file: sealed,
    text: `child.off("exit", onExit).off("error", onError)`,
    replacement: "",
    means: "each page leaves listeners behind",
    tests: processTests
  },
  {
    id: "sealed-half-written",
    file: sealed,
    text: "!question.isUnwritten && channel.writableLength === 0",
    replacement: "channel.writableLength === 0",
    means: "a page is let go before the worker has all of it",
    tests: processTests,
    equivalent:
      "The next piece is written in the very turn in which the channel is drained, so that " +
      "nobody sees an empty channel before the last piece."
  },
  {
    id: "work-serves-beyond",
    file: work,
    text: `if (question === "broken") return process.exit(1)`,
    replacement: `if (question === "broken") return`,
    means: "a question beyond the bound is never answered",
    tests: processTests
  },
  {
    id: "work-outlives",
    file: work,
    text: `if (exit._tag === "Failure") return process.exit(1)`,
    replacement: `if (exit._tag === "Failure") return`,
    means: "a page that fails its worker is waited for till its time is over",
    tests: processTests
  },
  {
    id: "watch-blind-memory",
    file: watch,
    text: " || process.memoryUsage.rss() > rssBytesMax",
    replacement: "",
    means: "buffers of one page take the memory of the whole machine",
    tests: processTests
  },
  {
    id: "watch-blind-parent",
    file: watch,
    text: "process.ppid !== parentPid || ",
    replacement: "",
    means: "workers of a killed service spin on for ever",
    tests: processTests
  },
  ...faultsIn("src/infrastructure/process/ServiceProcesses.ts", [
    "test/faults/serviceProcesses.test.ts"
  ], [
    {
      id: "processes-not-replaced",
      text: "Effect.andThen(Effect.sleep(replaceAfter)))",
      replacement: "Effect.andThen(Effect.never))",
      means: "a service has one process less after each crash"
    },
    {
      id: "processes-hang",
      text: "unanswered += 1",
      replacement: "unanswered += 0",
      means: "connections are handed to a process that hangs, for ever"
    },
    {
      id: "processes-stubborn",
      text: "if (Option.isNone(ended)) worker.process.kill(\"SIGKILL\")",
      replacement: "if (Option.isNone(ended)) worker.process.kill(\"SIGTERM\")",
      means: "a process that hangs while it ends is left behind, with its connections"
    },
    {
      id: "processes-one-by-one",
      text: "=> keep(number, firstServing), {",
      replacement: "=> Effect.forkScoped(keep(number, firstServing)), {",
      means: "each process waits to end until the one before has ended, until a platform kills them"
    },
    {
      id: "processes-outage",
      text: "const gatherWaitMs = 4_000",
      replacement: "const gatherWaitMs = 2_000",
      means: "the metrics are empty while the database does not answer"
    },
    {
      id: "processes-start",
      text: "Deferred.fail(firstServing, new ProcessNotStarted({ number, ended })),",
      replacement: "Deferred.isDone(firstServing),",
      means: "a service with a bad setting is started again and again"
    }
  ]),
  {
    id: "processes-own-metrics",
    file: "src/wiring/Serving.ts",
    text: "    ? Effect.map(ServiceProcess.linked(text), Effect.map(ProcessTexts.mergedText))",
    replacement: "    ? Effect.as(ServiceProcess.linked(text), text)",
    means: "a scrape has the figures of one process, and of another one the next time",
    tests: ["test/faults/serviceProcesses.test.ts"]
  }
]
