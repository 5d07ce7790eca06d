/** URLs whose responses are protected: by TLS, or because they do not leave the machine. */
import { isIP } from "node:net"

/** `https`, or `http` to loopback; without user and password. */
export const isTrustworthy = (address: string): boolean => {
  const url = URL.parse(address)
  if (url === null || url.username !== "" || url.password !== "") return false
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname))
}

export const isLoopback = (host: string): boolean => {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1")
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."))
}
