/** A server on loopback that gives everybody the same answer, under any type. */
import { Effect } from "effect"
import { listening, portOf } from "../../packages/safe-fetch/test/support/webServers.ts"

export interface OneAnswer {
  readonly body: string | Uint8Array
  readonly contentType: string
  /** Default 200. */
  readonly status?: number
  readonly headers?: Record<string, string>
}

/** Changing what it says needs no new server. */
export const oneAnswer = Effect.gen(function*() {
  const said: { answer: OneAnswer } = { answer: { body: "", contentType: "text/plain" } }
  const server = yield* listening((incoming, response) => {
    incoming.resume()
    const { body, contentType, headers, status = 200 } = said.answer
    response.writeHead(status, { "content-type": contentType, ...headers }).end(body)
  })
  const say = (answer: OneAnswer) =>
    Effect.sync(() => {
      said.answer = answer
    })
  return { baseUrl: `http://127.0.0.1:${portOf(server)}`, say }
})
