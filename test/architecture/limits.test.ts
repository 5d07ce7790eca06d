/**
 * Ceilings that depend on each other. Each row says what goes wrong once the first figure is larger
 * than the second: a change to one of them has to look at the other.
 */
import { assert, describe, it } from "@effect/vitest"
import { Duration } from "effect"
import { existsSync, globSync, readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { deadlineMsMax, deadlineMsOf } from "../../src/domain/request/GroundingRequest.ts"
import { table } from "../../src/infrastructure/Settings.ts"

// Named numbers of the sources, private ones too, and the bounds of settings.

const escaped = (name: string) => name.replace(/[$]/g, "\\$&")

/** Expressions that the source gives a constant or a field of this name. */
const expressionsOf = (source: string, name: string): ReadonlyArray<string> =>
  Array.from(
    source.matchAll(
      new RegExp(
        `(?:\\bconst ${escaped(name)}(?:: [^=\\n]+)? =|(?<![\\w.])${escaped(name)}:)\\s+` +
          `("[^"\\n]+"|[\\w.+\\-*/() ]*?\\d[\\w.+\\-*/() ]*?)(?=[,;}]|\\s*$)`,
        "gm"
      )
    ),
    ([, expression = ""]) => expression
  )

const valueOf = (source: string, name: string, where: string): number => {
  const [expression, ...others] = expressionsOf(source, name)
  if (expression === undefined || others.length > 0) {
    throw new Error(`${where}: ${expression === undefined ? "no" : "more than one"} ${name}`)
  }
  const text = /^"(.+)"$/.exec(expression)?.[1]
  if (text !== undefined) return Duration.toMillis(Duration.fromInputUnsafe(text as Duration.Input))
  const plain = expression.replace(
    /(?<![\w.])[A-Za-z_]\w*/g,
    (other) => String(valueOf(source, other, where))
  )
  return Number(runInNewContext(plain))
}

/**
 * Number in a source file, or in the one file of a folder that has it; a time in words, such as
 * "20 millis", counts in milliseconds.
 */
const constantIn = (place: string, name: string): number => {
  const files = place.endsWith(".ts") ? [place] : globSync(`${place}/**/*.ts`)
  const having = files.map((file) => readFileSync(file, "utf8"))
    .filter((source) => expressionsOf(source, name).length > 0)
  return valueOf(having.length > 1 ? "" : having[0] ?? "", name, place)
}

type Name = keyof typeof table

const numberIn = (text: string): number => Number(text.replaceAll(",", ""))

/** Default of a setting that is a number. */
const defaultOf = (name: Name): number => numberIn(table[name].default)

/** Bounds of a setting that is a number. */
const boundsOf = (name: Name): { readonly least: number; readonly most: number } => {
  const [, least = "", most = ""] = /^([\d.,]+) to ([\d.,]+)/.exec(table[name].bounds) ?? []
  return { least: numberIn(least.replace(/,$/, "")), most: numberIn(most.replace(/,$/, "")) }
}

const msInSecond = 1_000
/** Bytes of a character beyond the basic plane or of Chinese in UTF-8, for each UTF-16 code unit. */
const utf8BytesPerUnit = 3
/** Bytes of a code unit that JSON writes as `\uXXXX`. */
const escapeBytesPerUnit = 6
type Row = readonly [breaks: string, smaller: number, larger: number]

/** Constants of the files of a folder, wherever in it they are. */
const under = (folder: string) => (name: string, file: string) =>
  constantIn(existsSync(`${folder}/${file}.ts`) ? `${folder}/${file}.ts` : folder, name)
const from = (folder: string) => under(`src/${folder}`)
const step = from("application/steps")
const web = (name: string) => constantIn("packages/safe-fetch/src/SafeFetch.ts", name)
const pages = under("packages/pages/src")
const statements = under("packages/language/src/statements")
const search = from("domain/search")
const store = from("domain/store")
const ofRequest = (name: string) => from("domain/request")(name, "GroundingRequest")

/** Milliseconds that the standard tier leaves to the steps. */
const workMs = deadlineMsOf({ tier: "standard" }) - step("reserveMsMax", "Deadline")
const searchMs = workMs * step("Search", "Deadline")

const deadlines: ReadonlyArray<Row> = [
  [
    "the premium tier's own time is one that no caller may ask for",
    deadlineMsOf({ tier: "premium" }),
    deadlineMsMax
  ],
  [
    "a search provider that hangs leaves no whole attempt to the next one",
    2 * defaultOf("SEARCH_ATTEMPT_TIMEOUT_MS"),
    searchMs
  ],
  [
    "a model's writer never has its whole time-out",
    defaultOf("ENGINE_TIMEOUT_MS"),
    workMs * step("Write", "Deadline")
  ],
  [
    "a gate that hangs is never to blame for it",
    step("blamedMsMin", "RungWalk"),
    workMs * step("Decide", "Deadline")
  ],
  [
    "a page that answers in its time is given up, and the reason of the fetch is lost",
    web("totalTimeoutMs"),
    msInSecond * defaultOf("JINA_READER_TIMEOUT")
  ],
  [
    "the shortest reserve is longer than the longest",
    step("reserveMsMin", "Deadline"),
    step("reserveMsMax", "Deadline")
  ],
  [
    "a step is begun whose only candidate is then not asked for lack of time",
    step("attemptMsMin", "Fallback"),
    step("startMsMin", "Deadline")
  ],
  [
    "the client gives up while the service still records the answer",
    from("application")("answerGraceMs", "steps/Deadline") +
    from("application")("abandonMsMax", "steps/Deadline"),
    constantIn("packages/client/src/connect.ts", "marginMs")
  ],
  [
    "the client takes a stream for silent though heartbeats come, one of them late",
    2 * constantIn("src/adapters/http/Progress.ts", "heartbeatEvery"),
    constantIn("packages/client/src/Exchange.ts", "silentMsMax")
  ]
]

const ends: ReadonlyArray<Row> = [
  [
    "the process is ended by its own timer while it still ends in order",
    boundsOf("WEB_GROUNDING_SHUTDOWN_DELAY_MS").most +
    boundsOf("WEB_GROUNDING_SHUTDOWN_GRACE_MS").most +
    constantIn("src/adapters/rpc/GroundingRpcServer.ts", "flushMsMax") +
    constantIn("src/wiring/Tracing.ts", "shutdownMsMax"),
    constantIn("src/wiring/Serving.ts", "exitMsMax")
  ],
  [
    "Kubernetes kills a process that is ending in order",
    constantIn("src/wiring/Serving.ts", "exitMsMax"),
    msInSecond *
    Number(
      /terminationGracePeriodSeconds: (\d+)/.exec(
        readFileSync("deploy/kubernetes/deployment.yaml", "utf8")
      )?.[1]
    )
  ],
  [
    "an agent's call fails at the lock of another agent that is about to be idle",
    constantIn("src/wiring/Mcp.ts", "idleMsMax"),
    constantIn("src/wiring/Mcp.ts", "heldMsMax")
  ]
]

const sharing = from("application/sharing")
const projections = from("application/projections")

const leases: ReadonlyArray<Row> = [
  [
    "a single flight's lease ends after one late heartbeat, and others repeat paid work",
    3 * sharing("heartbeatMs", "SingleFlight"),
    sharing("leaseMs", "SingleFlight")
  ],
  [
    "who waits for another process's search sees it only after the lease is over",
    10 * sharing("pollEveryMs", "SingleFlight"),
    sharing("leaseMs", "SingleFlight")
  ],
  [
    "a read model's lease, renewed after a third of it, ends between two looks at a quiet log",
    projections("idleMsMax", "ProjectionRunner"),
    from("application/ports")("leaseMs", "ReadModels") * 2 / 3
  ],
  [
    "a transaction that hangs still locks a read model when another process takes its lease",
    defaultOf("DATABASE_IDLE_TRANSACTION_TIMEOUT_MS"),
    from("application/ports")("leaseMs", "ReadModels")
  ],
  [
    "two processes put the same anchor outside at a time",
    constantIn("src/adapters/anchors/OutsideAnchors.ts", "commandMsMax"),
    from("application/audit")("turnMs", "MakeAnchors")
  ],
  [
    "a key that a provider blocks for long is asked again before",
    constantIn("packages/dialects/src/DuckDuckGo.ts", "retryAfterMsOtherwise"),
    from("application/ports")("restMsMax", "Breakers")
  ],
  [
    "a refused key's shortest rest is longer than the longest that a limit may cause",
    search("coolDownMsMin", "KeyPool"),
    search("rateLimitMsMax", "KeyPool")
  ],
  [
    "an answer is still fresh when it is too old to stand in for a failed search",
    search("general", "QueryCacheEntry") * (1 + search("spreadShare", "QueryCacheEntry")),
    search("staleMsMax", "QueryCacheEntry")
  ]
]

const sizes: ReadonlyArray<Row> = [
  [
    "a question that the contract allows is refused as too large, once its letters are escaped",
    escapeBytesPerUnit * (ofRequest("topicCharsMax") + ofRequest("questionCharsMax") +
      ofRequest("factsMax") * (ofRequest("factCharsMax") + ofRequest("idCharsMax"))),
    constantIn("src/infrastructure/http/BoundedJson.ts", "bodyBytesMax")
  ],
  [
    "the longest page of text can never be held: it takes twice its bytes while it is decoded",
    2 * web("bodyBytesMax"),
    web("heldBytesMax")
  ],
  [
    "a worker that reads the longest document kills itself: the frame and the objects do not fit",
    pages("bodyLengthMax", "PageDocument") * 2 + 1_048_576 * pages("heapMibMax", "PageProcess"),
    pages("rssBytesMax", "PageProcess")
  ],
  [
    "the longest text in Chinese is lost as a crash of its worker",
    utf8BytesPerUnit * pages("textCharsMax", "ExtractedPage"),
    pages("answerBytesMax", "PageProcess")
  ],
  [
    "a document's end is cut off when it is kept, after it was read whole",
    pages("textCharsMax", "ExtractedPage"),
    store("materialCharsMax", "Material")
  ],
  [
    "a whole claim does not fit the evidence block with the line of its source",
    statements("charsMax", "QuotedPassage") +
    from("domain/view")("titleCharsMax", "EvidenceBlock") +
    from("domain/view")("addressShownCharsMax", "EvidenceBlock"),
    defaultOf("MAX_EVIDENCE_CHARS")
  ]
]

const groups: Readonly<Record<string, ReadonlyArray<Row>>> = { deadlines, ends, leases, sizes }

const brokenIn = (rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows.flatMap(([breaks, smaller, larger]) =>
    smaller <= larger ? [] : [`${breaks}: ${smaller} > ${larger}`]
  )

describe("ceilings that depend on each other", () => {
  for (const [group, rows] of Object.entries(groups)) {
    it(`hold in ${group}`, () => {
      for (const [, ...figures] of rows) for (const figure of figures) assert.isAbove(figure, 0)
      assert.deepStrictEqual(brokenIn(rows), [])
    })
  }
})
