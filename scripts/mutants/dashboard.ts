/** Faults of the pages and of the read models behind them. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const access = ["test/e2e/dashboardAccess.test.ts"] as const
const browser = ["test/e2e/dashboard.test.ts"] as const
const queries = ["test/application/QueryReadModels.test.ts"] as const
const listing = ["test/contract/PostgresReadModels.test.ts"] as const
const alerts = ["test/application/WatchAlerts.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("src/adapters/dashboard/views/PackCard.ts", browser, [
    {
      id: "dashboard-claim-markup",
      text: "<div><p class=\"text\" dir=\"auto\" lang=${claim.language}>${claim.text}</p>",
      replacement: "<div><p class=\"text\" dangerouslySetInnerHTML=${{ __html: claim.text }}></p>",
      means: "words of the web are elements of the page"
    },
    {
      id: "dashboard-quotation-elsewhere",
      text: "one.source === place.source &&",
      replacement: "one.source !== place.source &&",
      means: "a quotation opens no text although it is kept"
    }
  ]),
  ...faultsIn("src/adapters/dashboard/views/SessionPage.ts", access, [
    {
      id: "dashboard-whatif-for-all",
      text: "viewer.canAudit ? WhatIfPart.form(session.session_id) : \"\"",
      replacement: "WhatIfPart.form(session.session_id)",
      means: "who may not audit is shown a form that answers with a refusal"
    }
  ]),
  ...faultsIn("src/adapters/dashboard/DashboardFace.ts", access, [
    {
      id: "dashboard-framed",
      text: "  \"frame-ancestors 'none'\",\n",
      replacement: "",
      means: "another site shows the pages in a frame and has its visitors click"
    },
    {
      id: "dashboard-redirects-anywhere",
      text:
        "to !== null && isOurs(to) && !to.startsWith(\"//\") && !to.startsWith(\"/\\\\\") ? to : \"/\"",
      replacement: "to ?? \"/\"",
      means: "a link signs somebody in and leads to another site"
    },
    {
      id: "dashboard-any-token",
      text: "failure._tag === \"Unauthenticated\"\n          ? refusedToken",
      replacement: "failure._tag === \"Unauthenticated\"\n          ? jsonAnswer({ to: \"/\" })",
      means: "a token that is not accepted is kept as if it were"
    },
    {
      id: "dashboard-signed-out",
      text: "if (_tag !== \"Unauthenticated\") {",
      replacement: "if (_tag === undefined) {",
      means: "an outage of the database signs everybody out who looks at the pages because of it"
    },
    {
      id: "dashboard-kept",
      text: "  \"cache-control\": \"no-store\"\n",
      replacement: "  \"cache-control\": \"public\"\n",
      means: "a proxy shows a tenant's pages to another"
    }
  ]),
  ...faultsIn("src/adapters/dashboard/Viewers.ts", access, [
    {
      id: "dashboard-cookie-read",
      text: "Path=/; HttpOnly; SameSite=Lax",
      replacement: "Path=/; SameSite=Lax",
      means: "a script reads the token"
    },
    {
      id: "dashboard-cookie-in-clear",
      text: "headers[\"x-forwarded-proto\"] === \"https\" ? \"; Secure\" : \"\"",
      replacement: "\"\"",
      means: "the token is sent over a connection that is not encrypted"
    },
    {
      id: "dashboard-all-audit",
      text: "canAudit: scopes.has(\"audit\")",
      replacement: "canAudit: true",
      means: "who may not replay is offered it"
    }
  ]),
  ...faultsIn("src/adapters/dashboard/views/EvidencePage.ts", access, [
    {
      id: "dashboard-approval-for-all",
      text: "viewer.isAdmin && href",
      replacement: "href",
      means: "who may not approve is offered it"
    }
  ]),
  ...faultsIn("src/adapters/dashboard/Pages.ts", access, [
    {
      id: "dashboard-alerts-for-all",
      text: "const alerts = viewer.isAdmin\n",
      replacement: "const alerts = viewer.canRead\n",
      means: "a reader's page fails for what only the operator is shown"
    }
  ]),
  ...faultsIn("src/adapters/rpc/RequestGuard.ts", access, [
    {
      id: "dashboard-any-origin",
      text: "(origin === `http://${host}` || origin === `https://${host}`)",
      replacement: "origin.startsWith(\"http\")",
      means: "any web page acts with the token of whoever has it open"
    },
    {
      id: "dashboard-any-page",
      text: " && isPage?.(url) === true",
      replacement: "",
      means: "a link of another site calls an operation"
    }
  ]),
  ...faultsIn("src/application/QueryReadModels.ts", queries, [
    {
      id: "queries-every-tenant",
      text: "    from: prefix,\n",
      replacement: "    from: \"~\",\n",
      means: "a list goes on into another tenant's sessions"
    },
    {
      id: "queries-page-repeated",
      text: "    until: `${prefix}${cursor ?? afterAll}`,",
      replacement: "    until: `${prefix}${cursor === undefined ? afterAll : `${cursor} `}`,",
      means: "the last row of a page comes again on the next"
    }
  ]),
  ...faultsIn("src/domain/summary/SessionSummary.ts", queries, [
    {
      id: "summary-never-finished",
      text: "counted(counted(states, \"unfinished\", -1), RequestState.stateOf(outcome), 1)",
      replacement: "counted(states, RequestState.stateOf(outcome), 1)",
      means: "a session that was answered is listed as unfinished for ever"
    }
  ]),
  ...faultsIn("src/domain/summary/GroundingSummary.ts", queries, [
    {
      id: "summary-credits-once",
      text: "credits: begun.credits + creditsOf(event)",
      replacement: "credits: begun.credits || creditsOf(event)",
      means: "the second search of a request costs nothing in the list"
    }
  ]),
  ...faultsIn("src/domain/summary/SessionSummary.ts", queries, [
    {
      id: "activity-half-counted",
      text: "requests: one.requests + other.requests",
      replacement: "requests: Math.max(one.requests, other.requests)",
      means: "a chart shows one request a minute however many there were"
    }
  ]),
  ...faultsIn("src/domain/summary/CitedPack.ts", queries, [
    {
      id: "cited-invisible",
      text: "before: clean(text.slice(Math.max(0, start - contextCharsMax), start)).text",
      replacement: "before: text.slice(Math.max(0, start - contextCharsMax), start)",
      means: "characters of a page turn the words around them"
    },
    {
      id: "cited-other-query",
      text: "progress.queries[event.query_index] ?? \"\"",
      replacement: "progress.queries[0] === undefined ? \"\" : \"a query\"",
      means: "a source is told to be found by what did not find it"
    }
  ]),
  ...faultsIn("src/adapters/postgres/models/ReadModelStatements.ts", listing, [
    {
      id: "listing-oldest",
      text: "order by (row ->> 'sort_key') collate \"C\" desc limit",
      replacement: "order by (row ->> 'sort_key') collate \"C\" limit",
      means: "a list begins with its oldest rows"
    },
    {
      id: "listing-flag-ignored",
      text: "sql`and row -> 'flags' ? ${flag}`",
      replacement: "sql`and ${flag} is not null`",
      means: "the filter for failed sessions shows all"
    },
    {
      id: "listing-pattern",
      text: "sql`and position(${words} in row ->> 'words') > 0`",
      replacement: "sql`and row ->> 'words' like '%' || ${words} || '%'`",
      means: "a percent sign finds everything"
    }
  ]),
  ...faultsIn("src/domain/health/AlertLog.ts", alerts, [
    {
      id: "alerts-again",
      text: "open.has(alert_key) ? [] : [AlertOpened.make",
      replacement: "open.get(alert_key) === at ? [] : [AlertOpened.make",
      means: "an alert is opened anew at each look"
    },
    {
      id: "alerts-never-closed",
      text: "now.has(alert_key) || stays(alert_key) ? [] : [AlertClosed",
      replacement: "now.has(alert_key) || opened_at < at ? [] : [AlertClosed",
      means: "an alert that is over stays open"
    },
    {
      id: "alerts-tamper-closed",
      text: "now.has(alert_key) || stays(alert_key) ? [] : [AlertClosed",
      replacement: "now.has(alert_key) ? [] : [AlertClosed",
      means: "a process that has not met a changed log says that it is over"
    }
  ])
]
