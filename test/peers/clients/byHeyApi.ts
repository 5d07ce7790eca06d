/** Asks by the client that `@hey-api/openapi-ts` has made of the document. */
import { createClient } from "./generated/hey/client/index.ts"
import { getPack, getSession, ground } from "./generated/hey/sdk.gen.ts"

export const byHeyApi = async (baseUrl: string) => {
  const client = createClient({ baseUrl })
  const ids = { session_id: "hey", request_id: "hey" }
  const grounded = await ground({
    client,
    body: {
      ...ids,
      topic: "How much notice must a tenant give in Japan?",
      user_asked_for_facts: true
    }
  })
  const missing = await getPack({ client, path: { ...ids, request_id: "nobody" } })
  const page = await getSession({
    client,
    path: { session_id: ids.session_id },
    query: { limit: 2 }
  })
  const refused = await getPack({ client, path: ids, auth: "wg_unknown" })
  return {
    mode: grounded.data?.mode,
    rule: grounded.data?.pack.constraints_and_rules[0]?.text,
    problem: missing.error?.type,
    status: missing.error?.status,
    types: page.data?.events.map(({ type }) => type),
    next: page.data?.next,
    unknownToken: refused.error?.type
  }
}
