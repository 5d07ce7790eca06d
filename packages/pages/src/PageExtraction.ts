/**
 * Reads fetched documents in worker processes: a hostile page costs a worker, not the service. A
 * page whose caller has left is read to its end, so that the worker is kept.
 */
import {
  Clock,
  Context,
  Effect,
  Exit,
  Fiber,
  Layer,
  PartitionedSemaphore,
  Schema,
  Scope
} from "effect"
import * as ExtractedPage from "./ExtractedPage.ts"
import { bodyLengthMax, ExtractionFailed, PageAnswer, type PageDocument } from "./ExtractedPage.ts"
import * as SealedProcess from "./sealed/SealedProcess.ts"

/** An idle worker holds about 80 MiB, its code included; 140 when run from the sources. */
export const ceilings: Ceilings = { heapMibMax: 224, rssBytesMax: 384 * 1_048_576 }

const extractionLimits = {
  /** Longest time for reading a page. Beyond, the worker is killed. */
  timeoutMs: 5_000,
  /** Longest wait of a page for a worker while none is starting. */
  waitedTimeoutMs: 10_000,
  /** Longest start of a worker, not counted as page time. Beyond, it is killed. */
  startTimeoutMs: 60_000,
  workersMax: 2,
  /** Pause of a host whose pages cost workers. */
  restMs: 60_000,
  ceilings
}
export type ExtractionLimits = Readonly<typeof extractionLimits>

/** Workers that a host's pages may cost before it is paused, with no page read in between. */
const lossesMax = 3
/** Most hosts with recorded losses, the latest ones. */
const lossyHostsMax = 1_000

/** After this many pages, or one this long, a worker is replaced to free its memory. */
const pagesMax = 200
const keptLengthMax = 1_048_576

export interface PageExtraction {
  /** Text and metadata of one document. May be interrupted and repeated. */
  readonly extractPage: (
    document: PageDocument
  ) => Effect.Effect<ExtractedPage.ExtractedPage, ExtractionFailed>
  /** Starts the workers in the background, before the first page. Once is enough. */
  readonly warm: Effect.Effect<void>
}

export class PageExtractions extends Context.Service<PageExtractions, PageExtraction>()(
  "web-grounding/packages/pages/PageExtraction/PageExtractions"
) {}

interface Kept {
  readonly worker: PageProcess
  isLoaded: boolean
  pages: number
}

/** Progress of a page, and whether its caller still waits. */
interface Turn {
  worker: PageProcess | undefined
  stage: "waiting" | "starting" | "reading" | "read"
  isAbandoned: boolean
}

/** Workers end with the scope and start with the first page, or `warm`. */
export const make = (
  changed: Partial<ExtractionLimits> = {}
): Effect.Effect<PageExtraction, never, Scope.Scope> =>
  Effect.gen(function*() {
    const limits = { ...extractionLimits, ...changed }
    const scope = yield* Scope.Scope
    // Fair among hosts: many pages of one host delay no other host.
    const slots = yield* PartitionedSemaphore.make<string>({ permits: limits.workersMax })
    const rests = hostRests(limits.restMs)
    const idle: Array<Kept> = []
    let starting = 0
    let isWarm = false
    yield* Effect.addFinalizer(() =>
      Effect.forEach(idle.splice(0), ({ worker }) => SealedProcess.stop(worker), { discard: true })
    )

    const acquire = Effect.suspend(() => {
      const kept = idle.pop()
      if (kept !== undefined && SealedProcess.isAlive(kept.worker)) return Effect.succeed(kept)
      return Effect.map(
        start(limits.ceilings),
        (worker): Kept => ({ worker, isLoaded: false, pages: 0 })
      )
    })

    const release = (kept: Kept, isFit: boolean) => {
      if (!isFit || kept.pages >= pagesMax) return SealedProcess.stop(kept.worker)
      return Effect.sync(() => {
        SealedProcess.unrefProcess(kept.worker)
        idle.push(kept)
      })
    }

    const load = (kept: Kept) =>
      Effect.suspend(() => {
        if (kept.isLoaded) return Effect.void
        starting += 1
        return within(limits.startTimeoutMs)(lost(SealedProcess.awaitLoaded(kept.worker))).pipe(
          Effect.tap(() => Effect.sync(() => void (kept.isLoaded = true))),
          Effect.ensuring(Effect.sync(() => void (starting -= 1)))
        )
      })

    const read = (document: PageDocument, turn: Turn) =>
      Effect.acquireUseRelease(
        Effect.tap(acquire, ({ worker }) =>
          Effect.sync(() => {
            turn.worker = worker
            turn.stage = "starting"
          })),
        (kept) =>
          Effect.andThen(
            load(kept),
            Effect.suspend((): Effect.Effect<PageAnswer, ExtractionFailed> => {
              // Its bytes were freed when its caller left.
              if (turn.isAbandoned) return Effect.succeed({ _tag: "Failed", reason: "timeout" })
              turn.stage = "reading"
              kept.pages += 1
              return within(limits.timeoutMs)(readDocument(kept.worker, document)).pipe(
                Effect.tapError(() => rests.note(hostOf(document), true)),
                Effect.tap(() => rests.note(hostOf(document), false))
              )
            })
          ),
        (kept, exit) => {
          turn.stage = "read"
          return release(kept, Exit.isSuccess(exit) && document.body.length <= keptLengthMax)
        }
      )

    /** Ends when a page has waited too long for a worker; a worker's start does not count. */
    const impatience = (turn: Turn): Effect.Effect<never, ExtractionFailed> =>
      Effect.flatMap(Effect.sleep(limits.waitedTimeoutMs), () => {
        if (turn.stage !== "waiting") return Effect.never
        return starting > 0
          ? impatience(turn)
          : new ExtractionFailed({ reason: "timeout" })
      })

    /** A worker with the whole page may read it to its end; one still receiving it may not. */
    const abandon = (turn: Turn, job: Fiber.Fiber<PageAnswer, ExtractionFailed>) =>
      Effect.suspend(() => {
        const { stage, worker } = turn
        turn.isAbandoned = true
        const mayEnd = stage === "starting" || stage === "read" ||
          stage === "reading" && worker !== undefined && SealedProcess.hasQuestion(worker)
        return mayEnd ? Effect.void : Fiber.interrupt(job)
      })

    const answerOf = (document: PageDocument) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function*() {
          const turn: Turn = { worker: undefined, stage: "waiting", isAbandoned: false }
          const job = yield* slots.withPermit(hostOf(document))(
            Effect.flatMap(rests.has(hostOf(document)), (isResting) =>
              isResting
                ? new ExtractionFailed({ reason: "resting" })
                : read(document, turn))
          ).pipe(
            Effect.interruptible,
            Effect.forkIn(scope)
          )
          return yield* restore(Effect.raceFirst(Fiber.join(job), impatience(turn))).pipe(
            Effect.ensuring(abandon(turn, job))
          )
        })
      )

    const extractPage = Effect.fn("PageExtraction.extractPage")(function*(document: PageDocument) {
      if (document.body.length > bodyLengthMax) {
        return yield* new ExtractionFailed({ reason: "too_large" })
      }
      const answer = yield* answerOf(document)
      if (answer._tag === "Page") return answer.page
      return yield* new ExtractionFailed({ reason: answer.reason })
    })

    const startOne = slots.withPermit("")(
      Effect.acquireUseRelease(acquire, load, (kept, exit) => release(kept, Exit.isSuccess(exit)))
    )

    const warm = Effect.suspend(() => {
      if (isWarm) return Effect.void
      isWarm = true
      const starts = Array.from({ length: limits.workersMax }, () => Effect.ignore(startOne))
      return Effect.all(starts, { concurrency: limits.workersMax, discard: true }).pipe(
        Effect.forkIn(scope),
        Effect.asVoid
      )
    })

    return { extractPage, warm }
  })

/** Empty for files, whose URLs are under `.invalid`. */
const hostOf = ({ url }: PageDocument): string => {
  const host = URL.parse(url)?.host ?? ""
  return host.endsWith(".invalid") ? "" : host
}

interface Losses {
  readonly count: number
  readonly restsUntilMs: number
}

/** Pauses hosts whose pages cost worker after worker: a new one takes the time of twenty pages. */
const hostRests = (restMs: number) => {
  const known = new Map<string, Losses>()
  const note = (host: string, isLost: boolean) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => {
      const { count = 0 } = known.get(host) ?? {}
      known.delete(host)
      if (!isLost || host === "") return
      known.set(host, {
        count: count + 1,
        restsUntilMs: count + 1 < lossesMax ? nowMs : nowMs + restMs
      })
      for (const oldest of known.keys()) {
        if (known.size <= lossyHostsMax) return
        known.delete(oldest)
      }
    })
  const has = (host: string) =>
    Effect.map(Clock.currentTimeMillis, (nowMs) => nowMs < (known.get(host)?.restsUntilMs ?? 0))
  return { has, note }
}

const within = (duration: number) =>
  Effect.timeoutOrElse({
    duration,
    orElse: () => new ExtractionFailed({ reason: "timeout" })
  })

/** Most bytes of one result: a page's text as JSON in UTF-8, with its headings. */
const answerBytesMax = 4 * 1_048_576

/** The worker runs from the sources, or from the build next to this file. */
const source = new URL(
  import.meta.url.endsWith(".ts") ? "./PageWorker.ts" : "./PageWorker.js",
  import.meta.url
)

const lost = Effect.mapError(({ reason }: SealedProcess.ProcessLost) =>
  new ExtractionFailed({ reason })
)

export const start = (ceilings: Ceilings): Effect.Effect<PageProcess, ExtractionFailed> =>
  lost(SealedProcess.start({ source, answerBytesMax, ...ceilings }))

const decode = Schema.decodeEffect(Schema.fromJsonString(PageAnswer))

/** Fails with `out_of_memory` or `crashed` when the process is lost. */
const readDocument = Effect.fnUntraced(
  function*(worker: PageProcess, document: PageDocument) {
    const frame = ExtractedPage.write(document)
    if (frame === undefined) return yield* new ExtractionFailed({ reason: "malformed" })
    const answer = yield* lost(SealedProcess.askProcess(worker, frame))
    return yield* Effect.mapError(
      decode(new TextDecoder().decode(answer)),
      () => new ExtractionFailed({ reason: "crashed" })
    )
  }
)

export const layer: Layer.Layer<PageExtractions> = Layer.effect(PageExtractions, make())

/** A separate worker, so that its documents delay no others. */
export const layerProcesses: Layer.Layer<PageExtractions> = Layer.effect(
  PageExtractions,
  make({ workersMax: 1 })
)

type Ceilings = Pick<SealedProcess.SealedOptions, "heapMibMax" | "rssBytesMax">

export type PageProcess = SealedProcess.SealedProcess
