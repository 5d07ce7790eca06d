/** OpenAI's chat completions as the sandbox speaks them. Which model is asked decides all. */
import { ByteSize, Effect, Option } from "effect"
import { HttpIncomingMessage, HttpServerRequest } from "effect/http"
import * as HitLedger from "../dialect/HitLedger.ts"
import * as ChatRequestRead from "./ChatRequestRead.ts"
import * as ChatScript from "./ChatScript.ts"

const requestBodyMax = ByteSize.kibibytes(256)

export const complete = (ledger: HitLedger.HitLedger) =>
  Effect.gen(function*() {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { authorization = "", ...headers } = request.headers
    const secret = authorization.replace(/^Bearer /, "")
    const asked = ChatRequestRead.decode(yield* request.text)
    yield* ledger.record({
      provider: "openai",
      path: request.url,
      query: "",
      key: secret === "" ? "" : HitLedger.keyHash(secret),
      intent: "",
      headers: { ...headers },
      body: Option.getOrNull(asked)
    })
    if (Option.isNone(asked)) return yield* ChatScript.refusalOf(400, "Invalid body.")
    const script = ChatScript.scriptNamed(asked.value.model)
    return yield* Option.match(script, {
      onNone: () => ChatScript.refusalOf(404, "The model does not exist."),
      onSome: (script) => script(asked.value, secret)
    })
  }).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, requestBodyMax))
