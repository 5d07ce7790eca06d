/**
 * Wires the issuers whose tokens are accepted beside our own. What checks them is loaded only where
 * there are issuers.
 */
import { Effect, Layer, Option } from "effect"
import * as Settings from "../infrastructure/Settings.ts"

/** Problems that keep `serve` from starting. */
export const problemsOf = (
  { OIDC_AUDIENCE, OIDC_ISSUERS, OIDC_JWKS_URLS }: Settings.SettingValues
): ReadonlyArray<Settings.SettingInvalid> => {
  const jwks = OIDC_JWKS_URLS.length
  return [
    ...(OIDC_ISSUERS.length > 0 && Option.isNone(OIDC_AUDIENCE)
      ? [
        new Settings.SettingInvalid({
          setting: "OIDC_AUDIENCE",
          problem: "Expected with OIDC_ISSUERS: else tokens for any other service open this one"
        })
      ]
      : []),
    ...(jwks > 0 && jwks !== OIDC_ISSUERS.length
      ? [
        new Settings.SettingInvalid({
          setting: "OIDC_JWKS_URLS",
          problem: "Expected as many addresses as OIDC_ISSUERS has"
        })
      ]
      : [])
  ]
}

/**
 * Verification of tokens that the configured issuers signed; nothing where no issuer is set. Fails
 * where the settings do not fit each other.
 */
export const layer = Layer.unwrap(Effect.gen(function*() {
  const settings = yield* Settings.Settings
  const invalid = problemsOf(settings)
  if (invalid.length > 0) return yield* new Settings.SettingsInvalid({ invalid })
  const [first, ...others] = settings.OIDC_ISSUERS.map((issuer, place) => {
    const keysUrl = settings.OIDC_JWKS_URLS[place]
    return { issuer, ...(keysUrl === undefined ? {} : { keysUrl }) }
  })
  if (first === undefined) return Layer.empty
  const OidcTokenIssuers = yield* Effect.promise(
    () => import("../adapters/oidc/OidcTokenIssuers.ts")
  )
  return OidcTokenIssuers.layer({
    issuers: [first, ...others],
    audience: Option.getOrElse(settings.OIDC_AUDIENCE, () => ""),
    algorithms: settings.OIDC_ALGORITHMS,
    clockSkewSeconds: settings.OIDC_CLOCK_SKEW,
    tenantClaim: settings.OIDC_TENANT_CLAIM,
    scopesClaim: settings.OIDC_SCOPES_CLAIM,
    scopePrefix: Option.getOrElse(settings.OIDC_SCOPE_PREFIX, () => "")
  })
}))
