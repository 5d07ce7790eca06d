/** What auditors ask of many sessions: a part of the wiring. */
import { Layer } from "effect"
import * as AuditApi from "../application/AuditApi.ts"
import * as ReplaySessions from "../application/replay/ReplaySessions.ts"

/** Over whatever log and replay. */
export const layer = AuditApi.layer.pipe(Layer.provide(ReplaySessions.layer))
