/** Texts that break lines, terminals and formats, for whatever writes text of others. */
const breaks = [
  "\n",
  "\r\n",
  "\u2028",
  "\u2029",
  "\u0085",
  "\u0000",
  "\u001b[31m",
  "\u001b]8;;x\u0007"
]
const forged = [
  "level=ERROR message=forged",
  "\",\"level\":\"ERROR\"",
  "{\"level\":\"ERROR\"}",
  "' OR 1=1 --",
  "${jndi:ldap://x}",
  "%0d%0aSet-Cookie: a=b",
  "<script>alert(1)</script>",
  "\\u000alevel=ERROR",
  "\u202eEVIL",
  "\u200b"
]

export const naughtyTexts: ReadonlyArray<string> = breaks.flatMap((one) =>
  forged.flatMap((text) => [`a${one}${text}`, `${text}${one}b`])
)
