/** A problem as an answer. */
import { HttpServerResponse } from "effect/http"
import { always } from "../../infrastructure/http/WaitingAnswers.ts"
import * as Problem from "./Problem.ts"

/** Short, so that it is written at once. */
export const make = ({ headers, problem }: Problem.Refused) =>
  HttpServerResponse.text(JSON.stringify(problem), {
    status: problem.status,
    contentType: Problem.contentType,
    headers: { ...always, ...Problem.headersOf(problem), ...headers }
  })
