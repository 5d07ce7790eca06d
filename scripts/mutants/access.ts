/** Faults of who may come in: credentials, scopes and tenants. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const faces = ["test/e2e/access.test.ts"] as const
const tokens = ["test/application/AccessTokens.test.ts"] as const
const limits = ["test/contract/TenantLimits.test.ts"] as const
const turns = ["test/application/TenantLimits.test.ts"] as const
const commands = ["test/e2e/tokens.test.ts"] as const
const issued = ["test/e2e/oidc.test.ts"] as const
const health = ["test/contract/TenantHealth.test.ts"] as const
const issuers = ["test/contract/OidcTokenIssuers.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("src/domain/access/AccessToken.ts", tokens, [
    {
      id: "access-revoked-lives",
      text: "revoked_at === undefined && (expires_at",
      replacement: "(expires_at",
      means: "a revoked token still opens the tenant's sessions"
    },
    {
      id: "access-never-expires",
      text: "(expires_at === undefined || now < expires_at)",
      replacement: "(expires_at === undefined || now <= expires_at || true)",
      means: "a token is accepted after its end"
    },
    {
      id: "access-no-bound",
      text: ">=\n          liveTokensMax",
      replacement: ">\n          liveTokensMax",
      means: "more tokens are made than the service holds ready"
    },
    {
      id: "access-service-tenant",
      text: "/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/",
      replacement: "/^[A-Za-z0-9._-]{1,64}$/",
      means: "a token opens the service's own streams as a tenant's",
      tests: tokens
    }
  ]),
  ...faultsIn("src/application/AccessTokens.ts", tokens, [
    {
      id: "access-stale-for-ever",
      text: "nowMs - (yield* Ref.get(readAtMs)) < staleMs",
      replacement: "true",
      means: "what another process revoked is accepted until this one restarts"
    },
    {
      id: "access-secret-kept",
      text: "secret_sha256: sha256(token),",
      replacement: "secret_sha256: token,",
      means: "whoever reads the log can call as any tenant"
    }
  ]),
  ...faultsIn("src/application/Access.ts", faces, [
    {
      id: "access-tenant-of-service",
      text: "tenantId: tenant_id,\n",
      replacement: "tenantId,\n",
      means: "every token opens the sessions of the service's own tenant"
    },
    {
      id: "access-all-granted",
      text: "scopes.has(scope) ? Effect.void : ",
      replacement: "scopes.size > 0 ? Effect.void : ",
      means: "a token allows everything"
    },
    {
      id: "access-not-asked",
      text: "return isRequired ? yield* new Unauthenticated() : everything",
      replacement: "return everything",
      means: "no token is needed on an open address"
    },
    {
      id: "access-bad-token-open",
      text: "onNone: () => Effect.fail(new Unauthenticated()),",
      replacement: "onNone: () => Effect.succeed(everything),",
      means: "an unknown token opens everything"
    },
    {
      id: "access-actor-lost",
      text: "credential === undefined ? face : `${face}:${credential}`",
      replacement: "face",
      means: "the log does not say by which token something was done"
    }
  ]),
  ...faultsIn("src/adapters/rpc/AccessGuard.ts", faces, [
    {
      id: "access-open-by-prefix",
      text: "openPaths.has(path)",
      replacement: "[...openPaths].some((open) => path.startsWith(open))",
      means: "a path beside an open one is answered without a token"
    },
    {
      id: "access-any-scheme",
      text: "/^bearer +(\\S+)$/i",
      replacement: "/(\\S+)$/i",
      means: "a token is taken from where proxies and logs keep it"
    }
  ]),
  ...faultsIn("src/adapters/rpc/DocumentRoute.ts", faces, [
    {
      id: "access-documents-free",
      text: "    yield* granted(operatorOperations.CollectEvidence.scope)(caller)\n",
      replacement: "",
      means: "a token that only reads puts documents into the evidence store"
    }
  ]),
  ...faultsIn("src/application/operations/ServiceCalls.ts", faces, [
    {
      id: "access-calls-free",
      text: "const allowed = granted(scope)(caller)",
      replacement: "const allowed = Effect.void",
      means: "scopes are asked of agents alone"
    }
  ]),
  ...faultsIn("src/application/operations/ServiceCalls.ts", turns, [
    {
      id: "limits-answer-lost",
      text: "recorded ? grounding : Effect.fail(reached)",
      replacement: "recorded && input === 0 ? grounding : Effect.fail(reached)",
      means: "who lost the connection is refused the answer that it paid for"
    }
  ]),
  ...faultsIn("src/adapters/postgres/PostgresTenantLimits.ts", limits, [
    {
      id: "limits-look-then-take",
      text: "counting(tenantId, { ...nothing, searches: 1 }, leavesSearches)",
      replacement: "counting(tenantId, { ...nothing, searches: 1 }, sql<boolean>`true`)",
      means: "a tenant searches without end"
    },
    {
      id: "limits-month-lost",
      text: "        and ${below(searchesInMonth, ceilings.searchesPerMonth)}`\n",
      replacement: "`\n",
      means: "a tenant is granted a month's searches every day"
    },
    {
      id: "limits-never-turn",
      text: "case when u.day = ${day} then u.searches_in_day else 0 end",
      replacement: "u.searches_in_day",
      means: "a tenant that used up one day is refused on every other"
    },
    {
      id: "limits-shortest",
      text: "order by ends desc limit 1",
      replacement: "order by ends limit 1",
      means: "a tenant is told to come back before anything is left"
    }
  ]),
  ...faultsIn("src/application/LimitTenants.ts", turns, [
    {
      id: "limits-turn-kept",
      text: "      () => end(tenantId)\n",
      replacement: "      () => Effect.void\n",
      means: "a tenant is refused for ever after a few calls"
    },
    {
      id: "limits-one-for-all",
      text: "const count = running.get(tenantId) ?? 0\n      if (concurrencyMax",
      replacement: "const count = running.size\n      if (concurrencyMax",
      means: "one tenant's calls refuse another's"
    }
  ]),
  ...faultsIn("src/application/steps/CallSearch.ts", turns, [
    {
      id: "limits-not-asked",
      text: "if (!(yield* takeSearch(tenantId)))",
      replacement: "if (false)",
      means: "a tenant's searches are not counted"
    }
  ]),
  ...faultsIn("src/domain/session/Outcome.ts", turns, [
    {
      id: "limits-told-as-time",
      text: "searches.length === 0 && stopped?.reason === \"budget\"",
      replacement: "searches.length === 0 && stopped === undefined",
      means: "a tenant without searches is told that the search timed out"
    }
  ]),
  ...faultsIn("src/application/run/RunRecord.ts", turns, [
    {
      id: "limits-cost-free",
      text: "      yield* charge(facts)\n",
      replacement: "",
      means: "what models cost a tenant is not counted"
    }
  ]),
  ...faultsIn("src/wiring/layers.ts", commands, [
    {
      id: "limits-not-wired",
      text: "    Layer.provideMerge(Storage.tenantLimits),\n",
      replacement: "",
      means: "an operator's limits are read and not kept"
    }
  ]),
  ...faultsIn("src/wiring/Serving.ts", commands, [
    {
      id: "access-open-to-all",
      text: "if (isLoopback(host) || OIDC",
      replacement: "if (host !== \"\" || OIDC",
      means: "the service listens to the world without a token"
    },
    {
      id: "access-proxy-ignored",
      text: "settings.WEB_GROUNDING_TOKENS_REQUIRED || !isLoopback(host)",
      replacement: "!isLoopback(host)",
      means: "behind a proxy everybody is let in although the operator said no"
    }
  ]),
  ...faultsIn("src/adapters/oidc/UnverifiedToken.ts", issued, [
    {
      id: "oidc-huge",
      text: "  if (token.length > tokenBytesMax) return undefined\n",
      replacement: "",
      means: "whoever sends long tokens has them unpacked and parsed"
    },
    {
      id: "oidc-any-type",
      text: "!types.has(header.typ.toLowerCase())",
      replacement: "header.typ === \"\"",
      means: "a token that was made for logging out lets its finder in"
    },
    {
      id: "oidc-nested",
      text: "[\"crit\", \"b64\", \"cty\", \"enc\", \"zip\"]",
      replacement: "[\"crit\"]",
      means: "a token is taken for what it says it is not"
    },
    {
      id: "oidc-said-twice",
      text: "() => !hasRepeatedName(text)",
      replacement: "() => text !== \"\"",
      means: "a token with two tenants is one tenant's here and another's at the proxy"
    },
    {
      id: "oidc-unlisted-algorithm",
      text: "  if (!algorithms.includes(header.alg)) return undefined\n",
      replacement: "",
      means: "an algorithm that the operator left out reaches the keys",
      equivalent: "the library is given the same list"
    }
  ]),
  ...faultsIn("src/infrastructure/http/RepeatedName.ts", issued, [
    {
      id: "oidc-escaped-twice",
      text: "const name: unknown = JSON.parse(last)",
      replacement: "const name: unknown = last",
      means: "a name that is written with an escape is said twice unnoticed"
    }
  ]),
  ...faultsIn("src/adapters/oidc/OidcTokenIssuers.ts", issued, [
    {
      id: "oidc-any-audience",
      text: "              audience: options.audience,\n",
      replacement: "",
      means: "a token for any other service opens this one"
    },
    {
      id: "oidc-endless",
      text: "requiredClaims: [\"exp\", \"sub\"]",
      replacement: "requiredClaims: [\"sub\"]",
      means: "a token without an end is accepted for ever"
    },
    {
      id: "oidc-issued-tomorrow",
      text: "!(iat <= latest)",
      replacement: "iat < 0",
      means: "a token that was made ahead is accepted before its time",
      tests: issuers
    },
    {
      id: "oidc-no-skew",
      text: "clockTolerance: options.clockSkewSeconds",
      replacement: "clockTolerance: 0",
      means: "an issuer whose clock is a second ahead is refused",
      tests: issuers
    },
    {
      id: "oidc-foreign-scopes",
      text: "            .filter((scope) => scope.startsWith(options.scopePrefix))\n",
      replacement: "",
      means: "a scope of another service allows something here",
      tests: issuers
    },
    {
      id: "oidc-away-is-bad",
      text: "renewed.wasRead ? new TokenRefused() : unavailable",
      replacement: "new TokenRefused()",
      means: "callers throw away good tokens while an issuer is away",
      tests: issuers
    },
    {
      id: "oidc-first-issuer",
      text: "unverified && issuers.get(unverified.issuer)",
      replacement: "unverified && [...issuers.values()][0]",
      means: "one issuer's keys sign for all",
      tests: issuers
    }
  ]),
  ...faultsIn("src/adapters/oidc/IssuerKeys.ts", issuers, [
    {
      id: "oidc-no-pause",
      text: "const pauseMs = 30_000",
      replacement: "const pauseMs = 0",
      means: "made-up key ids become as many requests to the issuer"
    },
    {
      id: "oidc-keys-for-ever",
      text: "const freshMs = 10 * 60_000",
      replacement: "const freshMs = 10_000 * 60_000",
      means: "a key that was withdrawn lets its thief in until the process ends"
    },
    {
      id: "oidc-keys-forgotten",
      text: "keys: found ?? keys,",
      replacement: "keys: found,",
      means: "an issuer that is away for a moment locks everybody out"
    },
    {
      id: "oidc-spoilt-reading",
      text: "const awaited = Effect.flatMap(reading, Fiber.await)",
      replacement: "const awaited = read",
      means: "whoever hangs up keeps the keys from being read"
    }
  ]),
  ...faultsIn("src/adapters/oidc/IssuerDocuments.ts", issuers, [
    {
      id: "oidc-open-keys",
      text: "if (!isTrustworthy(address))",
      replacement: "if (address === \"\")",
      means: "keys are taken from whoever stands on the way"
    },
    {
      id: "oidc-foreign-discovery",
      text: "if (found.issuer !== issuer)",
      replacement: "if (found.issuer === \"\")",
      means: "another issuer's document says where the keys are"
    },
    {
      id: "oidc-any-size",
      text: "const documentBytesMax = 256 * 1_024",
      replacement: "const documentBytesMax = 256 * 1_024 * 1_024",
      means: "an issuer fills the memory of this process"
    },
    {
      id: "oidc-waits",
      text: "const readTimeoutMs = 3_000",
      replacement: "const readTimeoutMs = 4_000",
      means: "calls hang for longer than is said while an issuer is slow"
    }
  ]),
  ...faultsIn("src/application/Access.ts", issued, [
    {
      id: "oidc-any-tenant",
      text: "isTenantId(tenant)\n",
      replacement: "tenant !== undefined\n",
      means: "an issuer opens the service's own streams"
    },
    {
      id: "oidc-all-scopes",
      text: "new Set(AccessScope.literals.filter((scope) => scopes.includes(scope)))",
      replacement: "allScopes",
      means: "every token of an issuer allows everything"
    },
    {
      id: "oidc-named-holder",
      text: "sha256(`${issuer}\\n${subject}`).slice(0, pseudonymChars)",
      replacement: "subject",
      means: "the log keeps people's addresses for ever"
    },
    {
      id: "oidc-refused-is-open",
      text: "Option.isSome(issuers) && given !== \"\"",
      replacement: "Option.isSome(issuers) && given.startsWith(\"eyJ\")",
      means: "a credential that looks like no token is as good as none"
    }
  ]),
  ...faultsIn("src/wiring/Serving.ts", issued, [
    {
      id: "oidc-closed-to-all",
      text: " || OIDC_ISSUERS.length > 0",
      replacement: "",
      means: "a service with issuers alone does not start where others reach it"
    }
  ]),
  ...faultsIn("src/wiring/Issuers.ts", issued, [
    {
      id: "oidc-audience-forgotten",
      text: "OIDC_ISSUERS.length > 0 && Option.isNone(OIDC_AUDIENCE)",
      replacement: "OIDC_ISSUERS.length > 99 && Option.isNone(OIDC_AUDIENCE)",
      means: "a service starts that nobody can call, and says nothing of it"
    }
  ]),
  ...faultsIn("src/application/projections/TenantRows.ts", health, [
    {
      id: "health-alike",
      text: "toWellFormed())} `",
      replacement: "toWellFormed())}`",
      means: "a tenant is shown the figures of one whose name begins with its own"
    },
    {
      id: "health-unescaped",
      text: "encodeURIComponent(tenantId.toWellFormed())",
      replacement: "tenantId",
      means: "a tenant with a space in its name is shown to the one before the space"
    }
  ]),
  ...faultsIn("src/application/projections/SearchHealthModel.ts", health, [
    {
      id: "health-of-all",
      text: "`${prefixOf(tenantId)}${minuteOf(started_at)} ${provider}`",
      replacement: "`${prefixOf(\"shop\")}${minuteOf(started_at)} ${provider}`",
      means: "a tenant is shown the searches of all"
    },
    {
      id: "health-tells-keys",
      text: "[withoutKey(attempt)]",
      replacement: "[attempt]",
      means: "a tenant is shown by which key it was searched"
    }
  ]),
  ...faultsIn("src/application/projections/PackHealthModel.ts", health, [
    {
      id: "health-packs-of-all",
      text: "`${prefixOf(tenantId)}${minuteOf(recordedAt)}`",
      replacement: "`${prefixOf(\"shop\")}${minuteOf(recordedAt)}`",
      means: "a tenant is shown how often others' packs were made"
    }
  ]),
  ...faultsIn("src/application/AskHealth.ts", health, [
    {
      id: "health-keys-told",
      text: "keys: [],",
      replacement: "keys: (yield* readRows(KeyHealthModel, { from: \"\", until: end, limit: 9 })),",
      means: "a tenant learns which of the operator's keys rest or are refused"
    },
    {
      id: "health-old-rows",
      text: "{ ...span, versionMin: SearchHealthModel.version }",
      replacement: "span",
      means: "after a release tenants are told that nothing was searched, until the rows are built"
    }
  ]),
  ...faultsIn("src/application/AskHealth.ts", faces, [
    {
      id: "health-seen-by-all",
      text: "scopes.has(\"admin\") ? \"deployment\" : { tenantId }",
      replacement: "scopes.size > 0 ? \"deployment\" : { tenantId }",
      means: "every reader is shown the whole deployment"
    },
    {
      id: "health-seen-by-none",
      text: "scopes.has(\"admin\") ? \"deployment\" : { tenantId }",
      replacement: "scopes.has(\"admin\") ? { tenantId } : { tenantId }",
      means: "whoever operates the service is told of one tenant"
    }
  ])
]
