/** A way to a server that can fall silent: nothing is closed, and nothing arrives any more. */
import { Effect } from "effect"
import { connect, createServer, type Socket } from "node:net"

export interface FallsSilent {
  /** The given URL, through here. */
  readonly url: string
  /** Lets no byte pass on the connections that are open, for good. */
  readonly silence: Effect.Effect<void>
}

/** Leads to the server of the URL until the scope closes. */
export const wayTo = (url: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.callback<{ server: ReturnType<typeof createServer>; open: Set<Socket> }>((resume) => {
        const open = new Set<Socket>()
        const target = new URL(url)
        const server = createServer((near) => {
          const far = connect(Number(target.port), target.hostname)
          for (const [socket, other] of [[near, far], [far, near]] as const) {
            open.add(socket)
            socket.on("error", () => other.destroy())
            socket.on("close", () => open.delete(socket) && other.destroy())
            socket.pipe(other)
          }
        })
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed({ server, open })))
      }),
      ({ open, server }) =>
        Effect.callback<void>((resume) => {
          for (const socket of open) socket.destroy()
          server.close(() => resume(Effect.void))
        })
    ),
    ({ open, server }): FallsSilent => {
      const address = server.address()
      const through = new URL(url)
      through.host = `127.0.0.1:${typeof address === "object" ? address?.port : ""}`
      return {
        url: through.href,
        silence: Effect.sync(() => {
          for (const socket of open) socket.unpipe().pause()
        })
      }
    }
  )
