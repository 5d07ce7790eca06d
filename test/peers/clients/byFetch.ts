/** Asks by openapi-fetch, with the types that openapi-typescript has made of the document. */
import createClient from "openapi-fetch"
import type { paths } from "./generated/paths.ts"

export const byFetch = async (baseUrl: string) => {
  const client = createClient<paths>({ baseUrl })
  const ids = { session_id: "fetch", request_id: "fetch" }
  const grounded = await client.POST("/v1/groundings", {
    body: {
      ...ids,
      topic: "How much notice must a tenant give in Japan?",
      user_asked_for_facts: true
    }
  })
  const missing = await client.GET("/v1/groundings/{session_id}/{request_id}", {
    params: { path: { ...ids, request_id: "nobody" } }
  })
  const page = await client.GET("/v1/sessions/{session_id}/events", {
    params: { path: { session_id: ids.session_id }, query: { limit: 2 } }
  })
  // The type has the stream of progress too, which is a text.
  const outcome = typeof grounded.data === "string" ? undefined : grounded.data
  return {
    mode: outcome?.mode,
    rule: outcome?.pack.constraints_and_rules[0]?.text,
    problem: missing.error?.type,
    status: missing.error?.status,
    types: page.data?.events.map(({ type }) => type),
    next: page.data?.next
  }
}
