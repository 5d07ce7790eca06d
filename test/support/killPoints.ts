/** Where a grounding is killed: right before or after each thing it does. */
export const killPoints = [
  "before REQUESTED",
  "after REQUESTED",
  "after DECIDED",
  "after QUERY_PLANNED",
  "before CALL_STARTED",
  "after CALL_STARTED",
  "request sent",
  "answer received",
  "after CALLED",
  "after EVIDENCE_READ",
  "after EVIDENCE_RANKED",
  "before PACK_CREATED",
  "after PACK_CREATED",
  "after FINISHED",
  "answer given"
] as const

export type KillPoint = (typeof killPoints)[number]

export interface Victim {
  readonly databaseUrl: string
  readonly sandboxUrl: string
  readonly sessionId: string
  readonly killAt: KillPoint | "never"
}

/** The same question each time, and a search of its own: the query cache must not answer it. */
export const requestOf = (sessionId: string) => ({
  session_id: sessionId,
  request_id: "r",
  topic: "How much notice must a tenant give in Japan?",
  phase: "mid_chat",
  user_asked_for_facts: true,
  overrides: { exclude_domains: [`${sessionId.toLowerCase().replace(/[^a-z0-9]+/g, "-")}.example`] }
})
