/**
 * Reads fetched documents in worker processes, so that a hostile page costs a worker and not the
 * service, in time and in memory.
 *
 * A few workers are kept and used again, as starting one takes longer than most pages do. A page
 * that nobody waits for any more is read to its end within its time, so that the worker is kept.
 */
import { Context, Effect, Exit, Fiber, Layer, Scope, Semaphore } from "effect"
import { type ExtractedPage, ExtractionFailed, type PageAnswer } from "./ExtractedPage.ts"
import { bodyLengthMax, type PageDocument } from "./PageDocument.ts"
import * as PageProcess from "./PageProcess.ts"
import * as SealedProcess from "./sealed/SealedProcess.ts"

export interface ExtractionLimits {
  /** How long a page may take once a worker reads it. Beyond, the worker is ended. */
  readonly timeoutMs: number
  /** How long a page waits for a worker while none is starting. */
  readonly waitedTimeoutMs: number
  /** How long a worker may take to start; no page's time. Beyond, it is ended. */
  readonly startTimeoutMs: number
  /** Most workers at the same time. */
  readonly workersMax: number
  /** Ceilings of one worker's memory. */
  readonly ceilings: PageProcess.Ceilings
}

const extractionLimits: ExtractionLimits = {
  timeoutMs: 5_000,
  waitedTimeoutMs: 10_000,
  startTimeoutMs: 60_000,
  workersMax: 2,
  ceilings: PageProcess.ceilings
}

/** A worker that has read so many pages, or one as long as this, gives its memory back. */
const pagesMax = 200
const keptLengthMax = 1_048_576

export interface PageExtraction {
  /** Main text and facts of one document. May be interrupted and repeated. */
  readonly extractPage: (document: PageDocument) => Effect.Effect<ExtractedPage, ExtractionFailed>
  /** Starts the workers, in the background; to be called before there is a page. Once is enough. */
  readonly warm: Effect.Effect<void>
}

export class PageExtractions extends Context.Service<PageExtractions, PageExtraction>()(
  "web-grounding/adapters/pages/PageExtractions"
) {}

interface Kept {
  readonly worker: PageProcess.PageProcess
  isLoaded: boolean
  pages: number
}

/** How far a page has come, and whether anybody still waits for it. */
interface Turn {
  worker: PageProcess.PageProcess | undefined
  stage: "waiting" | "starting" | "reading" | "read"
  isAbandoned: boolean
}

/**
 * Extractor of pages in worker processes, which end with the scope. None is started before the
 * first page, or before `warm`.
 */
export const make = (
  changed: Partial<ExtractionLimits> = {}
): Effect.Effect<PageExtraction, never, Scope.Scope> =>
  Effect.gen(function*() {
    const limits = { ...extractionLimits, ...changed }
    const scope = yield* Scope.Scope
    const slots = yield* Semaphore.make(limits.workersMax)
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
        PageProcess.start(limits.ceilings),
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
        return within(limits.startTimeoutMs)(PageProcess.awaitLoaded(kept.worker)).pipe(
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
              // Its bytes went with whoever waited for it.
              if (turn.isAbandoned) return Effect.succeed({ _tag: "Failed", reason: "timeout" })
              turn.stage = "reading"
              kept.pages += 1
              return within(limits.timeoutMs)(PageProcess.readDocument(kept.worker, document))
            })
          ),
        (kept, exit) => {
          turn.stage = "read"
          return release(kept, Exit.isSuccess(exit) && document.body.length <= keptLengthMax)
        }
      )

    /** Ends when a page has waited too long for a worker; a worker's start is not waiting. */
    const impatience = (turn: Turn): Effect.Effect<never, ExtractionFailed> =>
      Effect.flatMap(Effect.sleep(limits.waitedTimeoutMs), () => {
        if (turn.stage !== "waiting") return Effect.never
        return starting > 0
          ? impatience(turn)
          : Effect.fail(new ExtractionFailed({ reason: "timeout" }))
      })

    /** A worker that has the whole page may read it to its end; one that takes it in may not. */
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
          const job = yield* slots.withPermits(1)(read(document, turn)).pipe(
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

    const startOne = slots.withPermits(1)(
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

const within = (duration: number) =>
  Effect.timeoutOrElse({
    duration,
    orElse: () => Effect.fail(new ExtractionFailed({ reason: "timeout" }))
  })

export const layer: Layer.Layer<PageExtractions> = Layer.effect(PageExtractions, make())

/** A single worker of its own, so that nothing else waits for what it reads. */
export const layerProcesses: Layer.Layer<PageExtractions> = Layer.effect(
  PageExtractions,
  make({ workersMax: 1 })
)
