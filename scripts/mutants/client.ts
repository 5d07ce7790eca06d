/** Faults of the client of promises: what is repeated, what goes on, what ends, what is told. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const faults = ["test/faults/clientFaults.test.ts"] as const
const service = ["test/e2e/promiseClient.test.ts"] as const
const frames = ["test/adapters/EventFrames.test.ts"] as const
const built = ["test/e2e/builtService.test.ts"] as const
const packages = ["test/e2e/clientPackage.test.ts"] as const
const contract = ["test/architecture/clientContract.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("packages/client/src/connect.ts", faults, [
    {
      id: "client-new-id",
      text: "        ? { ...request, deadline_ms: leftMs }\n        : request\n",
      replacement: "        ? { ...request, request_id: newRequestId(), deadline_ms: leftMs }\n" +
        "        : { ...request, request_id: newRequestId() }\n",
      means: "each try is a request of its own and is paid again"
    },
    {
      id: "client-lost-place",
      text: "const after = isFirst ? last : last ?? 0",
      replacement: "const after = last === -1 ? last : undefined",
      means: "facts that were recorded while the line was down are never told",
      tests: service
    },
    {
      id: "client-told-twice",
      text: "if (last !== undefined && data.stream_version <= last) continue",
      replacement: "",
      means: "a fact is told again"
    },
    {
      id: "client-cut-is-end",
      text: "throw new Fault({ _tag: \"Lost\", reason: \"reset\", hasRun: true })",
      replacement: "return",
      means: "a stream that was cut looks like one that has ended"
    },
    {
      id: "client-others-outcome",
      text: "if (data.request_id !== request.request_id) throw",
      replacement: "if (data.request_id === \"\") throw",
      means: "another request's answer is taken for this one's"
    },
    {
      id: "client-no-deadline",
      text: "const asking = leftMs < (input.deadline_ms ?? fallbackMs)",
      replacement: "const asking = leftMs < 0",
      means: "the service works on after the caller has given up"
    },
    {
      id: "client-pages-once",
      text: "after = page.next !== undefined && page.next > after ? page.next : undefined",
      replacement: "after = undefined",
      means: "a long session is told up to its first page",
      tests: service
    }
  ]),
  ...faultsIn("packages/client/src/Call.ts", faults, [
    {
      id: "client-deaf",
      text: "  ends.add(end)\n",
      replacement: "",
      means: "a signal does not end a call"
    },
    {
      id: "client-left-open",
      text: "    end.abort()\n  }\n}",
      replacement: "  }\n}",
      means: "whoever stops reading keeps a place of the service",
      equivalent: "the reading of the answer ends with its loop, which closes the line too"
    },
    {
      id: "client-impatient",
      text: "  if (toldMs !== undefined) {",
      replacement: "  if (toldMs === -1) {",
      means: "a busy service is asked again at once"
    },
    {
      id: "client-repeats-all",
      text: "if (told._tag === \"Unexpected\") return undefined",
      replacement: "if (told._tag === \"Unexpected\") return 0",
      means: "what is not this service is asked again and again"
    },
    {
      id: "client-repeats-mistakes",
      text: "!passing.has(told.problem.type.split(\":\").at(-1) ?? \"\")",
      replacement: "told.problem.type === \"\"",
      means: "a wrong input is sent again"
    },
    {
      id: "client-late",
      text: "Date.now() + ms >= untilMs",
      replacement: "false as boolean",
      means: "the caller is not told when to come again, but waits in vain"
    },
    {
      id: "client-nameless",
      text: "request_id === undefined ? problem : { ...problem, request_id }",
      replacement: "problem",
      means: "a caller does not learn under which id to ask again"
    }
  ]),
  ...faultsIn("packages/client/src/Exchange.ts", faults, [
    {
      id: "client-echoed-token",
      text: "secret === undefined ? text : text.replaceAll(secret, \"[secret]\")",
      replacement: "secret === undefined ? text : text",
      means: "a token that somebody sends back stands in an error"
    },
    {
      id: "client-leaked-cause",
      text: "const detail = texts.find((text) => /^[A-Z][A-Z0-9_]{2,40}$/.test(text))",
      replacement: "const detail = texts.find((text) => text !== \"\")",
      means: "what a fetch says of its headers stands in an error"
    },
    {
      id: "client-endless-body",
      text: "if (chars > charsMax) throw",
      replacement: "if (chars < 0) throw",
      means: "an answer without an end fills the memory of the caller"
    },
    {
      id: "client-followed",
      text: "signal, redirect: \"manual\" } as const",
      replacement: "signal, redirect: \"follow\" as \"manual\" }",
      means: "a call and its token go where a stranger points"
    },
    {
      id: "client-silence",
      text: "return await unlessAborted(unlessAborted(promise, silence.signal), signal)",
      replacement: "return await unlessAborted(promise, signal)",
      means: "a line that died without a word holds a call until its end"
    },
    {
      id: "client-deaf-fetch",
      text: "return await unlessAborted(sent, signal)",
      replacement: "return await sent",
      means: "a fetch that knows no signal holds a call for ever"
    }
  ]),
  ...faultsIn("packages/client/src/EventFrames.ts", frames, [
    {
      id: "client-endless-frame",
      text:
        "    chars += rest.length\n    if (chars > frameCharsMax) throw new FrameTooLarge()\n    return frames",
      replacement: "    return frames",
      means: "an event without an end fills the memory of the caller"
    },
    {
      id: "client-split-return",
      text: "isAfterReturn && piece.startsWith(\"\\n\") ? 1 : 0",
      replacement: "0",
      means: "an event that is cut between two signs of a line end is told in halves"
    }
  ]),
  ...faultsIn("packages/client/src/Failure.ts", faults, [
    {
      id: "client-control-signs",
      text: ".replace(/[\\p{Cc}\\p{Cf}\\u2028\\u2029]+/gu, \" \")",
      replacement: "",
      means: "a stranger's answer writes on the caller's terminal"
    }
  ]),
  ...faultsIn("packages/client/src/Options.ts", faults, [
    {
      id: "client-token-line",
      text: "if (!/^[\\x21-\\x7e]{1,4096}$/.test(token)) {",
      replacement: "if (token === \"\") {",
      means: "a token with a line break is told by the platform's own error"
    }
  ]),
  ...faultsIn("bin/sources.js", built, [
    {
      id: "client-stale-names",
      text: "hash.update(`${file}\\0`).update(readFileSync(join(root, file))).update(\"\\0\")",
      replacement: "hash.update(readFileSync(join(root, file)))",
      means: "a clone with a file more runs what was built before",
      tests: built
    }
  ]),
  ...faultsIn("bin/wg.js", packages, [
    {
      id: "client-unbuilt-bin",
      text: "if (!isClone) return true",
      replacement: "if (!isClone) return false",
      means: "the command of an installed package looks for sources that are not there",
      tests: built
    },
    {
      id: "client-stale-bin",
      text: "=== digestOfSources()",
      replacement: "!== \"\"",
      means: "a clone whose sources were edited runs what was built before",
      tests: built
    }
  ]),
  ...faultsIn("src/infrastructure/postgres/Migrations.ts", packages, [
    {
      id: "client-unbuilt-migrations",
      text: "import.meta.url.endsWith(\".ts\") ? \"ts\" : \"js\"",
      replacement: "\"ts\"",
      means: "an installed service cannot make its database"
    }
  ]),
  ...faultsIn("packages/client/tsconfig.effect.json", packages, [
    {
      id: "client-no-effect",
      text: "\"outDir\": \"dist/effect\"",
      replacement: "\"outDir\": \"dist/other\"",
      means: "an entry of the package leads nowhere"
    }
  ]),
  ...faultsIn("src/contract/FailureTable.ts", contract, [
    {
      id: "client-stale-kinds",
      text: "{ status: 410, title: \"The session's content was erased\" }",
      replacement: "{ status: 410, title: \"The session was erased\" }",
      means: "the client says other things than the service"
    }
  ])
]
