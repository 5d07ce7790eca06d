/**
 * Dashboard for operators, on its own address. Every page is complete without its script, loads
 * nothing from other origins and runs no inline code: see `policy`.
 */
import { Effect, Layer, Option, Predicate, Schema } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { randomUUID } from "node:crypto"
import { Access } from "../../application/Access.ts"
import { ServiceCalls } from "../../application/operations/ServiceCalls.ts"
import { type AnyFailure, statusOf } from "../../contract/FailureTable.ts"
import * as HttpRequest from "../../infrastructure/http/HttpRequest.ts"
import * as WaitingAnswers from "../../infrastructure/http/WaitingAnswers.ts"
import * as Pages from "./Pages.ts"
import * as Viewers from "./Viewers.ts"
import * as Shell from "./views/Shell.ts"
import { assetAt, barePage, type Page, page as pageOf, type Viewer } from "./views/Shell.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

export interface DashboardOptions {
  readonly isSandbox: boolean
}

const roots = ["sessions", "evidence", "try", "sign-in", "sign-out", "assets"] as const

const isOurs = (url: string): boolean => {
  const [path = ""] = url.split(/[?#]/)
  return path === "/" || roots.some((root) => path === `/${root}` || path.startsWith(`/${root}/`))
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types dashboard"
].join("; ")

const headers = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store"
}

const htmlAnswer = (text: string, status = 200): Response =>
  HttpServerResponse.text(text, { status, headers, contentType: "text/html; charset=utf-8" })

const jsonAnswer = (value: unknown, status = 200): Response =>
  HttpServerResponse.text(JSON.stringify(value), {
    status,
    headers,
    contentType: "application/json"
  })

const elsewhere = (to: string): Response =>
  HttpServerResponse.empty({ status: 303, headers: { ...headers, location: to } })

const notThere = htmlAnswer(
  barePage("Not found", Shell.problem("Not found", "Nothing is at this address.")),
  404
)

const titles: Readonly<Record<number, string>> = {
  403: "Not allowed",
  404: "Not found",
  410: "Erased",
  503: "The database cannot be reached"
}

const titleOf = (status: number): string => titles[status] ?? "This did not work"

const failed = (viewer: Viewer, view: string, failure: AnyFailure) => {
  const status = statusOf(failure)
  return htmlAnswer(
    pageOf(viewer, {
      title: titleOf(status),
      view,
      // These statuses are temporary, so the page reloads.
      isLive: status === 503 || status === 429,
      body: Shell.problem(
        titleOf(status),
        status === 503
          ? `${failure.message}. Check that the database runs and DATABASE_URL names it. ` +
            "This page tries again by itself."
          : `${failure.message}.`
      )
    }),
    status
  )
}

const decodeBody = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))
const decodeSignIn = Schema.decodeUnknownOption(Pages.SignIn)

const decodeSegment = Option.liftThrowable(decodeURIComponent)

export const make = ({ isSandbox }: DashboardOptions) => {
  const layer = Layer.effectDiscard(Effect.gen(function*() {
    const router = yield* HttpRouter.HttpRouter
    const service = yield* ServiceCalls
    const access = yield* Access
    const answers = yield* WaitingAnswers.make
    const face = (request: Request) =>
      answered(request, answers).pipe(
        Effect.provideService(ServiceCalls, service),
        Effect.provideService(Access, access),
        Effect.catchDefect((defect) =>
          Effect.as(
            Effect.logError("a bug", defect),
            htmlAnswer(
              barePage("Error", Shell.problem("This did not work", "The service has a bug.")),
              500
            )
          )
        )
      )
    yield* router.add("*", "/", face)
    for (const root of roots) yield* router.add("*", `/${root}/*`, face)
  }))

  const answered = Effect.fnUntraced(
    function*(request: Request, answers: WaitingAnswers.Answers) {
      const [path = "", ...rest] = request.url.split("?")
      if (path.startsWith("/assets/")) return assetOf(request, path)
      const query = new URLSearchParams(rest.join("?"))
      if (path === "/sign-in" && request.method === "POST") return yield* signIn(request)
      if (path === "/sign-out" && request.method === "POST") {
        return HttpServerResponse.setHeader(
          jsonAnswer({ to: "/sign-in" }),
          "set-cookie",
          Viewers.noCookie(request)
        )
      }
      if (path === "/sign-in") return htmlAnswer(Shell.signIn(ownPath(query.get("to"))))
      return yield* Effect.matchEffect(Viewers.callerOf(request, isSandbox), {
        onFailure: (failure) => Effect.succeed(unknown(request, failure)),
        onSuccess: (known) => {
          switch (request.method) {
            case "GET":
              return shown(known, path, query)
            case "POST":
              return done(known, request, path, answers)
            default:
              return Effect.succeed(methodRefused)
          }
        }
      })
    }
  )

  const signIn = Effect.fnUntraced(function*(request: Request) {
    const body = Option.flatMap(yield* bodyOf(request), decodeSignIn)
    const token = Option.match(body, { onNone: () => "", onSome: ({ token }) => token.trim() })
    if (!Viewers.isToken(token)) return refusedToken
    return yield* Effect.match(Viewers.callerOf(request, isSandbox, token), {
      onFailure: (failure) =>
        failure._tag === "Unauthenticated"
          ? refusedToken
          : jsonAnswer({ failed: `${unchecked} Try again.` }, 503),
      onSuccess: () =>
        HttpServerResponse.setHeader(
          jsonAnswer({ to: "/" }),
          "set-cookie",
          Viewers.cookieOf(request, token)
        )
    })
  })

  return {
    layer,
    /** Tokens in cookies are accepted here, and callers without one see the sign-in form. */
    identifies: isOurs,
    isPage: isOurs,
    refused: ({ url }: Request, status: number): Response | undefined =>
      isOurs(url)
        ? htmlAnswer(
          barePage(
            "Refused",
            Shell.problem("Refused", "The request came from another site or under another name.")
          ),
          status
        )
        : undefined
  }
}

const methodRefused = HttpServerResponse.empty({ status: 405, headers: { allow: "GET, POST" } })

/** Message if the store of tokens cannot be read, which says nothing about the token. */
const unchecked = "Tokens cannot be checked now."

const unknown = (
  request: Request,
  { _tag }: Effect.Error<ReturnType<typeof Viewers.callerOf>>
): Response => {
  const isPage = request.method === "GET"
  if (_tag !== "Unauthenticated") {
    return isPage
      ? htmlAnswer(barePage(titleOf(503), Shell.problem(titleOf(503), unchecked)), 503)
      : jsonAnswer({ failed: `${unchecked} Try again.` }, 503)
  }
  return isPage
    ? elsewhere(`/sign-in?to=${encodeURIComponent(request.url)}`)
    : jsonAnswer({ to: "/sign-in" }, 401)
}

const refusedToken = jsonAnswer({ failed: "This token is not accepted." }, 401)

/** Path to open after signing in: a page of the dashboard only. */
const ownPath = (to: string | null): string =>
  to !== null && isOurs(to) && !to.startsWith("//") && !to.startsWith("/\\") ? to : "/"

const assetOf = ({ headers: asked }: Request, path: string): Response => {
  const asset = assetAt(path)
  if (asset === undefined) return notThere
  const isZipped = /\bgzip\b/.test(asked["accept-encoding"] ?? "")
  return HttpServerResponse.uint8Array(isZipped ? asset.gzipped : asset.bytes, {
    contentType: asset.type,
    headers: {
      ...headers,
      "cache-control": "public, max-age=31536000, immutable",
      "vary": "accept-encoding",
      ...(isZipped ? { "content-encoding": "gzip" } : {})
    }
  })
}

const bodyOf = (request: Request): Effect.Effect<Option.Option<unknown>> =>
  Effect.map(Effect.option(HttpRequest.readBody(request)), Option.flatMap(decodeBody))

/** The session of `/sessions/{id}` and its subpaths, if any, and the path below it. */
const sessionOf = (path: string): readonly [id: string | undefined, below: string] => {
  const [, root, id = "", ...below] = path.split("/")
  const decoded = root === "sessions" && id !== "" ? decodeSegment(id) : Option.none()
  return Option.isSome(decoded) ? [decoded.value, below.join("/")] : [undefined, ""]
}

type Asked<Input, A> = (
  known: Viewers.Known,
  sessionId: string,
  input: Input
) => Effect.Effect<A, AnyFailure>

interface Download {
  /** Fixed: no session or request id is part of it. */
  readonly name: string
  readonly contentType: string
  readonly text: Asked<URLSearchParams, string>
}

/** Files of a session, by the path below it. */
const downloads = new Map<string, Download>([
  ["export", { name: "session.jsonl", contentType: "application/jsonl", text: Pages.exported }],
  ["receipt", { name: "receipt.json", contentType: "application/json", text: Pages.receipt }]
])

/** Actions on a session, by the path below it. */
const actions = new Map<string, Asked<unknown, Pages.Part>>([
  ["replay", Pages.replay],
  ["verify", Pages.verify],
  ["erase", Pages.erase]
])

type PageOf = (known: Viewers.Known, query: URLSearchParams) => Effect.Effect<Page, AnyFailure>

const pages = new Map<string, PageOf>([
  ["/", Pages.health],
  ["/sessions", Pages.sessions],
  ["/evidence", Pages.evidence],
  ["/try", Pages.tryIt]
])

const shown = (known: Viewers.Known, path: string, query: URLSearchParams) => {
  const [sessionId, below] = sessionOf(path)
  const { viewer } = known
  const file = sessionId === undefined ? undefined : downloads.get(below)
  if (sessionId !== undefined && file !== undefined) {
    const { contentType, name, text } = file
    return Effect.match(text(known, sessionId, query), {
      onSuccess: (text) =>
        HttpServerResponse.text(text, {
          headers: { ...headers, "content-disposition": `attachment; filename="${name}"` },
          contentType
        }),
      onFailure: (failure) => failed(viewer, "/sessions", failure)
    })
  }
  const page: Effect.Effect<Page, AnyFailure> | undefined = sessionId !== undefined && below === ""
    ? Pages.session(known, sessionId, query)
    : pages.get(path)?.(known, query)
  return page === undefined ? Effect.succeed(notThere) : Effect.match(page, {
    onSuccess: (page) => htmlAnswer(pageOf(viewer, page)),
    onFailure: (failure) => failed(viewer, `/${path.split("/")[1] ?? ""}`, failure)
  })
}

const done = Effect.fnUntraced(
  function*(
    known: Viewers.Known,
    request: Request,
    path: string,
    answers: WaitingAnswers.Answers
  ) {
    const body = yield* bodyOf(request)
    if (Option.isNone(body) || !Predicate.isObject(body.value)) {
      return jsonAnswer({ failed: "Expected a JSON object" }, 400)
    }
    if (path === "/try") return yield* asked(known, request, body.value, answers)
    const [sessionId = "", below] = sessionOf(path)
    const action = path === "/evidence/approve" ? Pages.approve : actions.get(below)
    return action === undefined
      ? jsonAnswer({ failed: "Nothing is at this address" }, 404)
      : yield* Effect.match(action(known, sessionId, body.value), {
        onSuccess: (part) => jsonAnswer(part),
        onFailure: (failure) => jsonAnswer(Pages.part("critical", failure.message))
      })
  }
)

const asked = Effect.fnUntraced(
  function*(
    known: Viewers.Known,
    request: Request,
    body: unknown,
    answers: WaitingAnswers.Answers
  ) {
    const answer = yield* answers.open(request)
    yield* Effect.forkScoped(
      Pages.askOperation(known, body, `try-${randomUUID()}`, answer.write).pipe(
        Effect.ensuring(answer.end)
      )
    )
    return answer.response({ contentType: "application/x-ndjson", headers })
  }
)
