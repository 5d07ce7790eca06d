/** How a fetch reaches a host: who may be asked for, where it is, and a socket to exactly there. */
import { Effect, type Scope } from "effect"
import { Resolver } from "node:dns"
import { connect as connectTcp, isIP, type Socket } from "node:net"
import { connect as connectTls } from "node:tls"
import { FetchFailed, type FetchFault } from "./FetchFailed.ts"
import { isPublic } from "./PublicAddress.ts"
import { isPublicName } from "./WebTarget.ts"

export interface Place {
  /** Host whose certificate is expected; it is never resolved again. */
  readonly host: string
  readonly address: string
  readonly port: number
  readonly secure: boolean
}

export interface Network {
  /** Names that may be resolved at all. Lower case. */
  readonly isNameAllowed: (host: string) => boolean
  /** Asked of every address of a name, and of an address that stands in the URL. */
  readonly isAddressAllowed: (address: string) => boolean
  /** Every address of a name, in the order to try them. Fails with `name_unresolved`. */
  readonly resolve: (host: string) => Effect.Effect<ReadonlyArray<string>, FetchFailed>
  /** A socket that HTTP can be spoken over, closed with the scope. */
  readonly connect: (place: Place) => Effect.Effect<Socket, FetchFailed, Scope.Scope>
}

/** Opens a TCP connection; not yet connected when it is returned. */
export type Dial = (address: string, port: number) => Socket

export interface PublicNetworkOptions {
  /** Default: the servers that the system is set to, asked for A and AAAA. */
  readonly resolve?: Network["resolve"]
  /** Default: a TCP connection to that address. */
  readonly dial?: Dial
}

/** Network that connects to public addresses only. */
export const publicNetwork = (options: PublicNetworkOptions = {}): Network => {
  const dial = options.dial ?? dialTcp
  return {
    isNameAllowed: isPublicName,
    isAddressAllowed: isPublic,
    resolve: options.resolve ?? resolvePublic,
    connect: ({ address, host, port, secure }) =>
      Effect.flatMap(
        opened(() => dial(address, port), "connect", "unreachable"),
        (socket) =>
          secure
            ? opened(() => tlsOver(socket, host), "secureConnect", "tls_failed")
            : Effect.succeed(socket)
      )
  }
}

export const dialTcp: Dial = (host, port) => connectTcp({ host, port, autoSelectFamily: false })

/** The socket is given: the host is only compared with the certificate, a name also sent as SNI. */
const tlsOver = (socket: Socket, host: string): Socket =>
  connectTls({
    socket,
    host,
    ALPNProtocols: ["http/1.1"],
    ...(isIP(host) === 0 ? { servername: host } : {})
  })

/** Waits for `event`; the socket is destroyed with the scope, which also ends the waiting. */
export const opened = (
  open: () => Socket,
  event: "connect" | "secureConnect",
  fault: FetchFault
): Effect.Effect<Socket, FetchFailed, Scope.Scope> =>
  Effect.flatMap(
    Effect.acquireRelease(
      Effect.sync(() => open().on("error", ignore)),
      (socket) => Effect.sync(() => void socket.destroy())
    ),
    (socket) =>
      Effect.callback<Socket, FetchFailed>((resume) => {
        socket.once(event, () => resume(Effect.succeed(socket)))
        socket.once("close", () => resume(Effect.fail(new FetchFailed({ fault }))))
      })
  )

/** An error is followed by `close`, which is what is listened to. */
const ignore = () => {}

const resolveTimeoutMs = 2_000
const resolveTriesMax = 2

/**
 * Straight to the name servers: it can be cancelled and takes no thread of the pool that unpacks
 * bodies. A name without one kind of address is served by the other.
 */
const resolvePublic = (host: string): Effect.Effect<ReadonlyArray<string>, FetchFailed> =>
  Effect.callback((resume) => {
    const resolver = new Resolver({ timeout: resolveTimeoutMs, tries: resolveTriesMax })
    const found: Array<ReadonlyArray<string>> = []
    const settle = (place: number) => (_: unknown, addresses: ReadonlyArray<string> = []) => {
      found[place] = addresses
      if (found[0] === undefined || found[1] === undefined) return
      const all = found.flat()
      resume(
        all.length === 0
          ? Effect.fail(new FetchFailed({ fault: "name_unresolved" }))
          : Effect.succeed(all)
      )
    }
    resolver.resolve4(host, settle(0))
    resolver.resolve6(host, settle(1))
    return Effect.sync(() => resolver.cancel())
  })
