/**
 * A service under load, over real processes on one PostgreSQL: a busy session, slow groundings,
 * clients that do not read, many connections, expensive bodies, and more calls than it can serve.
 *
 * `npm run bench -- load` takes less than four minutes and prints one line a case, each with its
 * control of the same run; further arguments select cases by their first word. Compare ratios of
 * one run. Needs Linux (`/proc`).
 */
import { busySession } from "./load/busySession.ts"
import { runCases } from "./load/cases.ts"
import { connections } from "./load/connections.ts"
import { dearBodies } from "./load/dearBodies.ts"
import { goodput } from "./load/goodput.ts"
import { hostileSite } from "./load/hostileSite.ts"
import { slowGroundings } from "./load/slowGroundings.ts"
import { unreadAnswers } from "./load/unreadAnswers.ts"

const cases = {
  session: busySession,
  slow: slowGroundings,
  unread: unreadAnswers,
  connections,
  bodies: dearBodies,
  hostile: hostileSite,
  goodput
}

const runMsMax = 300_000

await runCases(cases, { runMsMax, lineOf: (name, line) => `${name.padEnd(12)}${line}` })
