/**
 * OpenAPI 3.1 document, by Effect's `HttpApi`, from the tables of operations, routes and problems.
 */
import { Effect, Predicate, Record, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { escapeUTF8 as escaped } from "entities"
import { createHash } from "node:crypto"
import { EventView } from "../../contract/EventView.ts"
import { kindsOfTag } from "../../contract/FailureTable.ts"
import type { Tag } from "../../contract/Operations.ts"
import {
  type OperationName,
  operationNames as names,
  serviceOperations
} from "../../contract/ServiceOperations.ts"
import { GroundingOutcome } from "../../domain/session/GroundingOutcome.ts"
import * as Problem from "./Problem.ts"
import { documentPath, pathFieldsOf, routeOf } from "./Problem.ts"

/** Version of the document; raised when a field or a path is removed. */
const version = "1.0.0"

const tags: Readonly<Record<Tag, string>> = {
  groundings: "Questions that are grounded, and their answers.",
  sessions: "What a session's log holds.",
  research: "Research and outlines for a course.",
  evidence: "The evidence store.",
  service: "How the service does.",
  tokens: "Who may come in."
}

const description = "Grounds questions in the open web: decided, budgeted, searched, verified, " +
  "cited, recorded and replayable. Fields that an answer gains later are no break of it: ignore " +
  "what you do not know. Fields of a request that the service does not know are left out and " +
  "named in the header `Ignored-Fields`."

const progress =
  "Progress as server-sent events. `fact`: an event of the log as `EventView`, with " +
  "its `stream_version` as id. `outcome`: the answer, last. `failed`: a `Problem`, last. " +
  "`Last-Event-ID` goes on from the log after that version; nothing is paid twice."

type Fields = Schema.Struct.Fields

const fieldsOf = (name: OperationName): Fields => serviceOperations[name].input.fields

const outputOf = (name: OperationName): Schema.Top =>
  routeOf(name).events === true ? outcome : serviceOperations[name].output

const outcome = GroundingOutcome.annotate({ identifier: "GroundingOutcome" })

const endpointOf = (name: OperationName) => {
  const { method, path } = routeOf(name)
  const inPath = pathFieldsOf(path)
  const params = Record.filter(fieldsOf(name), (_, field) => inPath.includes(field))
  const rest = Record.filter(fieldsOf(name), (_, field) => !inPath.includes(field))
  const asked = inPath.length === 0 ? {} : { params }
  const success = outputOf(name)
  return method === "GET"
    ? HttpApiEndpoint.get(name, routerPath(path), { ...asked, query: rest, success })
    : HttpApiEndpoint.post(name, routerPath(path), {
      ...asked,
      ...(Object.keys(rest).length === 0
        ? {}
        : { payload: Schema.Struct(rest).annotate({ identifier: `${name}Input` }) }),
      success
    })
}

const routerPath = (path: `/v1/${string}`): `/v1/${string}` =>
  `/v1/${path.slice("/v1/".length).replaceAll(/\{(\w+)\}/g, ":$1")}`

const groupOf = (tag: Tag) => {
  const [first, ...rest] = names.filter((name) => routeOf(name).tag === tag).map(endpointOf)
  const group = HttpApiGroup.make(tag, { topLevel: true })
  const described = group.annotate(OpenApi.Description, tags[tag])
  return first === undefined ? described : described.add(first, ...rest)
}

const api = HttpApi.make("web-grounding")
  .add(
    groupOf("groundings"),
    groupOf("sessions"),
    groupOf("research"),
    groupOf("evidence"),
    groupOf("service"),
    groupOf("tokens")
  )
  .annotate(HttpApi.AdditionalSchemas, [
    EventView.annotate({ identifier: "EventView" }),
    Problem.Problem
  ])
  .annotateMerge(OpenApi.annotations({
    title: "web-grounding",
    version,
    description,
    license: { name: "MIT", identifier: "MIT" },
    servers: [{ url: "/", description: "This deployment." }]
  }))

/** Problems of any call, and those of a call with a body. */
const doorKinds: ReadonlyArray<Problem.Kind> = [
  "invalid-input",
  "version-mismatch",
  "unauthenticated",
  "scope-missing",
  "origin-refused",
  "not-acceptable",
  "wrong-host",
  "overloaded",
  "limit-reached",
  "internal-failure",
  "store-unavailable"
]
const bodyKinds: ReadonlyArray<Problem.Kind> = [
  "malformed-body",
  "body-too-large",
  "unsupported-media-type"
]
const kindsOf = (name: OperationName): ReadonlyArray<Problem.Kind> => [
  ...doorKinds,
  ...(routeOf(name).method === "POST" ? bodyKinds : []),
  ...serviceOperations[name].failure.members.flatMap(({ identifier }) => kindsOfTag(identifier))
]

const schemaOf = (identifier: string) => ({ $ref: `#/components/schemas/${identifier}` })

const referenceOf = (status: number) => ({ $ref: `#/components/responses/Problem${status}` })

const kinds: ReadonlyArray<Problem.Kind> = [...new Set(names.flatMap(kindsOf))]

const retryAfter = {
  "Retry-After": {
    description: "Seconds after which asking again may help.",
    schema: { type: "integer", minimum: 0 }
  }
}

const passing: ReadonlySet<number> = new Set([409, 429, 503])

const problemResponses = Object.fromEntries(
  [...Map.groupBy(kinds, (kind) => Problem.kinds[kind].status)].map(([status, kinds]) => [
    `Problem${status}`,
    {
      description: `${kinds.map((kind) => Problem.kinds[kind].title).join(". ")}.`,
      ...(passing.has(status) ? { headers: retryAfter } : {}),
      content: { [Problem.contentType]: { schema: schemaOf("Problem") } }
    }
  ])
)

const header = (name: string, description: string) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", minLength: 1, maxLength: 200 }
})

const idempotencyKey = header(
  "Idempotency-Key",
  "The `request_id`, where the body has none. The same id again is answered from the log."
)
const lastEventId = header("Last-Event-ID", "The version after which progress goes on.")

const ignoredFields = {
  "Ignored-Fields": {
    description: "Fields of the request that the service does not know, and left out.",
    schema: { type: "string" }
  }
}

/** `contentSchema`: content of each `data:`. */
const progressSchema = {
  type: "string",
  description: progress,
  contentMediaType: "application/json",
  contentSchema: { anyOf: ["EventView", "GroundingOutcome", "Problem"].map(schemaOf) }
}

const hasProgress = (name: OperationName): boolean => routeOf(name).events === true

type Parameter = OpenApi.OpenAPISpecParameter

/** Query parameters are text; their meaning is described as in a body. */
const parameterOf = (name: OperationName) => (parameter: Parameter) => {
  const schema = fieldsOf(name)[parameter.name]
  return schema === undefined || parameter.in !== "query"
    ? parameter
    : { ...parameter, schema: Schema.toJsonSchemaDocument(schema).schema }
}

const successOf = (name: OperationName, response: OpenApi.OpenApiSpecResponse | undefined) => ({
  ...response,
  description: "The answer.",
  headers: ignoredFields,
  content: response?.content,
  // In `content` it would make every generated response type a union with `string`.
  ...(hasProgress(name) ? { "x-text-event-stream": progressSchema } : {})
})

const operationOf = (name: OperationName, operation: OpenApi.OpenAPISpecOperation) => {
  const { scope, summary } = serviceOperations[name]
  const inPath = pathFieldsOf(routeOf(name).path)
  const isKeyed = "request_id" in fieldsOf(name) && !inPath.includes("request_id")
  // An empty list of an operation would override the document's security.
  const { security: _security, ...described } = operation
  return {
    ...described,
    summary,
    description: `${summary}. Needs a token with the scope \`${scope}\` where one is asked for.`,
    parameters: [
      ...operation.parameters.map(parameterOf(name)),
      ...(isKeyed ? [idempotencyKey] : []),
      ...(hasProgress(name) ? [lastEventId] : [])
    ],
    responses: {
      200: successOf(name, operation.responses[200]),
      ...Object.fromEntries(
        kindsOf(name).map((
          kind
        ) => [Problem.kinds[kind].status, referenceOf(Problem.kinds[kind].status)])
      )
    }
  }
}

/** Unknown fields are permitted on both sides. */
const open = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(open)
  if (!Predicate.isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, part]) =>
      key === "additionalProperties" && part === false ? [] : [[key, open(part)]]
    )
  )
}

const token = {
  type: "http",
  scheme: "bearer",
  description: "A token of this deployment, which begins with `wg_`."
}

const made = (): unknown => {
  const spec = OpenApi.fromApi(api)
  const pathOf = (path: string) =>
    Object.fromEntries(
      names.filter((name) => routeOf(name).path === path).flatMap((name) => {
        const method = routeOf(name).method === "GET" ? "get" : "post"
        const operation = spec.paths[path]?.[method]
        return operation === undefined ? [] : [[method, operationOf(name, operation)]]
      })
    )
  return open({
    ...spec,
    info: { ...spec.info, contact: { name: "The operator of this deployment" } },
    // The empty alternative: a deployment may require no token.
    security: [{ token: [] }, {}],
    paths: Object.fromEntries(Object.keys(spec.paths).map((path) => [path, pathOf(path)])),
    components: {
      schemas: spec.components.schemas,
      responses: problemResponses,
      securitySchemes: { token }
    }
  })
}

/** OpenAPI document of all operations. Built on first use, which takes a while, and cached. */
export const document = Effect.runSync(Effect.cached(Effect.sync(made)))

// The operations as one page without script, image or font, with a policy that lets a browser load
// none.

const style = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;" +
  "padding:0 1rem;color:#1a1a1a;background:#fff}code{font-family:ui-monospace,monospace}" +
  "main{overflow-x:auto}code{overflow-wrap:anywhere}" +
  "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .6rem;" +
  "border-bottom:1px solid #ccc;vertical-align:top}"

const styleHash = createHash("sha256").update(style).digest("base64")

export const headers = {
  "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; ` +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

const prose = (text: string): string =>
  escaped(text).replace(/`([^`]+)`/g, (_, code: string) => `<code>${code}</code>`)

const tableOf = (heads: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>) =>
  `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead>` +
  `<tbody>${
    rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")
  }</tbody></table>`

const operationRows = names.map((name) => [
  `<code>${routeOf(name).method} ${escaped(routeOf(name).path)}</code>`,
  prose(serviceOperations[name].summary),
  Object.keys(fieldsOf(name)).map((field) => `<code>${escaped(field)}</code>`).join(" ")
])

const otherRows = [
  ["POST /search, POST /extract", "Tavily's own calls"],
  ["POST /mcp", "The tools of agents, by the Model Context Protocol"],
  ["POST /rpc", "All operations, for Effect's RPC client"],
  ["PUT /documents", "A document into the evidence store"],
  ["GET /livez, /startupz, /readyz, /health", "Whether the process lives, and may be asked"],
  ["GET /metrics", "Figures for Prometheus"]
].map(([path = "", what = ""]) => [`<code>${escaped(path)}</code>`, escaped(what)])

const example = "curl -s http://127.0.0.1:7420/v1/groundings -H 'content-type: application/json' " +
  "-d '{\"session_id\":\"chat-1\",\"topic\":\"How much notice must a tenant give in Japan?\"," +
  "\"user_asked_for_facts\":true}'"

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
${tableOf(["Where", "What it does", "Input"], operationRows)}
<h2>An example</h2>
<p><code>${escaped(example)}</code></p>
<h2>Other paths</h2>
${tableOf(["Where", "What it does"], otherRows)}
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
