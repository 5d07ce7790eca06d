/** The reader that needs no network: the provider's own snippet is the page. Cannot fail. */
import { chunksOfSnippet } from "@web-grounding/language/Chunking"
import { Effect } from "effect"
import type { PageReader, PageText } from "../../application/ports/Engines.ts"

export const make: PageReader<never> = {
  info: { engine: "snippet", version: "2" },
  read: ({ content }) =>
    Effect.sync(() => pageOf(content)).pipe(Effect.withSpan("SnippetPageReader.read"))
}

const pageOf = (text: string): PageText | undefined => {
  const chunks = chunksOfSnippet(text)
  return chunks.length === 0 ? undefined : { reader: "snippet", text, chunks }
}
