/** A page of DuckDuckGo's as the answer to a request, or why it is none. */
import { Option, Result } from "effect"
import type { SearchAnswer, SearchRequest } from "../../application/ports/SearchProvider.ts"
import * as SearchStatus from "../../domain/search/SearchStatus.ts"
import type { ProviderName } from "../../domain/search/SearchStatus.ts"
import * as WebAddress from "../../domain/search/WebAddress.ts"
import { isWanted } from "../../domain/search/WebAddress.ts"
import * as RegistrableDomain from "../../infrastructure/RegistrableDomain.ts"
import * as DuckDuckGoPage from "./DuckDuckGoPage.ts"
import * as DuckDuckGoStatus from "./DuckDuckGoStatus.ts"

const nothing: SearchAnswer = { hits: [], droppedCount: 0 }

/**
 * Hits of a page of results. One whose results are all unusable is a fault: it must not pass for
 * "nothing found".
 */
export const readHits = (
  html: string,
  provider: ProviderName,
  request: SearchRequest
): Result.Result<SearchAnswer, SearchStatus.SearchFault> =>
  DuckDuckGoPage.Page.$match(DuckDuckGoPage.readPage(html), {
    Challenge: () => Result.fail(DuckDuckGoStatus.captcha),
    Unknown: () => Result.fail(SearchStatus.badBody),
    Nothing: () => Result.succeed(nothing),
    Results: ({ results }) => {
      const finder = { provider, siteOf: RegistrableDomain.registrableDomain }
      const usable = results.flatMap(({ address, date, snippet, title }, place) =>
        Option.toArray(WebAddress.hitOf({
          address,
          title,
          content: snippet,
          publishedDate: date,
          rank: place + 1
        }, finder))
      )
      if (usable.length === 0) return Result.fail(SearchStatus.badBody)
      const wanted = usable.filter(({ url }) => isWanted(new URL(url).hostname, request))
      return Result.succeed({
        hits: WebAddress.withoutRepeats(wanted).slice(0, request.hitsMax),
        droppedCount: results.length - usable.length
      })
    }
  })
