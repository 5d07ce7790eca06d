/** A problem as an answer. */
import { HttpServerResponse } from "effect/http"
import { always } from "../../infrastructure/http/WaitingAnswers.ts"
import * as Problem from "./Problem.ts"

/** HTTP answer that carries a problem (RFC 9457), short enough to be written at once. */
export const make = ({ headers, problem }: Problem.Refused) =>
  HttpServerResponse.text(JSON.stringify(problem), {
    status: problem.status,
    contentType: Problem.contentType,
    headers: { ...always, ...Problem.headersOf(problem), ...headers }
  })
