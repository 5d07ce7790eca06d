/** What every search adapter owes the application about an answer, whatever its provider said. */
import { assert } from "@effect/vitest"
import { Option, Schema } from "effect"
import { clean } from "../../packages/language/src/text/Sentences.ts"
import type { SearchAnswer } from "../../src/application/ports/SearchProvider.ts"
import { contentCharsMax, SearchHit, titleCharsMax } from "../../src/domain/search/SearchStatus.ts"
import * as WebAddress from "../../src/domain/search/WebAddress.ts"

const isHit = Schema.is(SearchHit)

export const assertPromised = ({ droppedCount, hits }: SearchAnswer, hitsMax: number): void => {
  assert.isAtMost(hits.length, hitsMax)
  assert.isAtLeast(droppedCount, 0)
  assert.strictEqual(new Set(hits.map(({ url }) => url)).size, hits.length, "an address twice")
  const ranks = hits.map(({ rank }) => rank)
  assert.deepStrictEqual(ranks, ranks.toSorted((left, right) => left - right), "best first")
  for (const hit of hits) {
    assert.isTrue(isHit(hit), JSON.stringify(hit))
    const address = Option.getOrThrow(WebAddress.canonical(hit.url))
    assert.strictEqual(address.href, hit.url, "a canonical address")
    assert.isTrue(address.host.endsWith(hit.site), `${address.host} is of ${hit.site}`)
    for (const text of [hit.title, hit.content]) {
      assert.deepStrictEqual(clean(text), { text, removedCount: 0 })
    }
    assert.isTrue(hit.title.length > 0 && hit.title.length <= titleCharsMax)
    assert.isAtMost(hit.content.length, contentCharsMax)
    assert.isTrue(hit.score === undefined || (hit.score >= 0 && hit.score <= 1))
    if (hit.published_date !== undefined) assert.match(hit.published_date, /^\d{4}-\d{2}-\d{2}$/)
  }
}
