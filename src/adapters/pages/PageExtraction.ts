/**
 * Reads fetched documents in worker processes, so that a hostile page costs a worker and not the
 * service, in time and in memory.
 *
 * A few workers are kept and used again, as starting one takes longer than most pages do.
 */
import { Context, Effect, Exit, Layer, type Scope, Semaphore } from "effect"
import * as SealedProcess from "../../infrastructure/process/SealedProcess.ts"
import { type ExtractedPage, ExtractionFailed } from "./ExtractedPage.ts"
import { bodyLengthMax, type PageDocument } from "./PageDocument.ts"
import * as PageProcess from "./PageProcess.ts"

export interface ExtractionLimits {
  /** How long a page may take once a worker reads it. */
  readonly timeoutMs: number
  /** The same with the wait for a worker and for its start. */
  readonly waitedTimeoutMs: number
  /** At the same time. */
  readonly workersMax: number
  /** Of one worker's memory. */
  readonly ceilings: PageProcess.Ceilings
}

export const extractionLimits: ExtractionLimits = {
  timeoutMs: 5_000,
  waitedTimeoutMs: 10_000,
  workersMax: 2,
  ceilings: PageProcess.ceilings
}

/** A worker that has read so many pages, or one as long as this, gives its memory back. */
const pagesMax = 200
const keptLengthMax = 1_048_576

export interface PageExtraction {
  /** Main text and facts of one document. Interrupting it ends its worker. May be repeated. */
  readonly extractPage: (document: PageDocument) => Effect.Effect<ExtractedPage, ExtractionFailed>
}

export class PageExtractions extends Context.Service<PageExtractions, PageExtraction>()(
  "web-grounding/adapters/pages/PageExtractions"
) {}

interface Kept {
  readonly worker: PageProcess.PageProcess
  pages: number
}

/** The workers end with the scope. None is started before the first page. */
export const make = (
  changed: Partial<ExtractionLimits> = {}
): Effect.Effect<PageExtraction, never, Scope.Scope> =>
  Effect.gen(function*() {
    const limits = { ...extractionLimits, ...changed }
    const slots = yield* Semaphore.make(limits.workersMax)
    const idle: Array<Kept> = []
    yield* Effect.addFinalizer(() =>
      Effect.forEach(idle.splice(0), ({ worker }) => SealedProcess.stop(worker), { discard: true })
    )

    const acquire = Effect.suspend(() => {
      const kept = idle.pop()
      if (kept !== undefined && SealedProcess.isAlive(kept.worker)) return Effect.succeed(kept)
      return Effect.map(
        PageProcess.start(limits.ceilings),
        (worker): Kept => ({ worker, pages: 0 })
      )
    })

    const release = (kept: Kept, isFit: boolean) => {
      kept.pages += 1
      if (!isFit || kept.pages >= pagesMax) return SealedProcess.stop(kept.worker)
      return Effect.sync(() => {
        SealedProcess.rest(kept.worker)
        idle.push(kept)
      })
    }

    const read = (document: PageDocument) =>
      Effect.acquireUseRelease(
        acquire,
        ({ pages, worker }) =>
          (pages === 0 ? PageProcess.loaded(worker) : Effect.void).pipe(
            Effect.andThen(within(limits.timeoutMs)(PageProcess.read(worker, document)))
          ),
        (kept, exit) => release(kept, Exit.isSuccess(exit) && document.body.length <= keptLengthMax)
      )

    const extractPage = Effect.fn("PageExtraction.extractPage")(function*(document: PageDocument) {
      if (document.body.length > bodyLengthMax) {
        return yield* new ExtractionFailed({ reason: "too_large" })
      }
      const answer = yield* within(limits.waitedTimeoutMs)(slots.withPermits(1)(read(document)))
      if (answer._tag === "Page") return answer.page
      return yield* new ExtractionFailed({ reason: answer.reason })
    })

    return { extractPage }
  })

const within = (duration: number) =>
  Effect.timeoutOrElse({
    duration,
    orElse: () => Effect.fail(new ExtractionFailed({ reason: "timeout" }))
  })

export const layer: Layer.Layer<PageExtractions> = Layer.effect(PageExtractions, make())
