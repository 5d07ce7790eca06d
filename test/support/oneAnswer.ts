/** A server on loopback that gives everybody the same answer, under any type. */
import { Effect } from "effect"
import { createServer } from "node:http"

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
  const server = createServer((incoming, response) => {
    incoming.resume()
    const { body, contentType, headers, status = 200 } = said.answer
    response.writeHead(status, { "content-type": contentType, ...headers }).end(body)
  })
  const port = yield* Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        resume(Effect.succeed(typeof address === "object" ? address?.port ?? 0 : 0))
      })
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const say = (answer: OneAnswer) =>
    Effect.sync(() => {
      said.answer = answer
    })
  return { baseUrl: `http://127.0.0.1:${port}`, say }
})
