/** The sandbox's internet: `.example` and nothing else, all of it on the sandbox's own port. */
import { Effect } from "effect"
import { FetchFailed } from "./FetchFailed.ts"
import { dialTcp, type Network, opened } from "./Network.ts"

/** Stands for the sandbox in the place of an address; it is never dialled as such. */
const place = "sandbox"

const isOurs = (host: string): boolean => host.endsWith(".example")

/**
 * Network of the sandbox's sites. Hosts are spoken to without TLS, whatever the page's address
 * says: nothing leaves this machine.
 */
export const make = (baseUrl: string): Network => {
  const { hostname, port } = new URL(baseUrl)
  return {
    isNameAllowed: isOurs,
    isAddressAllowed: (address) => address === place,
    resolve: () => Effect.succeed([place]),
    connect: ({ host }) =>
      isOurs(host)
        ? opened(() => dialTcp(hostname, Number(port)), "connect", "unreachable")
        : Effect.fail(new FetchFailed({ fault: "name_forbidden" }))
  }
}
