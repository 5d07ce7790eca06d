/**
 * Pages as trees of elements. Every text and every attribute is escaped when a tree becomes HTML;
 * there is no way around it, so that words of the web stay words.
 */
import { type Html, html } from "htm/preact"
import { renderToString } from "preact-render-to-string"

export { type Html, html }

/** Whole HTML document as text. `inside` is its head and body. */
export const rendered = (inside: Html): string =>
  `<!doctype html>\n${renderToString(html`<html lang="en">${inside}</html>`)}`

/** The address where it begins with `http:` or `https:`; `undefined` for every other scheme. */
export const webAddress = (url: string): string | undefined =>
  /^https?:\/\//i.test(url) ? url : undefined
