/**
 * The operations as one page that needs no network: no script, no image, no font, and a policy
 * that lets a browser load none.
 */
import { createHash } from "node:crypto"
import { operationNames as names, serviceOperations } from "../../contract/ServiceOperations.ts"
import * as Problem from "./Problem.ts"
import { documentPath, routeOf } from "./Routes.ts"

const style = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;" +
  "padding:0 1rem;color:#1a1a1a;background:#fff}code{font-family:ui-monospace,monospace}" +
  "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .6rem;" +
  "border-bottom:1px solid #ccc;vertical-align:top}"

const styleHash = createHash("sha256").update(style).digest("base64")

export const headers = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? "")

/** Code words of the tables are in back-ticks. */
const prose = (text: string): string =>
  escaped(text).replace(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`)

const tableOf = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead>` +
  `<tbody>${
    rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")
  }</tbody></table>`

const operationRows = names.map((name) => [
  `<code>${routeOf(name).method} ${escaped(routeOf(name).path)}</code>`,
  prose(serviceOperations[name].summary)
])

const problemRows = Object.entries(Problem.kinds).map(([kind, { status, title }]) => [
  String(status),
  `<code>${Problem.typePrefix}${kind}</code>`,
  prose(title)
])

export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>web-grounding over HTTP</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>web-grounding over HTTP</h1>
<p>Every schema stands in <a href="${documentPath}">${documentPath}</a> (OpenAPI 3.1).</p>
<h2>Operations</h2>
${tableOf(["Where", "What it does"], operationRows)}
<h2>Problems</h2>
<p>Every failure is a document of type <code>${Problem.contentType}</code> (RFC 9457).</p>
${tableOf(["Status", "Type", "Meaning"], problemRows)}
<h2>Progress</h2>
<p>With <code>Accept: text/event-stream</code> a grounding answers with server-sent events:
<code>fact</code> for each fact as it is recorded, with its <code>stream_version</code> as id, then
<code>outcome</code> or <code>failed</code>. <code>Last-Event-ID</code> goes on from the log.</p>
</main>
</body>
</html>
`
