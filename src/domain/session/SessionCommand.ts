/** What can be asked of a session. Time and ids arrive here; the decider makes none. */
import { Schema } from "effect"
import {
  CacheUsed,
  Called,
  CallStarted,
  Decided,
  EvidenceRanked,
  EvidenceRead,
  Finished,
  PackCreated,
  PackReused,
  QueryPlanned,
  Requested,
  Researched,
  SearchStopped,
  ShownToUser
} from "./SessionEvent.ts"

const fieldsOf = <Fields extends Schema.Struct.Fields>(
  event: { readonly fields: Fields }
): Omit<Fields, "_tag"> => {
  const { _tag: _, ...fields } = event.fields
  return fields
}

export const RequestGrounding = Schema.TaggedStruct("RequestGrounding", fieldsOf(Requested))
export const RecordNeed = Schema.TaggedStruct("RecordNeed", {
  request_id: Decided.fields.request_id,
  proposed: Decided.fields.proposed,
  rung: Decided.fields.rung
})
export const RecordPlan = Schema.TaggedStruct("RecordPlan", fieldsOf(QueryPlanned))
export const StartCall = Schema.TaggedStruct("StartCall", fieldsOf(CallStarted))
export const RecordCall = Schema.TaggedStruct("RecordCall", fieldsOf(Called))
export const UseCache = Schema.TaggedStruct("UseCache", fieldsOf(CacheUsed))
export const ReusePack = Schema.TaggedStruct("ReusePack", fieldsOf(PackReused))
export const StopSearch = Schema.TaggedStruct("StopSearch", fieldsOf(SearchStopped))
/** How often the evidence had been read when the step was performed; what is older is dropped. */
const reading = Schema.Natural

export const RecordEvidence = Schema.TaggedStruct("RecordEvidence", {
  ...fieldsOf(EvidenceRead),
  reading
})
export const RecordRanking = Schema.TaggedStruct("RecordRanking", {
  ...fieldsOf(EvidenceRanked),
  reading
})
export const RecordPack = Schema.TaggedStruct("RecordPack", { ...fieldsOf(PackCreated), reading })
export const RecordResearch = Schema.TaggedStruct("RecordResearch", fieldsOf(Researched))
export const RecordOutcome = Schema.TaggedStruct("RecordOutcome", fieldsOf(Finished))
export const RecordShown = Schema.TaggedStruct("RecordShown", fieldsOf(ShownToUser))

export const SessionCommand = Schema.Union([
  RequestGrounding,
  RecordNeed,
  RecordPlan,
  StartCall,
  RecordCall,
  UseCache,
  ReusePack,
  StopSearch,
  RecordEvidence,
  RecordRanking,
  RecordPack,
  RecordResearch,
  RecordOutcome,
  RecordShown
]).pipe(Schema.toTaggedUnion("_tag"))
export type SessionCommand = typeof SessionCommand.Type
