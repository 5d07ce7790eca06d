/**
 * A page's title as it may stand in a pack, a view or a prompt: plain words, cleaned like a claim.
 *
 * Titles are a stranger's text that chat screens render as Markdown or HTML. An image in one would
 * be loaded by the reader's browser, with whatever its address carries.
 */
import * as Sentences from "@web-grounding/language/Sentences"
import { titleCharsMax } from "../search/SearchHit.ts"

/**
 * Most rounds of cleaning: what is removed may leave new markup behind. A title that still has some
 * is not shown.
 */
const roundsMax = 4

const isWorded = /[\p{L}\p{N}]/u

/** Beginnings of images, links, elements and scripts that cleaning did not recognise as such. */
const leftMarkup = /!\[|\]\(|<[a-z!?/]|(?:javascript|vbscript|data):/i

/**
 * `title` without images, links, HTML, script addresses and host names other than the page's own.
 * The host of `url` when nothing is left. Law: cleaning what is clean changes nothing.
 */
export const clean = (title: string, url: string): string => {
  const host = hostOf(url)
  const isOwn = (name: string) => isSameSite(name, host)
  const cleanOnce = (text: string) => Sentences.proseOf(text, titleCharsMax, isOwn)
  const [shown, again] = Array.from({ length: roundsMax }).reduce<readonly [string, string]>(
    ([, text]) => [text, cleanOnce(text)],
    [title, cleanOnce(title)]
  )
  const isPlain = shown === again && !leftMarkup.test(shown) && isWorded.test(shown)
  return isPlain ? shown : host
}

interface Titled {
  readonly title: string
  readonly url: string
}

export const withClean = <A extends Titled>(source: A): A => ({
  ...source,
  title: clean(source.title, source.url)
})

/**
 * Host of an address; what has no web address, such as an entry of the evidence store, is named by
 * itself.
 */
const hostOf = (url: string): string => URL.parse(url)?.host || url

/** The page's own host, one below it, or one above it that has a dot. */
const isSameSite = (name: string, host: string): boolean => {
  const [named, own] = [name, host].map((one) => `.${one.toLowerCase().replace(/^www\./, "")}`)
  return !/[/:]/.test(name) && named !== undefined && own !== undefined &&
    (named.endsWith(own) || own.endsWith(named))
}
