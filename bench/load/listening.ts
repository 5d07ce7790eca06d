/** A server of this process on a free port of loopback. */
import { createServer, type RequestListener } from "node:http"

export interface Listening {
  readonly url: string
  /** Closes it with every connection. */
  readonly stop: () => void
}

export const listen = (answer: RequestListener) =>
  new Promise<Listening>((resolve) => {
    const server = createServer(answer)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resolve({
        url: `http://127.0.0.1:${port}`,
        stop: () => {
          server.closeAllConnections()
          server.close()
        }
      })
    })
  })
