/** What auditors ask of recorded sessions: a part of the wiring. */
import { Layer } from "effect"
import * as AuditApi from "../application/AuditApi.ts"
import * as ReplaySessions from "../application/replay/ReplaySessions.ts"
import * as WhatIfSession from "../application/whatif/WhatIfSession.ts"
import * as WhatIfSessions from "../application/whatif/WhatIfSessions.ts"
import * as Engines from "./Engines.ts"

/** Over whatever log and replay. What is supposed has the local engines alone, and no provider. */
export const layer = AuditApi.layer.pipe(
  Layer.provide(Layer.mergeAll(ReplaySessions.layer, WhatIfSessions.layer)),
  Layer.provide(WhatIfSession.layer),
  Layer.provide(Engines.local)
)
