/** Why nothing was fetched. One word and a status, so that no address and no text can leak. */
import { Data } from "effect"

export type FetchFault =
  /** No absolute http(s) address, or one that is too long. */
  | "address_invalid"
  | "scheme_forbidden"
  /** A user or a password stands in the address. */
  | "userinfo_forbidden"
  | "port_forbidden"
  /** A name that no public registry has: `localhost`, one label, `*.internal`. */
  | "name_forbidden"
  /** Written in the address or among a name's answers: not an address of the public internet. */
  | "address_forbidden"
  /** A redirect from https to http. */
  | "downgrade_forbidden"
  | "too_many_redirects"
  /** The site's robots.txt says no, or cannot be read for now. */
  | "robots"
  | "name_unresolved"
  | "unreachable"
  /** The certificate is not the host's, has run out, or there is no TLS at all. */
  | "tls_failed"
  | "timeout"
  /** This process holds as much of other pages as it may. */
  | "busy"
  | "headers_too_large"
  | "too_large"
  /** The connection or the compression ended before the body did. */
  | "truncated"
  /** The answer is not HTTP, or its compression does not unpack. */
  | "malformed"
  | "encoding_unknown"
  /** Neither HTML, plain text, Markdown nor PDF; or one thing served as another. */
  | "type_forbidden"
  | "http_status"

export class FetchFailed extends Data.TaggedError("FetchFailed")<{
  readonly fault: FetchFault
  /** HTTP status, with `http_status` only. */
  readonly status?: number
}> {
  override get message(): string {
    return this.status === undefined ? this.fault : `http_${this.status}`
  }
}
