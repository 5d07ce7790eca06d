/** Addresses as the sandbox compares them. */
import { Option } from "effect"

/** An http(s) address without user, fragment and default port; none for what is no such. */
export const plain = (address: string): Option.Option<string> => {
  const url = URL.parse(address)
  return url === null || !/^https?:$/.test(url.protocol) || url.username + url.password !== ""
    ? Option.none()
    : Option.some(`${url.origin}${url.pathname}${url.search}`)
}
