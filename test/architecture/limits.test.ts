/**
 * Ceilings that depend on each other. Each row says what goes wrong once the first figure is larger
 * than the second: a change to one of them has to look at the other.
 */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { deadlineMsMax, deadlineMsOf } from "../../src/domain/request/GroundingRequest.ts"
import { KnownProvider } from "../../src/domain/search/SearchStatus.ts"
import { boundsOf, constantIn, constantsBelow, defaultOf } from "../support/constants.ts"

const msInSecond = 1_000
/** Bytes of a character beyond the basic plane or of Chinese in UTF-8, for each UTF-16 code unit. */
const utf8BytesPerUnit = 3
/** Bytes of a code unit that JSON writes as `\uXXXX`. */
const escapeBytesPerUnit = 6
/** Bytes of a number in a vector, as JSON has it. */
const numberBytes = 24

type Row = readonly [breaks: string, smaller: number, larger: number]

const from = (folder: string) => (name: string, file: string) =>
  constantIn(
    existsSync(`src/${folder}/${file}.ts`) ? `src/${folder}/${file}.ts` : `src/${folder}`,
    name
  )
const step = from("application/steps")
const web = from("infrastructure/web")
const pages = (name: string, file: string) =>
  constantIn(
    existsSync(`packages/pages/src/${file}.ts`)
      ? `packages/pages/src/${file}.ts`
      : "packages/pages/src",
    name
  )
const pack = from("domain/pack")
const statements = (name: string, file: string) =>
  constantIn(
    existsSync(`packages/language/src/statements/${file}.ts`)
      ? `packages/language/src/statements/${file}.ts`
      : "packages/language/src",
    name
  )
const search = from("domain/search")
const store = from("domain/store")
const request = from("domain/request")("factCharsMax", "GroundingRequest")
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
    "a model's gate never has its whole time-out",
    defaultOf("ENGINE_TIMEOUT_MS"),
    workMs * step("Decide", "Deadline")
  ],
  [
    "a model's planner never has its whole time-out after a slow gate",
    defaultOf("ENGINE_TIMEOUT_MS"),
    (workMs - defaultOf("ENGINE_TIMEOUT_MS")) * step("Plan", "Deadline")
  ],
  [
    "a page that answers in its time is given up, and the reason of the fetch is lost",
    web("totalTimeoutMs", "SafeFetch"),
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
    from("application")("answerGraceMs", "GroundQuestion") +
    from("application")("abandonMsMax", "GroundQuestion"),
    constantIn("packages/client/src/connect.ts", "marginMs")
  ],
  [
    "the client takes a stream for silent though heartbeats come, one of them late",
    2 * constantIn("src/adapters/http/EventStream.ts", "heartbeatEvery"),
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
    constantIn("src/adapters/duckduckgo/DuckDuckGoStatus.ts", "retryAfterMsOtherwise"),
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

const connections: ReadonlyArray<Row> = [
  [
    "the third address of a name is never dialled",
    web("connectTimeoutMs", "WebExchange") * web("addressesTriedMax", "WebExchange"),
    web("totalTimeoutMs", "SafeFetch")
  ],
  [
    "a slow robots.txt leaves its page no time at all",
    web("robotsTimeoutMs", "RobotsRules"),
    web("totalTimeoutMs", "SafeFetch") - web("headTimeoutMs", "WebExchange")
  ],
  [
    "a request whose head came in time has no time for its body",
    constantIn("src/adapters/rpc/Connections.ts", "headMsMax"),
    constantIn("src/adapters/rpc/Connections.ts", "requestMsMax")
  ],
  [
    "issuers are asked for their keys again before an answer can have come",
    constantIn("src/adapters/oidc/IssuerDocuments.ts", "readTimeoutMs"),
    constantIn("src/adapters/oidc/IssuerKeys.ts", "retryMs")
  ]
]

const passageCharsMax = 1.5 * boundsOf("INTERNET_RAG_CHUNK_SIZE").most
const documentCharsMax = store("chunkTokensMax", "DocumentChunking") *
  (store("wordPieceChars", "DocumentChunking") + 1)

const sizes: ReadonlyArray<Row> = [
  [
    "a question that the contract allows is refused as too large, once its letters are escaped",
    escapeBytesPerUnit * (ofRequest("topicCharsMax") + ofRequest("questionCharsMax") +
      ofRequest("factsMax") * (request + ofRequest("idCharsMax"))),
    constantIn("src/infrastructure/http/BoundedJson.ts", "bodyBytesMax")
  ],
  [
    "the longest page of text can never be held: it takes twice its bytes while it is decoded",
    2 * web("bodyBytesMax", "SafeFetch"),
    web("heldBytesMax", "SafeFetch")
  ],
  [
    "a page is fetched that no worker takes",
    web("bodyBytesMax", "SafeFetch"),
    pages("bodyLengthMax", "PageDocument")
  ],
  [
    "a document is taken in that no worker takes",
    from("application/ports")("documentBytesMax", "DocumentReader"),
    pages("bodyLengthMax", "PageDocument")
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
    "a page is read further than it is extracted",
    from("adapters/pages")("textCharsMax", "LocalPageReader"),
    pages("textCharsMax", "ExtractedPage")
  ],
  [
    "robots.txt of the length that RFC 9309 asks readers to take in is not read",
    500 * 1_024,
    Math.min(web("robotsBytesMax", "RobotsRules"), web("bodyBytesMax", "SafeFetch"))
  ],
  [
    "a material cut into the shortest passages has more entries than a source may have",
    store("materialCharsMax", "Material") / boundsOf("INTERNET_RAG_CHUNK_SIZE").least,
    store("chunksMax", "Entry")
  ],
  [
    "the longest passage is no entry of the store",
    Math.max(passageCharsMax, documentCharsMax, store("nodeCharsMax", "Material")),
    store("entryTextCharsMax", "Entry")
  ],
  [
    "the longest passage with its title is more than OpenAI embeds",
    Math.max(passageCharsMax, documentCharsMax) + store("titleCharsMax", "Entry"),
    constantIn("src/adapters/openai/OpenAiEmbedder.ts", "textCharsMax")
  ],
  [
    "the vectors of one batch are more than is read of Jina's answer",
    constantIn("src/adapters/jina/JinaEmbedder.ts", "batchTextsMax") *
    store("dimensionsMax", "Entry") * numberBytes,
    constantIn("src/adapters/jina/JinaEmbedder.ts", "bodyBytesMax")
  ],
  [
    "the texts of all hits are more than is read of Tavily's answer",
    utf8BytesPerUnit * constantIn("src/adapters/tavily/RawPages.ts", "rawCharsMax") *
    constantIn("src/adapters/tavily/TavilySearch.ts", "hitsMaxOfTavily"),
    constantIn("src/adapters/tavily/TavilyTransport.ts", "rawBodyBytesMax")
  ],
  [
    "a passage's size with its overlap and slack is above its own ceiling",
    store("freshTokensMax", "DocumentChunking") + store("overlapTokens", "DocumentChunking") +
    store("slackTokens", "DocumentChunking"),
    store("chunkTokensMax", "DocumentChunking")
  ],
  [
    "a part of an export, whose quotes are escaped, is more than the client reads",
    2 * from("application/audit")("partCharsMax", "ExportSessions"),
    constantIn("packages/client/src/Exchange.ts", "answerCharsMax")
  ],
  [
    "a whole claim does not fit the evidence block beside the line of its source",
    statements("charsMax", "QuotedPassage") +
    from("domain/view")("titleCharsMax", "EvidenceBlock") +
    from("domain/view")("addressShownCharsMax", "EvidenceBlock"),
    defaultOf("MAX_EVIDENCE_CHARS")
  ],
  [
    "a quotation that may be completed is too long to be a claim",
    statements("charsMax", "QuotedPassage"),
    pack("claimCharsMax", "ClaimPlacement")
  ]
]

const plan = from("domain/plan")

/** What each provider's adapter says of itself under a name that begins so. */
const ofProviders = (start: string) =>
  KnownProvider.literals.filter((name) => name !== "mock").map((name) => ({
    name,
    numbers: constantsBelow(`src/adapters/${name}`, start)
  }))

const requests: ReadonlyArray<Row> = [
  [
    "a query that a caller may fix is no query of a plan",
    ofRequest("queryCharsMax"),
    plan("queryCharsMax", "QueryPlan")
  ],
  [
    "a planned query is refused by the provider that is asked first",
    plan("queryCharsMax", "QueryPlan"),
    Math.min(...ofProviders("queryCharsMax").flatMap(({ numbers }) => numbers))
  ],
  [
    "a course's title and its depth are no query",
    ofRequest("titleCharsMax") + ofRequest("wordCharsMax"),
    plan("queryCharsMax", "QueryPlan")
  ],
  [
    "a search asks for more hits than a provider gives",
    Math.max(
      ofRequest("hitsListedMax"),
      from("domain/need")("sourcesPerQueryMax", "SearchNeed")
    ),
    Math.min(...ofProviders("hitsMaxOf").flatMap(({ numbers }) => numbers))
  ],
  [
    "one request names more pages than Tavily extracts at a time",
    ofRequest("pagesNamedMax"),
    constantIn("src/adapters/tavily/TavilyExtract.ts", "urlsMax")
  ],
  [
    "a session can be recorded for a person whose name is too long to erase it by",
    ofRequest("idCharsMax"),
    from("contract")("subjectCharsMax", "Erasure")
  ]
]

const confidences: ReadonlyArray<Row> = [
  ...["uncertainMax", "unansweredMax", "unborneMax"].map((name): Row => [
    `a claim that must not be relied on counts as usable (${name})`,
    pack(name, "Confidence") + Number.EPSILON,
    pack("usableMin", "Confidence")
  ]),
  [
    "a pack after a failed model is told as surely as one of the local writer",
    pack("afterFailureMax", "Confidence"),
    pack("localMax", "Confidence")
  ],
  [
    "something is told as certain",
    pack("certainMax", "Confidence") + Number.EPSILON,
    1
  ]
]

const groups: Readonly<Record<string, ReadonlyArray<Row>>> = {
  deadlines,
  ends,
  leases,
  connections,
  sizes,
  requests,
  confidences
}

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

  it("are told by each provider's adapter, at least its longest query", () => {
    const silent = ofProviders("queryCharsMax").filter(({ numbers }) => numbers.length === 0)
    assert.deepStrictEqual(silent.map(({ name }) => `no queryCharsMax in src/adapters/${name}`), [])
    assert.isEmpty(constantsBelow("src/adapters/jina", "queryCharsMax"))
  })

  it("would be noticed when one is broken, or a name is gone", () => {
    assert.lengthOf(brokenIn([["a lease ends early", 2, 1]]), 1)
    assert.throws(() => constantIn("src/wiring/Mcp.ts", "gone"), "no gone")
    assert.strictEqual(
      constantIn("src/infrastructure/web/SafeFetch.ts", "heldBytesMax"),
      12_582_912
    )
    assert.strictEqual(constantIn("src/adapters/rpc/GroundingRpcServer.ts", "pollEvery"), 20)
  })
})
