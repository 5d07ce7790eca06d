/** Settings of the serving process, its database, and callers with tokens from external issuers. */
import { availableParallelism } from "node:os"
import * as Setting from "./Setting.ts"

/** They mostly wait for I/O; their computation takes about a tenth of a second. */
const groundingsPerCpu = 16

export const table = {
  WEB_GROUNDING_DATA_DIR: Setting.text("data", "Directory of the embedded store"),
  WEB_GROUNDING_TENANT: Setting.text("default", "Tenant whose sessions this process serves"),
  WEB_GROUNDING_HOST: Setting.text("127.0.0.1", "Address to listen on; `--host` takes precedence"),
  WEB_GROUNDING_PORT: Setting.whole({
    default: 7_420,
    defaultText: "7420",
    minimum: 0,
    maximum: 65_535
  }, "Port to listen on, 0 for any free one; `--port` takes precedence"),
  WEB_GROUNDING_TOKENS_REQUIRED: Setting.flag(
    false,
    "Require a token on loopback too, as behind a proxy; on other addresses it is always required"
  ),
  WEB_GROUNDING_GROUNDINGS_MAX: Setting.whole(
    {
      default: groundingsPerCpu * availableParallelism(),
      defaultText: `${groundingsPerCpu} for each CPU`,
      minimum: 1,
      maximum: 10_000
    },
    "Concurrent groundings of one process; further ones wait at most 500 ms, then get `Overloaded`"
  ),
  TENANT_REQUESTS_PER_MINUTE: Setting.whole(
    { default: 0, minimum: 0, maximum: 1_000_000 },
    "Calls of one tenant in a minute that may search or ask models, counted for all processes; 0: unlimited"
  ),
  TENANT_GROUNDINGS_MAX: Setting.whole(
    { default: 0, minimum: 0, maximum: 10_000 },
    "Such concurrent calls of one tenant in one process; 0: unlimited"
  ),
  TENANT_SEARCHES_PER_DAY: Setting.whole(
    { default: 0, minimum: 0, maximum: 100_000_000 },
    "Searches of one tenant in a day (UTC), exact for all processes together; 0: unlimited"
  ),
  TENANT_SEARCHES_PER_MONTH: Setting.whole(
    { default: 0, minimum: 0, maximum: 1_000_000_000 },
    "Likewise in a month"
  ),
  TENANT_COST_CENTS_PER_DAY: Setting.whole(
    { default: 0, minimum: 0, maximum: 100_000_000 },
    "US cents that one tenant may spend on models in a day, if prices are set; 0: unlimited. Running calls may exceed it"
  ),
  TENANT_COST_CENTS_PER_MONTH: Setting.whole(
    { default: 0, minimum: 0, maximum: 1_000_000_000 },
    "Likewise in a month"
  ),
  TENANT_LIMITS_REFUSE: Setting.flag(
    false,
    "Calls of a tenant whose searches or cost are used up get 429; else they use caches, the evidence store and local engines"
  ),
  WEB_GROUNDING_READS_MAX: Setting.whole(
    { default: 32, minimum: 1, maximum: 10_000 },
    "Concurrent reads of the log, apart from groundings"
  ),
  WEB_GROUNDING_CONNECTIONS_MAX: Setting.whole(
    { default: 1_000, minimum: 10, maximum: 100_000 },
    "Connections of callers. One more replaces an idle one, or is refused"
  ),
  WEB_GROUNDING_ALLOWED_HOSTS: Setting.list(
    "names",
    "Host names of the service for callers, besides loopback and its address; others get 421"
  ),
  WEB_GROUNDING_ALLOWED_ORIGINS: Setting.list(
    "origins",
    "Origins of web pages that may call, without cookies; others get 403"
  ),
  HTTPS_PROXY: Setting.proxy(
    "Proxy for `https` URLs of engines, models, issuers and pages"
  ),
  HTTP_PROXY: Setting.proxy("Likewise for `http` URLs"),
  NO_PROXY: Setting.optionalText(
    "Hosts reached without the proxy: names with their subdomains, addresses, ranges such as `10.0.0.0/8`, `*`. Loopback always is"
  ),
  WEB_GROUNDING_READ_MODEL_LAG_MS_MAX: Setting.whole(
    { default: 300_000, minimum: 0, maximum: 86_400_000 },
    "Lag of its own read models above which a process is not ready, so that others get the calls; 0: unlimited"
  ),
  WEB_GROUNDING_SHUTDOWN_DELAY_MS: Setting.whole(
    { default: 0, minimum: 0, maximum: 8_000 },
    "Time after SIGTERM in which the process answers as before while `/readyz` fails"
  ),
  WEB_GROUNDING_SHUTDOWN_GRACE_MS: Setting.whole(
    { default: 5_000, minimum: 0, maximum: 8_000 },
    "Time after that for running groundings; the rest get `Interrupted`"
  )
}

// Settings of the database: address, connections, timeouts.

export const databaseTable = {
  DATABASE_URL: Setting.databaseUrl("PostgreSQL server. Absent: the embedded store"),
  DATABASE_READ_URL: Setting.databaseUrl(
    "Standby of that server, for lists, timelines, packs and charts. Absent: the server itself"
  ),
  DATABASE_READ_LAG_MS_MAX: Setting.whole(
    { default: 5_000, minimum: 1_000, maximum: 600_000 },
    "A standby that lags by more is not read from"
  ),
  DATABASE_POOLER: Setting.choice(
    { of: ["none", "transaction"], default: "none" },
    "What the URLs of databases point to: the server itself, or a pooler such as pgbouncer in transaction mode"
  ),
  DATABASE_POOL_MAX: Setting.whole(
    { default: 10, minimum: 1, maximum: 200 },
    "Connections this process may open to PostgreSQL"
  ),
  DATABASE_POOL_MIN: Setting.whole(
    { default: 2, minimum: 0, maximum: 200 },
    "Connections kept open, at most `DATABASE_POOL_MAX`"
  ),
  DATABASE_CONNECT_TIMEOUT_MS: Setting.milliseconds(
    { default: 5_000, maximum: 60_000 },
    "Wait for a connection; repeated while the caller's deadline allows"
  ),
  DATABASE_STATEMENT_TIMEOUT_MS: Setting.milliseconds(
    { default: 30_000, maximum: 600_000 },
    "Timeout of one statement"
  ),
  DATABASE_IDLE_TRANSACTION_TIMEOUT_MS: Setting.milliseconds(
    { default: 10_000, maximum: 600_000 },
    "Time after which the server ends an idle transaction"
  )
}

// Settings of callers with tokens from external issuers.

/** Public-key algorithms only: with a shared secret this service could sign. */
const algorithms = "RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519".split(" ")

export const accessTable = {
  OIDC_ISSUERS: Setting.trustworthyUrls(
    "OpenID Connect issuers whose tokens are accepted, as in `iss`. Each may name any tenant. Absent: only tokens made here are accepted"
  ),
  OIDC_AUDIENCE: Setting.optionalText(
    "Required value of `aud`: the issuers' name for this service. Needed with `OIDC_ISSUERS`"
  ),
  OIDC_JWKS_URLS: Setting.trustworthyUrls(
    "URLs of the issuers' keys, in the order of `OIDC_ISSUERS`. Absent: those of their discovery documents"
  ),
  OIDC_ALGORITHMS: Setting.choices(
    { of: algorithms, default: ["RS256", "ES256", "EdDSA"] },
    "Accepted signature algorithms"
  ),
  OIDC_CLOCK_SKEW: Setting.whole(
    { default: 30, minimum: 0, maximum: 300 },
    "Accepted difference of an issuer's clock, in seconds"
  ),
  OIDC_TENANT_CLAIM: Setting.text("tenant", "Claim with the tenant"),
  OIDC_SCOPES_CLAIM: Setting.text(
    "scope",
    "Claim with the scopes: a text separated by spaces, or a list, e.g. `scp` or `roles`"
  ),
  OIDC_SCOPE_PREFIX: Setting.optionalText(
    "Prefix of our scopes there, e.g. `grounding:` in `grounding:read`; others are ignored"
  )
}
