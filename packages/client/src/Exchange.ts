/**
 * One HTTP exchange. Every failure is a fault, without texts of platform errors, which may contain
 * headers.
 */
import { reader } from "./EventFrames.ts"
import { type Problem, problemTexts, type UnreachableReason } from "./Failure.ts"

/** Longest answer, or event of one, in UTF-16 code units. */
const answerCharsMax = 16 * 1_024 * 1_024
/** Longest problem, in UTF-16 code units. */
const problemCharsMax = 1_024 * 1_024
/** The service sends at least a heartbeat every 10 seconds. */
const silentMsMax = 30_000

export type Fetch = (
  url: string,
  init: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly body?: string
    readonly signal: AbortSignal
    readonly redirect: "manual"
  }
) => Promise<Response>

export interface Sent {
  readonly fetch: Fetch
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly signal: AbortSignal
  /** Secret that must not be repeated in any text. */
  readonly secret: string | undefined
}

interface Lost {
  readonly _tag: "Lost"
  readonly reason: UnreachableReason
  readonly detail?: string
  readonly retryAfterMs?: number
  readonly hasRun: boolean
}

export type ExchangeEnd =
  | Lost
  | { readonly _tag: "Problem"; readonly problem: Problem }
  | { readonly _tag: "Unexpected"; readonly detail: string; readonly hasRun: boolean }

export class Fault extends Error {
  readonly told: ExchangeEnd

  constructor(told: ExchangeEnd) {
    super(told._tag)
    this.told = told
  }
}

const unexpected = (detail: string, hasRun = true): Fault =>
  new Fault({ _tag: "Unexpected", detail, hasRun })

/** The promise, unless the signal is aborted first; then its work is abandoned. */
export const unlessAborted = <A>(promise: Promise<A>, signal: AbortSignal): Promise<A> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener("abort", abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort))
  })

const reasons: ReadonlyArray<readonly [RegExp, UnreachableReason]> = [
  [/ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|connection ?refused/i, "refused"],
  [/ENOTFOUND|EAI_AGAIN|dns error|getaddrinfo/i, "dns"],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|connection ?(?:closed|reset)|terminated/i, "reset"]
]

/** Names and codes only: a platform's text may contain what was sent. */
const lostBy = (error: unknown): Lost => {
  const cause = error instanceof Error ? error.cause : undefined
  const texts = [cause, error].flatMap((one) =>
    one instanceof Error ? ["code" in one ? String(one.code) : "", one.message] : []
  )
  const detail = texts.find((text) => /^[A-Z][A-Z0-9_]{2,40}$/.test(text))
  const reason = reasons.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1]
  return {
    _tag: "Lost",
    reason: reason ?? "failed",
    ...(detail === undefined ? {} : { detail }),
    hasRun: reason !== "refused" && reason !== "dns"
  }
}

const send = async ({ body, fetch, headers, method, signal, url }: Sent): Promise<Response> => {
  const init = { method, headers: { ...headers }, signal, redirect: "manual" } as const
  try {
    const sent = fetch(url, body === undefined ? init : { ...init, body })
    return await unlessAborted(sent, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw new Fault(lostBy(error))
  }
}

/** Text as it arrives. Closes the connection when the caller stops reading. */
async function* textOf(response: Response, signal: AbortSignal): AsyncGenerator<string> {
  if (response.body === null) return
  const body = response.body.getReader()
  const decoder = new TextDecoder("utf-8")
  try {
    for (;;) {
      const { done, value } = await unlessSilent(body.read(), signal)
      if (done) break
      yield decoder.decode(value, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Fault) throw error
    throw new Fault({ ...lostBy(error), reason: "reset", hasRun: true })
  } finally {
    body.cancel().catch(() => {})
  }
}

const unlessSilent = async <A>(promise: Promise<A>, signal: AbortSignal): Promise<A> => {
  const silence = new AbortController()
  const timer = setTimeout(
    () => silence.abort(new Fault({ _tag: "Lost", reason: "silent", hasRun: true })),
    silentMsMax
  )
  try {
    return await unlessAborted(unlessAborted(promise, silence.signal), signal)
  } finally {
    clearTimeout(timer)
  }
}

const wholeText = async (
  response: Response,
  signal: AbortSignal,
  charsMax: number
): Promise<string> => {
  const pieces: Array<string> = []
  let chars = 0
  for await (const piece of textOf(response, signal)) {
    chars += piece.length
    if (chars > charsMax) throw unexpected(`an answer of more than ${charsMax} characters`)
    pieces.push(piece)
  }
  return pieces.join("")
}

/** Type guard: a decoded JSON object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw unexpected("no JSON")
  }
}

const isOptional = (value: unknown, type: "string" | "boolean" | "number"): boolean =>
  value === undefined || typeof value === type

const isProblem = (value: unknown): value is Problem =>
  isRecord(value) &&
  ["type", "title", "detail"].every((field) => typeof value[field] === "string") &&
  typeof value["status"] === "number" &&
  isOptional(value["retry_after_ms"], "number") &&
  isOptional(value["may_have_searched"], "boolean") &&
  problemTexts.every((field) => isOptional(value[field], "string")) &&
  (value["errors"] === undefined ||
    Array.isArray(value["errors"]) && value["errors"].every((one) =>
        isRecord(one) && typeof one["field"] === "string" && typeof one["problem"] === "string"
      ))

/** Statuses of proxies in front of the service, after which a retry may help. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504])
/** Those of them with which nothing was done. */
const untouched: ReadonlySet<number> = new Set([408, 425, 429, 503])

const msInSecond = 1_000

/** Milliseconds; `undefined` for a text that is neither seconds nor a date. */
const retryAfterMsOf = (text: string | null, nowMs: number): number | undefined => {
  if (text === null) return undefined
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * msInSecond
  const atMs = Date.parse(text)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

const refusedBy = async (response: Response, sent: Sent): Promise<Fault> => {
  const { headers, status } = response
  const type = typeOf(response)
  const retryAfterMs = retryAfterMsOf(headers.get("retry-after"), Date.now())
  const waited = retryAfterMs === undefined ? {} : { retryAfterMs }
  if (type === "application/problem+json") {
    const text = await wholeText(response, sent.signal, problemCharsMax)
    const value = parsed(unsaid(text, sent.secret))
    if (isProblem(value)) {
      const retry_after_ms = value.retry_after_ms ?? retryAfterMs
      const problem = retry_after_ms === undefined ? value : { ...value, retry_after_ms }
      return new Fault({ _tag: "Problem", problem })
    }
  } else response.body?.cancel().catch(() => {})
  const hasRun = !untouched.has(status)
  return passing.has(status)
    ? new Fault({ _tag: "Lost", reason: "status", detail: String(status), hasRun, ...waited })
    : unexpected(`status ${status}`, status >= 500)
}

const unsaid = (text: string, secret: string | undefined): string =>
  secret === undefined ? text : text.replaceAll(secret, "[secret]")

const typeOf = ({ headers }: Response): string =>
  (headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? ""

/** The response as JSON. Fails with a fault, or the signal's reason. */
export const answer = async (sent: Sent): Promise<unknown> => {
  const response = await send(sent)
  if (!response.ok) throw await refusedBy(response, sent)
  if (typeOf(response) !== "application/json") throw unexpected("no JSON")
  return parsed(await wholeText(response, sent.signal, answerCharsMax))
}

/** The response, event by event. A non-streamed response is one event `outcome`. */
export async function* events(
  sent: Sent
): AsyncGenerator<{ readonly event: string; readonly data: unknown }> {
  const response = await send(sent)
  if (!response.ok) throw await refusedBy(response, sent)
  const type = typeOf(response)
  if (type === "application/json") {
    const whole = await wholeText(response, sent.signal, answerCharsMax)
    yield { event: "outcome", data: parsed(whole) }
    return
  }
  if (type !== "text/event-stream") throw unexpected("neither JSON nor events")
  const take = reader(
    answerCharsMax,
    () => unexpected(`an event of more than ${answerCharsMax} characters`)
  )
  for await (const piece of textOf(response, sent.signal)) {
    for (const { data, event } of take(piece)) {
      if (event === "failed") {
        const problem = parsed(unsaid(data, sent.secret))
        throw isProblem(problem)
          ? new Fault({ _tag: "Problem", problem })
          : unexpected("a failure that is no problem")
      }
      yield { event, data: parsed(data) }
    }
  }
}
