/** Settings of callers with tokens from external issuers. */
import * as Setting from "./Setting.ts"

/** Public-key algorithms only: with a shared secret this service could sign. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519"
]

export const table = {
  OIDC_ISSUERS: Setting.trustworthyUrls(
    "OpenID Connect issuers whose tokens are accepted, as `iss` has them. Each may name any tenant. Absent: only tokens made here are"
  ),
  OIDC_AUDIENCE: Setting.optionalText(
    "What `aud` must be or hold: the name that the issuers know this service by. Needed with `OIDC_ISSUERS`"
  ),
  OIDC_JWKS_URLS: Setting.trustworthyUrls(
    "Where the issuers' keys are, one for each in the order of `OIDC_ISSUERS`. Absent: their discovery documents say"
  ),
  OIDC_ALGORITHMS: Setting.choices(
    { of: algorithms, default: ["RS256", "ES256", "EdDSA"] },
    "Signatures that are accepted"
  ),
  OIDC_CLOCK_SKEW: Setting.whole(
    { default: 30, minimum: 0, maximum: 300 },
    "Seconds by which an issuer's clock may differ"
  ),
  OIDC_TENANT_CLAIM: Setting.text("tenant", "The claim that names the tenant"),
  OIDC_SCOPES_CLAIM: Setting.text(
    "scope",
    "The claim with the scopes: a text with spaces between, or a list, e.g. `scp` or `roles`"
  ),
  OIDC_SCOPE_PREFIX: Setting.optionalText(
    "What stands before our scopes there, e.g. `grounding:` in `grounding:read`; others are left out"
  )
}
