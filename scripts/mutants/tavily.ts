/** Faults of listings, and of the face that Tavily's clients call. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const face = ["test/e2e/tavilyApi.test.ts"] as const
const crowds = ["test/faults/tavilyRequests.test.ts"] as const
const listings = ["test/application/ListResults.test.ts"] as const

export const mutants: ReadonlyArray<Mutant> = [
  ...faultsIn("src/adapters/tavilyapi/Callers.ts", face, [
    {
      id: "tavily-any-header",
      text: ": bearer.exec(authorization.trim())?.[1]",
      replacement: ": authorization",
      means: "a call whose header holds no token is answered"
    },
    {
      id: "tavily-no-key",
      text: "if (Option.isNone(credential)) return yield* unauthorized\n",
      replacement: "",
      means: "a call without a key is answered"
    }
  ]),
  ...faultsIn("src/adapters/tavilyapi/AskedBody.ts", face, [
    {
      id: "tavily-key-kept",
      text: "const { api_key: apiKey, ...fields }: Readonly<Record<string, unknown>> = " +
        "{ ...parsed }",
      replacement: "const fields: Readonly<Record<string, unknown>> = { ...parsed }\n" +
        "  const apiKey = fields[\"api_key\"]",
      means: "the caller's key goes on among the fields of its call"
    },
    {
      id: "tavily-name-told",
      text: "tellable.test(name)",
      replacement: "name !== \"\"",
      means: "a key in the place of a field's name is told back",
      tests: crowds
    },
    {
      id: "tavily-unoffered",
      text: "if (barred !== undefined) return",
      replacement: "if (barred === \"\") return",
      means: "what is not offered is left out in silence"
    },
    {
      id: "tavily-unbounded-json",
      text: "if (size !== undefined) return",
      replacement: "if (size === \"\") return",
      means: "a body of nothing but brackets is parsed"
    }
  ]),
  ...faultsIn("src/adapters/tavilyapi/SearchCall.ts", face, [
    {
      id: "tavily-failure-empty",
      text: "if (status === \"success\" || status === \"no_results\") return",
      replacement: "if (status.length > 0) return",
      means: "a search that failed is told as one that found nothing"
    },
    {
      id: "tavily-unredacted",
      text: "...(redact ? {} : { queries_as_given: true })",
      replacement: "queries_as_given: true",
      means: "personal data leaves although the caller wanted it left out"
    },
    {
      id: "tavily-reads-all",
      text: "isRaw(body) ? \"pages\" : \"hits\"",
      replacement: "isRaw(body) ? \"pages\" : \"pages\"",
      means: "a caller who wants hits waits for pages"
    },
    {
      id: "tavily-country",
      text: "({ region: { country: code } })",
      replacement: "({ region: { country: code.slice(0, 0) + \"GB\" } })",
      means: "another country than the caller's is searched"
    },
    {
      id: "tavily-latest-wait",
      text: "Math.min(...waits)",
      replacement: "Math.min(...waits) * 1_000",
      means: "a caller waits a thousand times too long"
    }
  ]),
  ...faultsIn("src/adapters/tavilyapi/ExtractCall.ts", face, [
    {
      id: "tavily-password-recorded",
      text: "Option.getOrUndefined(Option.map(WebAddress.canonical(url), ({ href }) => href))",
      replacement: "Option.getOrElse(\n" +
        "    Option.map(WebAddress.canonical(url), ({ href }) => href),\n    () => url\n  )",
      means: "an address with a password in it is recorded"
    }
  ]),
  ...faultsIn("src/adapters/tavilyapi/Listing.ts", face, [
    {
      id: "tavily-excerpt-raw",
      text: "reader !== \"snippet\" && text",
      replacement: "text",
      means: "a provider's excerpt is told as the text of the page"
    }
  ]),
  ...faultsIn("src/adapters/tavilyapi/Refused.ts", face, [
    {
      id: "tavily-money",
      text: "httpStatus: 432",
      replacement: "httpStatus: 429",
      means: "a caller whose money is spent is told to ask again soon"
    }
  ]),
  ...faultsIn("src/application/operations/ServiceCalls.ts", face, [
    {
      id: "tavily-unplaced",
      text: "placed(\"Ground\", caller)(list(input, caller))",
      replacement: "list(input, caller)",
      means: "listings run without a bound on their number"
    }
  ]),
  ...faultsIn("src/domain/session/NextStep.ts", listings, [
    {
      id: "listing-searched",
      text: "if (listing?.urls !== undefined) return",
      replacement: "if (listing?.urls?.length === 0) return",
      means: "pages that were named are searched for"
    },
    {
      id: "listing-written",
      text: "(listing === undefined ? reading",
      replacement: "(listing !== undefined ? reading",
      means: "whoever wants hits waits for a pack"
    }
  ]),
  ...faultsIn("src/domain/session/PackSharing.ts", listings, [
    {
      id: "listing-shared",
      text: "listing === undefined && ",
      replacement: "",
      means: "identical listings wait for each other's pack, which none of them makes"
    }
  ]),
  ...faultsIn("src/domain/plan/PlanRules.ts", listings, [
    {
      id: "listing-unchecked",
      text: "request.listing?.queries_as_given === true",
      replacement: "request.listing !== undefined",
      means: "personal data leaves with every listing"
    }
  ]),
  ...faultsIn("src/application/run/RunRecord.ts", listings, [
    {
      id: "listing-textless",
      text: "const texts = yield* performer.texts",
      replacement: "const texts = new Map<string, string>()",
      means: "pages that were read come without their texts"
    }
  ]),
  ...faultsIn("src/application/steps/SearchWeb.ts", listings, [
    {
      id: "listing-scarce",
      text: "Math.min(hitsScarceMax, request.hitsMax - 1)",
      replacement: "hitsScarceMax",
      means: "who wants one hit and gets it pays a second provider"
    }
  ]),
  ...faultsIn("src/application/replay/RecomputeStep.ts", listings, [
    {
      id: "listing-reread",
      text: "step.grounding.request.listing?.urls !== undefined ||\n      ",
      replacement: "",
      means: "the record of pages that could not be read does not replay"
    }
  ]),
  ...faultsIn("src/contract/Input.ts", listings, [
    {
      id: "listing-by-callers",
      text: "  ...CallerRequest.fields,\n",
      replacement: "  ...CallerRequest.fields,\n  listing: Schema.optionalKey(Listing),\n",
      means: "any caller, an agent too, can have personal data sent"
    }
  ])
]
