/**
 * How older stored shapes of a session's events become today's. A stored event is never rewritten:
 * it is brought up to date each time it is read.
 */
import { rulesVersionUnrecorded } from "./RulesVersion.ts"

type Json = Readonly<Record<string, unknown>>

/** Upcasters by stored type: the step from version 1 to 2, from 2 to 3, and so on. */
export const sessionUpcasters: Readonly<Record<string, ReadonlyArray<(data: Json) => Json>>> = {
  WEB_GROUNDING_REQUESTED: [
    // Version 2 says under which rules the request is answered.
    (data) => ({ ...data, rules_version: rulesVersionUnrecorded })
  ]
}
