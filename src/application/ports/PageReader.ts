/** Turns a hit into text that can be quoted. */
import { Context, type Effect } from "effect"
import type { Reader, Span } from "../../domain/evidence/Evidence.ts"
import type { SearchHit } from "../../domain/search/SearchHit.ts"
import type { EngineFailed, EngineInfo, Rungs } from "./Rungs.ts"

export interface PageText {
  readonly reader: Reader
  /** Plain text without invisible characters. Never empty. */
  readonly text: string
  /** Contiguous passages, in order, not overlapping. Never empty. */
  readonly chunks: ReadonlyArray<Span>
}

export interface PageReader<E = EngineFailed> {
  readonly info: EngineInfo
  /** `undefined` when the hit holds no text at all. */
  readonly read: (hit: SearchHit) => Effect.Effect<PageText | undefined, E>
}

/** The readers of this deployment, preferred first; the last reads the provider's snippet. */
export class PageReaders
  extends Context.Service<PageReaders, Rungs<PageReader, PageReader<never>>>()(
    "web-grounding/application/ports/PageReaders"
  )
{}
