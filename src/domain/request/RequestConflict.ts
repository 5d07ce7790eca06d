/** A request id that was used for another question. */
import { Schema } from "effect"

/** The same `request_id` was used for another question. */
export class RequestConflict extends Schema.TaggedError<RequestConflict>()("RequestConflict", {
  request_id: Schema.String
}) {
  override get message(): string {
    return `Request ${this.request_id} was already made with another question`
  }
}
