/** Documents that are hard on their reader, and a server of them in its own process. */
import { createServer } from "node:http"
import { pdfDocument } from "../../packages/pages/test/support/pdfDocument.ts"

/** Just under the most that is fetched. */
const bytesMax = 5 * 1_024 * 1_024 - 4_096
const html = "text/html; charset=utf-8"

const filled = (head: string, part: string, parts = Infinity): string =>
  `<!doctype html>${head}${
    part.repeat(Math.min(parts, Math.floor(bytesMax / Buffer.byteLength(part))))
  }`

type Document = readonly [contentType: string, body: string | Uint8Array]

const documents: Readonly<Record<string, () => Document>> = {
  deep: () => [html, filled("", "<div>", 1_000_000)],
  links: () => [html, filled("<main>", "<p>words, and <a href=/x>more words</a> ", 100_000)],
  slow: () => [
    html,
    filled("<p>", "<font>x ", 300_000) + "<p>words, and <a href=/x>words</a>".repeat(60_000)
  ],
  wide: () => [html, filled("<main><p>", "가나다라 마바사아 자차카타. ")],
  entities: () => [html, filled("<main><p>", "&amp;&lt;&#x41;")],
  attributes: () => [html, filled("<main>", `<p class="a b c" id="d" title="${"e".repeat(64)}">f`)],
  sheets: () => [html, filled("<main><style>", ".a,.b{display:none}")],
  bomb: () => [
    "application/pdf",
    pdfDocument({ shown: new Uint8Array(400_000_000).fill(32), isDeflated: true })
  ]
}

export const hostileNames: ReadonlyArray<string> = Object.keys(documents)

if (process.argv[1]?.endsWith("hostileDocuments.ts") === true) {
  const kept = new Map<string, Document>()
  for (const [name, make] of Object.entries(documents)) kept.set(name, make())
  const server = createServer((request, response) => {
    const [contentType, body] = kept.get(request.url?.slice(1) ?? "") ??
      [html, `<!doctype html><title>Notice</title><main><p>${"A page of words. ".repeat(40)}</p>`]
    response.writeHead(200, { "content-type": contentType }).end(body)
  })
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()))
  process.once("disconnect", () => process.exit())
}
