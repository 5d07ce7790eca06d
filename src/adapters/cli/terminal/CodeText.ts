/** A code that engines give as the reason of a failure, with a few plain words beside it. */

const plain: Readonly<Record<string, string>> = {
  address_forbidden: "the address is not of the public internet",
  address_invalid: "this is no address of a page",
  bad_body: "the answer is not what the provider promises",
  busy: "too many pages are being fetched",
  crashed: "the process that read the page ended",
  captcha: "the provider asks for a human",
  cut_off: "the connection ended early",
  downgrade_forbidden: "the page leads from https to http",
  encoding_unknown: "the text's encoding is not known",
  engine_failed: "the provider's own engine failed",
  extraction: "taking the text out of the page took too long",
  forbidden: "the provider refused the request",
  headers_too_large: "the answer's headers are too large",
  keys_resting: "every key of the provider rests",
  malformed: "the answer cannot be understood",
  name_forbidden: "no public registry has such a name",
  name_unresolved: "no such host was found",
  no_text: "the page holds no text",
  not_extracted: "the provider could not read the page either",
  out_of_memory: "the page needs more memory than one may take",
  own_ceiling: "the month's credits that the settings allow are spent",
  paygo_exhausted: "the plan's limit is reached",
  pdf_not_read: "the PDF holds no text that can be read",
  port_forbidden: "only ports 80 and 443 are fetched from",
  redirect: "the provider answered with a redirect",
  refused: "the server refused the request",
  robots: "the site's robots.txt does not allow it",
  scheme_forbidden: "only http and https are fetched",
  throttled: "the provider slows requests down",
  timeout: "the answer took too long",
  tls_failed: "the connection could not be secured",
  too_large: "the answer is too large",
  too_many_redirects: "the page leads on too often",
  truncated: "the answer ended early",
  type_forbidden: "neither a page, plain text, Markdown nor a PDF",
  unfinished: "the provider did not finish",
  unreachable: "the server could not be reached",
  unsent: "the request could not be sent",
  upstream_4xx: "the provider refused the request",
  upstream_5xx: "the provider failed",
  userinfo_forbidden: "a user or a password stands in the address"
}

/** "http_404, the site answered with status 404"; a code that is not known stays alone. */
export const explained = (code: string): string => {
  const status = /^http_(\d{3})$/.exec(code)?.[1]
  if (status !== undefined) return `${code}, the site answered with status ${status}`
  const words = Object.hasOwn(plain, code) ? plain[code] : undefined
  return words === undefined ? code : `${code}, ${words}`
}
