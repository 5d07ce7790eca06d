/** The limits of a grounding as the settings say: a part of the wiring. */
import { Effect, Layer } from "effect"
import { Limits } from "../application/ports/Limits.ts"
import * as Settings from "../infrastructure/Settings.ts"

export const layer = Layer.effect(
  Limits,
  Effect.map(Settings.Settings, (settings) => ({
    attemptTimeoutMs: settings.SEARCH_ATTEMPT_TIMEOUT_MS,
    engineTimeoutMs: settings.ENGINE_TIMEOUT_MS,
    rankTimeoutMs: settings.JINA_RERANKER_TIMEOUT * 1_000,
    readTimeoutMs: settings.JINA_READER_TIMEOUT * 1_000,
    hitsScarceMax: settings.SEARCH_MIN_RESULTS,
    scoreMin: settings.SEARCH_SCORE_MIN,
    pagesMax: settings.INTERNET_RAG_MAX_EXTRACT_URLS,
    chunksMax: settings.INTERNET_RAG_TOP_K,
    entriesMax: settings.EVIDENCE_ENTRIES_MAX,
    evidenceCharsMax: settings.MAX_EVIDENCE_CHARS,
    readModelLagMsMax: settings.WEB_GROUNDING_READ_MODEL_LAG_MS_MAX
  }))
)
