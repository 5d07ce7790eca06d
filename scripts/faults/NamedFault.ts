/**
 * Faults that break a promise: by the test that must notice them, what would go wrong, the text of the
 * sources, and the fault in its place. A text occurs once in all sources, whichever file holds it and
 * however its lines are broken.
 */
export type NamedFault = readonly [text: string, replacement: string]

interface Place {
  readonly file: string
  /** With the fault in it. */
  readonly source: string
}

/** Where a fault belongs among sources by file; undefined unless its text is there exactly once. */
export const placed = (
  sources: ReadonlyMap<string, string>,
  [text, replacement]: NamedFault
): Place | undefined => {
  const words = text.match(/\w+|[^\s\w]/g) ?? []
  const pattern = new RegExp(words.map((word) => word.replace(/^\W$/, "\\$&")).join("\\s*"))
  const places = [...sources].flatMap(([file, source]) => {
    const [before, after, ...more] = source.split(pattern)
    if (before === undefined || after === undefined) return []
    return more.length > 0
      ? [undefined, undefined]
      : [{ file, source: before + replacement + after }]
  })
  return places.length === 1 ? places[0] : undefined
}

export const namedFaults: Readonly<Record<string, Readonly<Record<string, NamedFault>>>> = {
  "packages/language/test/QueryPrivacy.test.ts": {
    "mail addresses and handles leave": ["without(rest, spansOf(rest, pattern))", "rest"]
  },
  "packages/language/test/Vetoes.test.ts": {
    "the opposite of the quotation survives": [
      `return isAdded("negates") ? "negation"`,
      `return false ? "negation"`
    ]
  },
  "packages/pages/test/PageExtraction.test.ts": {
    "a host is read on whose pages cost worker after worker": [
      "nowMs < (known.get(host)?.restsUntilMs ?? 0)",
      "nowMs < 0"
    ]
  },
  "packages/safe-fetch/test/Proxy.test.ts": {
    "a proxy is asked for a name that leads inside": [
      "address === atProxy || isPublic(address)",
      "isPublic(address) || address !== undefined"
    ],
    "a proxy resolves again what was looked at": [
      `names === "left to the proxy" ? to.host : to.address`,
      "to.host"
    ]
  },
  "test/application/SitePolicy.test.ts": {
    "a snippet of a site that is not allowed is quoted under another's address": [
      "text === undefined || isLedAway({ rung })",
      "text === undefined"
    ]
  },
  "test/application/PublishedDays.test.ts": {
    "results of other days are recorded and quoted": [
      "kept.filter((hit) => isPublished(published, hit))",
      "kept"
    ]
  },
  "test/infrastructure/HttpExchange.test.ts": {
    "a proxy's refusal counts as a search that may be charged": [`"UND_ERR_ABORTED",`, ""]
  },
  "test/adapters/DatabaseClock.test.ts": {
    "replicas with wrong clocks date events in another order than they happened": [
      "databaseMs: databaseMs + now.monotonicMs - monotonicMs",
      "databaseMs: now.wallMs"
    ]
  },
  "test/adapters/FencedText.test.ts": {
    "a page's words pose as a turn of an agent's conversation": [
      "lines.map((line) => InjectionFlag.escaped(line, boundary))",
      "lines"
    ]
  },
  "test/adapters/McpSessions.test.ts": {
    "a tenant uses and ends another's session": [
      "session === undefined || session.tenantId !== identity.tenantId",
      "session === undefined"
    ],
    "a token for metrics opens a session": [
      "!scopes.some((scope) => identity.scopes.has(scope))",
      "identity.scopes.size === 0"
    ],
    "there is any number of sessions": [
      "yield* endAbove(sessionsMax - 1, [...sessions.values()])",
      ""
    ]
  },
  "test/adapters/StrangersText.test.ts": {
    "an end of blanks is looked for from each blank of a page": [
      `.replace(/^\\n+/, "").trimEnd()`,
      `.replace(/^\\n+|\\s+$/g, "")`
    ],
    "numbers of a page are handed over as arguments": [
      "Words.largest(Array.from(worth.values()), worthLeast)",
      "Math.max(worthLeast, ...worth.values())"
    ]
  },
  "test/adapters/Traces.test.ts": {
    "addresses, headers and stacks leave in spans": [
      "attributes.filter(({ key }) => allowed.has(key))",
      `attributes.filter(({ key }) => key !== "")`
    ]
  },
  "test/adapters/Watermark.test.ts": {
    "a reader passes a writer that is still at work": [
      "!reading.holders.some((holder) => pending.holders.includes(holder))",
      "!reading.holders.every((holder) => pending.holders.includes(holder))"
    ]
  },
  "test/application/Anchors.test.ts": {
    "an anchor passes whose signature was not verified": [
      "if (!Ed25519.verifies(key.pem, { payloadType, payload, signature: signature.sig })) {",
      `if (payload === "") {`
    ]
  },
  "test/application/BusySession.test.ts": {
    "the loser of a race decides on the state before it, and budgets are overspent": [
      "Effect.flatMap((fresh) => decideAndAppend(fresh, identified, actor)),",
      "Effect.flatMap(({ head }) => decideAndAppend({ ...loaded, head }, identified, actor)),"
    ],
    "a log that does not answer holds callers long after their deadline": [
      "(yield* leftMs(deadline)) + answerGraceMs",
      "(yield* leftMs(deadline)) + 60_000"
    ]
  },
  "test/application/CallsElsewhere.test.ts": {
    "the running search of another replica is recorded as lost": [
      "? owner !== instance.id\n        : key !== undefined && !(yield* coalesce.isLed({ tenantId, key }))",
      "? owner !== instance.id\n        : key !== undefined"
    ]
  },
  "test/application/CoalesceSearch.test.ts": {
    "every process pays for the same search": ["if (!isFirst) return undefined", ""]
  },
  "test/application/Exports.test.ts": {
    "an edited event is imported": [
      "if (broken !== undefined) return fault(fieldsOfFault",
      `if (broken === "head_mismatch") return fault(fieldsOfFault`
    ]
  },
  "test/application/PackCache.test.ts": {
    "a reported page is used": [
      "return !isReported(policy, address) && ",
      "return "
    ],
    "one tenant gets another's pack": [
      "return { tenantId, key: sha256(PackSharing",
      "return { tenantId: tenantId.slice(0, 0), key: sha256(PackSharing"
    ],
    "a pack about one user's matter is given to another": [
      "texts.every(QueryPrivacy.isOpen)",
      "texts.length > 0"
    ]
  },
  "test/application/PageTexts.test.ts": {
    "page texts stay in the log without the caller's consent": [
      `reader === "snippet" || request.consent_raw_content`,
      "true"
    ]
  },
  "test/application/ProjectionRunner.test.ts": {
    "a person is erased by a list that passed an event": [
      `if (parked > 0 || state === "halted") return false`,
      ""
    ]
  },
  "test/application/QueryReadModels.test.ts": {
    "a list goes on into another tenant's sessions": ["from: prefix,", `from: "~",`]
  },
  "test/application/RebuildModels.test.ts": {
    "a rebuild adds what is missing and leaves what is wrong": [
      "firstDifference(shown.get(key), row) !== undefined",
      "firstDifference(shown.get(key), undefined) === undefined"
    ],
    "a rebuild counts events after the checkpoint twice": [
      "Stream.takeWhile((event) => event.position <= until),",
      ""
    ]
  },
  "test/application/RecentAnswers.test.ts": {
    "another tenant that uses the same ids gets the answer": [
      "JSON.stringify([tenantId, session_id, request_id])",
      "JSON.stringify([tenantId.length, session_id, request_id])"
    ],
    "the answer of an erased session is given again": ["now.erasedAt === undefined &&", ""]
  },
  "test/application/ReplaySession.test.ts": {
    "a forged proposal, plan, score or draft of a local engine passes": [
      "&& isOf(recorded.rung, chain.last.info)",
      `&& recorded.rung.engine === ""`
    ],
    "an edited log replays as sound": [
      "chain_fault: Result.isFailure(verified) ? verified.failure : undefined",
      "chain_fault: undefined"
    ]
  },
  "test/application/RewrittenLog.test.ts": {
    "a session that was rewritten with its chain passes despite an outside anchor": [
      `return isNews ? "rewritten" : undefined`,
      "return undefined"
    ]
  },
  "test/application/RunRecord.test.ts": {
    "a model's query is recorded with personal data": [
      "withoutLeaks(queries.map(safe), request)",
      "withoutLeaks(queries, request)"
    ],
    "a provider is asked before the log holds the question": [
      "record.flush(position), (before) => record.meanwhile",
      "Effect.succeed(position), (before) => record.meanwhile"
    ],
    "a model's paid answer is used before it is recorded, and paid again after a crash": [
      "isOutside ? record.append(before, command) : record.take",
      "isOutside ? record.take(before, command) : record.take"
    ]
  },
  "test/application/RungWalk.test.ts": {
    "half a character in a model's answer loses it": [
      "value.toWellFormed().replaceAll(\"\\0\", \"\\uFFFD\")",
      "value"
    ]
  },
  "test/application/SearchCharges.test.ts": {
    "searches are made beyond the operator's ceiling": [
      "if (month === undefined) return unsent(provider, ceilingReached)",
      "if (month === undefined) return yield* ask(provider, request, timeoutMs)"
    ],
    "a search that may have been charged is sent again": [
      `detail === "unsent" ? quota.spend(provider.name) : false`,
      "quota.spend(provider.name)"
    ]
  },
  "test/application/WatchAlerts.test.ts": {
    "a process ends an alert that another one sees": [
      "if (ageMs < unseenMsMax || alert._tag",
      "if (alert._tag"
    ]
  },
  "test/application/WhatIfFacts.test.ts": {
    "hits that were never recorded count as none": [
      "const isHidden = hiddenIn(called) > 0 &&",
      "const isHidden = hiddenIn(called) < 0 &&"
    ]
  },
  "test/application/StepBugs.test.ts": {
    "a bug behind the engines fails the request, and each retry": [
      "onBug(place, () => emptied)",
      "Effect.tap(() => Effect.void)"
    ],
    "a search is sent twice after a bug": ["if (empty === undefined) return done", ""]
  },
  "test/contract/EvidenceStores.test.ts": {
    "one tenant reads another's private notes": [
      "where e.tenant_id = ${tenantId} and e.source_key = ${source}",
      "where ${tenantId}::text is not null and e.source_key = ${source}"
    ]
  },
  "test/faults/creditMonth.test.ts": {
    "the month turns hours early or late, by the server's zone": [
      "to_char(${utc}, 'YYYY-MM')`",
      "to_char(now(), 'YYYY-MM')`"
    ]
  },
  "test/contract/Ledgers.test.ts": {
    "the last search of a month exceeds the ceiling": [
      "where ${ceiling ?? null}::int is null or c.used + excluded.used <= ${ceiling ?? null}",
      "where ${ceiling ?? null}::int is null or c.used <= ${ceiling ?? null}"
    ],
    "two processes pay for the same search": [
      "where f.owner = excluded.owner or f.until < now()",
      "where f.owner = excluded.owner or f.until < now() + interval '1 hour'"
    ],
    "one tenant gets the cached answer of another": [
      "select entry from wg.query_cache where tenant_id = ${tenantId} and key = ${key}",
      "select entry from wg.query_cache where key = ${key}"
    ]
  },
  "test/contract/ModelPrivacy.test.ts": {
    "a model's server reads who asks": [
      "strip(user_question ?? topic)",
      "(user_question ?? topic)"
    ]
  },
  "test/contract/PostgresEventStore.test.ts": {
    "a projection passes an event that is not visible yet, for ever": [
      "return first === -1 ? events : events.slice(0, first)",
      "return first === -2 ? [] : events"
    ],
    "an append that lost the race reports success and its events are nowhere": [
      "if (!same || last === undefined) {",
      "if (last === undefined) {"
    ],
    "an append follows a head with a forged hash": [
      "and own.head_hash = given.before",
      "and given.before is not null"
    ],
    "one tenant's events are recorded in another's stream": [
      "and own.tenant_id = given.tenant and own.session_id",
      "and given.tenant is not null and own.session_id"
    ],
    "an erased session is written on": [
      "own.session_id = given.session and own.erased_at is null",
      "own.session_id = given.session"
    ]
  },
  "test/contract/PostgresReadModels.test.ts": {
    "two processes write one read model": ["or lease_until < now())", "or lease_until > now())"],
    "a crash between checkpoint and rows loses a page for ever": [
      "postgres.transaction(Effect.gen(function*() { yield* advance",
      "Effect.scoped(Effect.gen(function*() { yield* advance"
    ]
  },
  "test/contract/TenantLimits.test.ts": {
    "a tenant searches without end": [
      "counting(tenantId, { ...nothing, searches: 1 }, leavesSearches)",
      "counting(tenantId, { ...nothing, searches: 1 }, sql<boolean>`true`)"
    ]
  },
  "test/domain/Corroboration.test.ts": {
    "\"can\" and \"cannot\" of two sites both survive": [
      "(isDenied(said, read) ||",
      "("
    ]
  },
  "test/domain/EvidenceBox.test.ts": {
    "a page writes the boundary of its box": [
      `unbounded(text.replaceAll("\\\\", "\\\\\\\\"), boundary)`,
      `text.replaceAll("\\\\", "\\\\\\\\")`
    ]
  },
  "test/domain/HashChain.test.ts": {
    "events can be exchanged, left out or inserted": [
      `return hash === event.hash ? undefined : "link_broken"`,
      "return undefined"
    ],
    "a forged payload passes for an erased one": [
      "if (event.salt === null) return event.data === null",
      "if (event.salt === null) return true"
    ],
    "the digest of an erased payload confirms a guess of it": [
      "`wg:1:payload\\0${salt}${dataText}`",
      "`wg:1:payload\\0${dataText}`"
    ]
  },
  "test/domain/Judgement.test.ts": {
    "a number that no source has survives because a judge agreed": [
      "Sameness.find(worded, quotesOf(proposal), locale) === undefined",
      "true"
    ]
  },
  "test/application/TenantLimits.test.ts": {
    "models are asked when a tenant's cost is used up": [
      "yield* hasCostLeft(tenantId)",
      "(yield* hasCostLeft(tenantId)) || true"
    ]
  },
  "test/domain/NextStep.test.ts": {
    "more queries are sent than the decision grants": [".slice(0, need.max_queries)", ""]
  },
  "test/domain/Outcome.test.ts": {
    "a repeated request is answered anew by changed rules": [
      "grounding.finished?.outcome ?? derived(grounding)",
      "derived(grounding)"
    ]
  },
  "test/domain/PackAssembly.test.ts": {
    "a page gives the next model its orders as a claim": [
      "!InjectionFlag.isSuspicious(text) && (sources",
      "(sources"
    ]
  },
  "test/domain/PackQuotes.test.ts": {
    "a quote passes whose offsets point elsewhere": [
      "whole.slice(start, end) === text",
      "whole.includes(text)"
    ]
  },
  "test/domain/Session.test.ts": {
    "a session searches beyond its budget": [
      `, grounding.request).remaining > 0 ? "new"`,
      `, grounding.request).remaining >= 0 ? "new"`
    ],
    "a repeated request gets another answer than the first": [
      "newIf(finished === undefined)",
      `"new"`
    ],
    "another question under a used request id gets the first question's answer": [
      "isSame(grounding.request, given.request)",
      "isSame(given.request, given.request)"
    ],
    "folding newer events changes the state that another caller decides on": [
      "const groundings = new Map(from.groundings)",
      "const groundings = from.groundings as Map<string, Grounding>"
    ]
  },
  "test/domain/SourceTitle.test.ts": {
    "a title brings a link or an image into a pack": [
      "return isPlain ? shown : host",
      "return title"
    ]
  },
  "test/e2e/accessTable.test.ts": {
    "a document is taken in without the scope": [
      "yield* granted(operatorOperations.CollectEvidence.scope)(caller)",
      ""
    ],
    "a stream tells a request's facts before the scope is checked": [
      "const facts = yield* Queue.dropping<StoredEvent, Cause.Done>(waitingFactsMax)",
      "const facts = yield* Queue.dropping<StoredEvent, Cause.Done>(waitingFactsMax); yield* Effect.catchTag(readOn, \"SessionNotFound\", () => Effect.void)"
    ],
    "operations do not check scopes": [
      "const allowed = granted(scope)(caller)",
      "const allowed = Effect.void"
    ]
  },
  "test/e2e/crossOrigin.test.ts": {
    "any web page reads what is answered to it": [
      "allowedOrigins: (origin) => allowed.origins.includes(origin)",
      "allowedOrigins: (origin) => origin !== undefined"
    ],
    "any web page may call once one may": [
      "!allowed.origins.includes(origin) && !isOwn",
      "allowed.origins.length === 0 && !isOwn"
    ]
  },
  "test/e2e/dashboard.test.ts": {
    "words of the web become elements of the page": [
      "<div><p class=\"text\" dir=\"auto\" lang=${claim.language}>${claim.text}</p>",
      "<div><p class=\"text\" dangerouslySetInnerHTML=${{ __html: claim.text }}></p>"
    ]
  },
  "test/e2e/dashboardAccess.test.ts": {
    "any web page acts with the token of its visitor": [
      "(origin === `http://${host}` || origin === `https://${host}`)",
      `origin.startsWith("http")`
    ]
  },
  "test/e2e/documents.test.ts": {
    "a document of any declared length is read": [
      `request.headers["content-length"] ?? 0) > limits.bytesMax`,
      `request.headers["content-length"] ?? 0) > Infinity`
    ]
  },
  "test/e2e/httpProgress.test.ts": {
    "a caller sees events of another request of the session": [
      "if (event.correlation_id !== asked) return",
      ""
    ]
  },
  "test/e2e/oidc.test.ts": {
    "a token for any other service opens this one": ["audience: options.audience,", ""]
  },
  "test/e2e/tavilyApi.test.ts": {
    "the caller's key stays among the fields of its call": [
      "const { api_key: apiKey, ...fields }: Sent = { ...parsed }",
      `const fields: Readonly<Record<string, unknown>> = { ...parsed } const apiKey = fields["api_key"]`
    ]
  },
  "test/faults/boxedPrompts.test.ts": {
    "a page closes its box and gives the judge orders": [
      "const boxed = (text: string) => InjectionFlag.escaped(text, boundary) return claims.map",
      "const boxed = (text: string) => text return claims.map"
    ]
  },
  "packages/client/test/EffectClient.test.ts": {
    "an interrupted call goes on without its caller": [
      "attempt((signal) => method(input, { ...options, signal }))",
      "attempt(() => method(input, { ...options }))"
    ]
  },
  "packages/client/test/ClientFaults.test.ts": {
    "each try of a client is a request of its own and is paid again": [
      "? { ...request, deadline_ms: leftMs } : request",
      "? { ...request, request_id: newRequestId(), deadline_ms: leftMs } : { ...request, request_id: newRequestId() }"
    ],
    "a call and its token follow a redirect to another host": [
      `signal, redirect: "manual" } as const`,
      `signal, redirect: "follow" as "manual" }`
    ],
    "a token that a server sends back is shown in an error": [
      `secret === undefined ? text : text.replaceAll(secret, "[secret]")`,
      "secret === undefined ? text : text"
    ]
  },
  "test/faults/encryptedPayloads.test.ts": {
    "a ciphertext that was moved to another event is read": [
      "JSON.stringify([tenantId, streamId, version, type])",
      "JSON.stringify([tenantId, streamId])"
    ],
    "two payloads under one key share a nonce": [
      "const nonce = randomBytes(nonceBytes)",
      "const nonce = Buffer.alloc(nonceBytes)"
    ]
  },
  "test/faults/erasure.test.ts": {
    "one tenant erases another's session": [
      "where tenant_id = ${tenant_id} and session_id = ${session_id} for update",
      "where ${tenant_id} <> '' and session_id = ${session_id} for update"
    ],
    "a projection that was reading meanwhile restores an erased question": [
      "event.request_ids.map((id) => keyOf(event.tenant_id, event.session_id, id))",
      "event.request_ids.map((id) => keyOf(event.tenant_id, event.stream_id, id))"
    ],
    "an erased session that was restored with its key passes": [
      "tell([LogCheck.resurrection(found)])",
      "found"
    ]
  },
  "packages/safe-fetch/test/SafeFetch.test.ts": {
    "a cookie reaches another host": [
      "cookie: cookiesFor(jar, target.host)",
      "cookie: [...jar.keys()].map((host) => cookiesFor(jar, host)).join()"
    ]
  },
  "packages/safe-fetch/test/hostileBodies.test.ts": {
    "a compressed body unfolds without a limit": [
      "if (whole.length() + chunk.length > bytesMax)",
      "if (bytesMax < 0)"
    ]
  },
  "packages/safe-fetch/test/insideRequests.test.ts": {
    "a site that is not allowed sees a request by way of another": [
      "follow(target, { ...errand, admit, holder })",
      "follow(target, { ...errand, holder })"
    ],
    "a fetch dials an internal address": [
      `address.range() !== "unicast" ||`,
      `address.range() === "loopback" ||`
    ],
    "an address that the machine's own cloud answers is fetched": [
      "insideAnyway.has(address.toString())",
      "false"
    ]
  },
  "test/faults/lostConnections.test.ts": {
    "a connection that is lost costs the answer": [
      "isPassing(error) && (!error.may_have_run",
      "false && (!error.may_have_run"
    ]
  },
  "test/faults/migrationLocks.test.ts": {
    "every append waits for a migration that waits for a long transaction": [
      "set_config('lock_timeout', ${String(lockWaitMsMax)}, true)",
      "set_config('lock_timeout', ${String(lockWaitMsMax * 0)}, true)"
    ]
  },
  "test/faults/poolers.test.ts": {
    "behind a pooler statements run without a time limit": [
      "if (found.misfits.length === 0) return undefined",
      "if (found.misfits.length >= 0) return undefined"
    ]
  },
  "test/faults/standby.test.ts": {
    "readers of a standby pass events that are written a moment later": [
      "if (row?.is_standby === true)",
      "if (row?.is_standby === undefined)"
    ]
  },
  "test/golden/receipts.test.ts": {
    "an inner node passes for an entry": ["sha256(`\\0${entry}`)", "sha256(entry)"],
    "a receipt of one claim gives the whole answer away": [
      "...(shown === undefined ? {",
      "...(shown !== -1 ? {"
    ]
  },
  "packages/pages/test/SealedProcess.test.ts": {
    "a page that takes its parser over reads every key of the service": [
      "{ env: {}, stdio",
      "{ stdio"
    ]
  },
  "test/application/SearchWeb.test.ts": {
    "a ceiling is passed by a provider that reports no charge": [
      `return credits < least ? "below_price" : undefined`,
      "return undefined"
    ],
    "an answer that was paid for is lost when the ledger hangs": [
      "Option.isSome(inTime) ? inTime.value.flat() : yield* Ref.get(finished)",
      "Option.isSome(inTime) ? inTime.value.flat() : []"
    ]
  },
  "test/adapters/SafeConsole.test.ts": {
    "a page's title makes a terminal obey it": [
      `if (typeof value === "string") return safe(value)`,
      ""
    ]
  },
  "test/adapters/EvidenceIngest.test.ts": {
    "taking in a folder follows a link out of it": [
      `if (type === "SymbolicLink") return "link"`,
      ""
    ]
  }
}
