/** A model that decides whether the web is needed. Phase and budget have the last word. */
import * as QueryPrivacy from "@web-grounding/language/QueryPrivacy"
import { Effect, Schema } from "effect"
import type { NeedGate } from "../../application/ports/Engines.ts"
import * as NeedRules from "../../domain/need/NeedRules.ts"
import { SearchNeed } from "../../domain/need/ReasonCodes.ts"
import type { GroundingRequest } from "../../domain/request/GroundingRequest.ts"
import * as AskedRequest from "./AskedRequest.ts"
import { type ChatModel, infoOf } from "./ChatModel.ts"
import { shapeOf } from "./ChatRequest.ts"
import * as GatePrompt from "./prompts/GatePrompt.ts"

/** Most tokens of an answer; models that think aloud spend most of them before they write. */
const tokensMax = 1_500

const { max_queries, max_sources_per_query, need_search, search_depth, topic } = SearchNeed.fields
const shape = shapeOf(
  "search_need",
  Schema.Struct({
    need_search,
    reason_codes: Schema.Array(Schema.Literals(NeedRules.proposable)),
    max_queries,
    max_sources_per_query,
    search_depth,
    topic
  })
)

export const make = (model: ChatModel): NeedGate => ({
  info: infoOf(model, GatePrompt.version),
  decide: Effect.fn("ChatNeedGate.decide")(function*(request: GroundingRequest) {
    const proposed = yield* model.ask({
      messages: [
        { role: "system", content: GatePrompt.text },
        {
          role: "user",
          content: JSON.stringify({
            ...AskedRequest.requestFields(request),
            ...templateOf(request),
            user_asked_for_facts: request.user_asked_for_facts,
            realism_blocked: request.realism_blocked
          })
        }
      ],
      shape,
      tokensMax
    })
    return NeedRules.admitted(request, proposed)
  })
})

/** The kind of conversation, as its application calls it, e.g. `rent_negotiation`. */
const templateOf = ({ template_id }: GroundingRequest) =>
  template_id === undefined ? {} : { template: QueryPrivacy.strip(template_id) }
