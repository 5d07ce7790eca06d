/** Main-content extraction in the form the offline quality harness asks for. */
import { Result } from "effect"
import * as MainContent from "../../packages/pages/src/MainContent.ts"

/** The text of a page of HTML; empty when it has none. */
export const extract = (html: string, url: string): string =>
  Result.match(MainContent.readContent(html, url), {
    onSuccess: ({ text }) => text,
    onFailure: () => ""
  })
