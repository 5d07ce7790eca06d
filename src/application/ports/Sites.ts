/** Groups hosts by the party that owns them: two hosts of one party are not independent sources. */
import { Context } from "effect"

/** Registrable domains by the public suffix list: the party behind a host. */
export class Sites extends Context.Service<Sites, {
  /** The registrable domain of a host; `host` as `WebAddress.canonical` gives it. */
  readonly siteOf: (host: string) => string
}>()("web-grounding/application/ports/Sites") {}
