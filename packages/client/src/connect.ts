/**
 * Client of a running service, with promises and platform features only: `fetch`, streams, signals.
 *
 * It generates a `request_id` if the caller gives none, retries under the same one when an answer is
 * lost, so that nothing is paid twice, and states it on every failure.
 *
 * ```ts
 * import { connect } from "@web-grounding/client"
 *
 * const client = connect("http://127.0.0.1:7420")
 * const { llm_context, pack } = await client.ground({
 *   session_id: "chat-1",
 *   topic: "How much notice must a tenant give in Japan?",
 *   user_asked_for_facts: true
 * })
 * llm_context.length > 0 // => true
 * pack.key_points.every(({ sources }) => sources.length > 0) // => true
 * ```
 */
import * as Call from "./Call.ts"
import type {
  EventView,
  EvidenceFound,
  EvidenceSearchInput,
  GroundingOutcome,
  GroundInput,
  HealthInput,
  HealthView,
  OutlineAnswer,
  PackInput,
  PackView,
  Research,
  ResearchInput,
  SessionPage,
  SessionPageInput,
  ShownInput,
  ViewInput
} from "./Contract.ts"
import { answer, events, Fault, isRecord, type Sent } from "./Exchange.ts"
import { UnexpectedAnswer } from "./Failure.ts"
import {
  addressOf,
  type CallOptions,
  checkedOptions,
  type ClientOptions,
  credentialsOf
} from "./Options.ts"
import { requestFor } from "./Request.ts"
import {
  type Answers,
  contractVersion,
  deadlineMs,
  researchMs,
  routes,
  type ShownAnswer,
  versionHeader
} from "./Routes.ts"

/** A fact as it was recorded; last, the outcome. */
export type Progress =
  | { readonly type: "fact"; readonly fact: EventView }
  | { readonly type: "outcome"; readonly outcome: GroundingOutcome }

/** Options of a call that reports each recorded fact. */
export interface ProgressOptions extends CallOptions {
  /**
   * Sends facts after this `stream_version`; 0: all. Default: for an answered request, the outcome.
   */
  readonly after?: number | undefined
}

/** Every method rejects with a `GroundingError`, and takes options of its own. */
export interface Client {
  /** Grounds a question. Never fails because of a failed search: see `outcome.mode`. */
  readonly ground: (input: GroundInput, options?: CallOptions) => Promise<GroundingOutcome>
  /**
   * Facts as they are recorded, then the outcome. Continues after a lost connection. Leaving the
   * loop cancels the grounding.
   */
  readonly progress: (
    input: GroundInput,
    options?: ProgressOptions
  ) => AsyncIterableIterator<Progress>
  readonly pack: (input: PackInput, options?: CallOptions) => Promise<GroundingOutcome>
  /** The pack as background of a role, or for a coach; the latter for premium requests only. */
  readonly view: (input: ViewInput, options?: CallOptions) => Promise<PackView>
  /** Records that a pack was shown to an audience. */
  readonly shown: (input: ShownInput, options?: CallOptions) => Promise<ShownAnswer>
  /** A page of a session's events, oldest first. */
  readonly sessionPage: (input: SessionPageInput, options?: CallOptions) => Promise<SessionPage>
  /** Every event of a session, oldest first, fetched page by page. */
  readonly session: (
    input: SessionPageInput,
    options?: CallOptions
  ) => AsyncIterableIterator<EventView>
  /** Researches a course's subject on the web; check `is_usable` before using the result. */
  readonly research: (input: ResearchInput, options?: CallOptions) => Promise<Research>
  /** An outline from internal documents and from the research. */
  readonly outline: (input: ResearchInput, options?: CallOptions) => Promise<OutlineAnswer>
  readonly health: (input?: HealthInput, options?: CallOptions) => Promise<HealthView>
  /** Entries of the evidence store, best first. */
  readonly searchEvidence: (
    input: EvidenceSearchInput,
    options?: CallOptions
  ) => Promise<EvidenceFound>
}

/** Longest network time of an answer, in milliseconds. */
const marginMs = 2_000
/** Milliseconds for operations without a deadline. */
const timeoutMsDefault = 30_000

/** 128 random bits as hex. Platforms lack `randomUUID` on pages loaded without encryption. */
const newRequestId = (): string =>
  Array.from(
    crypto.getRandomValues(new Uint8Array(16)),
    (byte) => byte.toString(16).padStart(2, "0")
  ).join("")

const clamped = (ms: number): number =>
  Math.round(Math.min(deadlineMs.most, Math.max(deadlineMs.least, ms)))

/** Network margin: a fifth of a short call, `marginMs` of a long one. */
const marginOf = (timeoutMs: number): number => Math.min(marginMs, timeoutMs / 5)

const isAnswer = <Name extends keyof Answers>(
  name: Name,
  value: unknown
): value is Answers[Name] =>
  isRecord(value) && routes[name].requires.every((field) => Object.hasOwn(value, field))

const isFact = (value: unknown): value is EventView =>
  isRecord(value) && Number.isInteger(value["stream_version"]) && typeof value["type"] === "string"

const otherAnswer = (detail: string): Fault =>
  new Fault({ _tag: "Unexpected", detail, hasRun: true })

/**
 * `url`: e.g. `http://127.0.0.1:7420`. Throws `InvalidArgument` for an invalid address or option.
 */
export const connect = (url: string | URL, options: ClientOptions = {}): Client => {
  const address = addressOf(url)
  const credentials = credentialsOf(options.token)
  checkedOptions(options, undefined)
  const callOf = (
    given: CallOptions | undefined,
    { answerMs, requestId }: { readonly answerMs?: number; readonly requestId?: string | undefined }
  ) => {
    const { headers, retries, signals, timeoutMs } = checkedOptions(options, given)
    const otherwise = answerMs === undefined ? timeoutMsDefault : answerMs + marginMs
    const call = {
      url: address,
      requestId,
      retries,
      signals,
      timeoutMs: timeoutMs ?? otherwise
    }
    const sentFor = (
      name: keyof Answers,
      input: unknown,
      { signal }: Call.Attempt,
      more: Readonly<Record<string, string>>
    ): Sent => {
      const { body, path } = requestFor(routes[name], input)
      return {
        fetch: options.fetch ?? globalThis.fetch,
        method: routes[name].method,
        url: address + path,
        body,
        signal,
        secret: options.token,
        headers: {
          [versionHeader]: contractVersion,
          ...headers,
          ...credentials,
          ...more,
          ...(body === undefined ? {} : { "content-type": "application/json" })
        }
      }
    }
    return { call, sentFor }
  }

  const asked = async <Name extends Exclude<keyof Answers, "Ground">>(
    name: Name,
    input: object,
    given: CallOptions | undefined,
    answerMs?: number
  ): Promise<Answers[Name]> => {
    const { call, sentFor } = callOf(given, {
      requestId: "request_id" in input && typeof input.request_id === "string"
        ? input.request_id
        : undefined,
      ...(answerMs === undefined ? {} : { answerMs })
    })
    return Call.answer(call, async (attempt) => {
      const value = await answer(sentFor(name, input, attempt, { accept: "application/json" }))
      if (!isAnswer(name, value)) throw otherAnswer("an answer of another shape")
      return value
    })
  }

  async function* progress(
    input: GroundInput,
    given: ProgressOptions | undefined
  ): AsyncGenerator<Progress, void, void> {
    const request = { ...input, request_id: input.request_id ?? newRequestId() }
    const fallbackMs = deadlineMs.default[input.tier ?? "standard"]
    const { call, sentFor } = callOf(given, {
      requestId: request.request_id,
      answerMs: input.deadline_ms ?? fallbackMs
    })
    let last = given?.after
    let isFirst = true

    yield* Call.elements(call, async function*(attempt) {
      const after = isFirst ? last : last ?? 0
      const wholeMs = isFirst ? call.timeoutMs : attempt.leftMs
      const leftMs = clamped(wholeMs - marginOf(call.timeoutMs))
      isFirst = false
      const asking = leftMs < (input.deadline_ms ?? fallbackMs)
        ? { ...request, deadline_ms: leftMs }
        : request
      const sent = sentFor("Ground", asking, attempt, {
        accept: "text/event-stream, application/json;q=0.5",
        ...(after === undefined ? {} : { "last-event-id": String(after) })
      })
      for await (const { data, event } of events(sent)) {
        if (event === "outcome") {
          if (!isAnswer("Ground", data)) throw otherAnswer("an outcome of another shape")
          if (data.request_id !== request.request_id) throw otherAnswer("another request's outcome")
          yield { type: "outcome", outcome: data } as const
          return
        }
        if (event !== "fact") continue
        if (!isFact(data)) throw otherAnswer("a fact of another shape")
        if (last !== undefined && data.stream_version <= last) continue
        last = data.stream_version
        yield { type: "fact", fact: data } as const
      }
      throw new Fault({ _tag: "Lost", reason: "reset", hasRun: true })
    })
  }

  const ground = async (input: GroundInput, given?: CallOptions): Promise<GroundingOutcome> => {
    for await (const step of progress(input, given)) {
      if (step.type === "outcome") return step.outcome
    }
    throw new UnexpectedAnswer(address, "no outcome", { request_id: undefined, may_have_run: true })
  }

  const researched = <Name extends "Research" | "Outline">(
    name: Name,
    input: ResearchInput,
    given: CallOptions | undefined
  ): Promise<Answers[Name]> => {
    const answerMs = researchMs.fixed +
      researchMs.attempts * (input.timeout_ms ?? researchMs.attemptDefault)
    const request = { ...input, request_id: input.request_id ?? newRequestId() }
    return asked(name, request, given, answerMs)
  }

  async function* session(input: SessionPageInput, given: CallOptions | undefined) {
    let after: number | undefined = input.after ?? 0
    while (after !== undefined) {
      const page: SessionPage = await asked("GetSession", { ...input, after }, given)
      yield* page.events
      after = page.next !== undefined && page.next > after ? page.next : undefined
    }
  }

  return {
    ground,
    progress,
    session,
    pack: (input, given) => asked("GetPack", input, given),
    view: (input, given) => asked("GetPackView", input, given),
    shown: (input, given) => asked("RecordShown", input, given),
    sessionPage: (input, given) => asked("GetSession", input, given),
    research: (input, given) => researched("Research", input, given),
    outline: (input, given) => researched("Outline", input, given),
    health: (input = {}, given) => asked("GetHealth", input, given),
    searchEvidence: (input, given) => asked("SearchEvidence", input, given)
  }
}

export type * from "./Contract.ts"
export type { Fetch } from "./Exchange.ts"
export * from "./Failure.ts"
export * from "./Problems.ts"
export type { CallOptions, ClientOptions, ShownAnswer }
