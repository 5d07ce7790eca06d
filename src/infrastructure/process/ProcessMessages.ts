/** Messages between the processes of one service and the process that started them. */
import { Schema } from "effect"

/** Metrics of one of the processes, in Prometheus' text format. */
export const ProcessText = Schema.Struct({ number: Schema.Int, text: Schema.String })

/** Message of one of the processes to the one that started it. */
export const Told = Schema.Union([
  Schema.TaggedStruct("Serving", { address: Schema.String }),
  Schema.TaggedStruct("Alive", {}),
  Schema.TaggedStruct("TextsWanted", { id: Schema.Int }),
  Schema.TaggedStruct("Text", { round: Schema.Int, text: Schema.String })
])

/** Message of the process that started the others to one of them. */
export const Asked = Schema.Union([
  Schema.TaggedStruct("AreYouAlive", {}),
  Schema.TaggedStruct("TextWanted", { round: Schema.Int }),
  Schema.TaggedStruct("Texts", { id: Schema.Int, texts: Schema.Array(ProcessText) })
])

export const toldFrom = Schema.decodeUnknownOption(Told)
export const askedFrom = Schema.decodeUnknownOption(Asked)
