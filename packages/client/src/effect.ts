/**
 * The client as a service of Effect: the same calls, retries and failures. Interruption ends a call.
 *
 * ```ts
 * import { Effect } from "effect"
 * import { GroundingClient, layer } from "@web-grounding/client/effect"
 *
 * const asked = Effect.gen(function*() {
 *   const client = yield* GroundingClient
 *   const question = "How much notice must a tenant give in Japan?"
 *   return yield* client.ground({ session_id: "chat-2", topic: question })
 * })
 * const url = "http://127.0.0.1:7420"
 * const { session_id } = await Effect.runPromise(Effect.provide(asked, layer({ url })))
 * session_id // => "chat-2"
 * ```
 */
import { Context, Effect, Layer, Stream } from "effect"
import type * as Promised from "./connect.ts"
import { connect, GroundingError, type Progress } from "./connect.ts"
import type * as problems from "./Problems.ts"

type Problems = typeof problems

/** Every failure of a call, by `_tag`. */
export type Failure =
  | { [Name in keyof Problems]: InstanceType<Problems[Name]> }[keyof Problems]
  | Promised.UnknownProblem
  | Promised.ServiceUnreachable
  | Promised.CallTimedOut
  | Promised.CallAborted
  | Promised.UnexpectedAnswer
  | Promised.InvalidArgument

export type CallOptions = Omit<Promised.CallOptions, "signal">

export interface ClientOptions extends Omit<Promised.ClientOptions, "signal"> {
  /** Address on which the service listens, e.g. `http://127.0.0.1:7420`. */
  readonly url: string | URL
}

type Answering<Input, Answer> = (input: Input, options: Promised.CallOptions) => Promise<Answer>
type Iterating<Input, Element> = (
  input: Input,
  options: Promised.CallOptions
) => AsyncIterable<Element>

type Asking<Input, Answer> = undefined extends Input
  ? (input?: Input, options?: CallOptions) => Answer
  : (input: Input, options?: CallOptions) => Answer

/** A method that answers as an effect, one that iterates as a stream. */
type EffectOf<Method> = Method extends Answering<infer Input, infer Answer>
  ? Asking<Input, Effect.Effect<Answer, Failure>>
  : Method extends Iterating<infer Input, infer Element>
    ? Asking<Input, Stream.Stream<Element, Failure>>
  : never

type Methods = { readonly [Name in keyof Promised.Client]: EffectOf<Promised.Client[Name]> }

export class GroundingClient
  extends Context.Service<GroundingClient, Methods>()("web-grounding/client")
{}

const isFailure = (error: unknown): error is Failure => error instanceof GroundingError

/** The client rejects with its failures alone: another error is a defect. */
const attempt = <A>(call: (signal: AbortSignal) => A | Promise<A>): Effect.Effect<A, Failure> =>
  Effect.tryPromise({ try: async (signal) => call(signal), catch: (error) => error }).pipe(
    Effect.catch((error) => isFailure(error) ? Effect.fail(error) : Effect.die(error))
  )

const answering =
  <Input, Answer>(method: Answering<Input, Answer>) => (input: Input, options?: CallOptions) =>
    attempt((signal) => method(input, { ...options, signal }))

const streaming =
  <Input, Element>(method: Iterating<Input, Element>) =>
  (input: Input, options?: CallOptions): Stream.Stream<Element, Failure> =>
    Stream.unwrap(
      Effect.map(
        Effect.abortSignal,
        (signal) =>
          Stream.fromAsyncIterable(method(input, { ...options, signal }), (error) => error)
      )
    ).pipe(Stream.catch((error) => isFailure(error) ? Stream.fail(error) : Stream.die(error)))

export const layer = ({ url, ...options }: ClientOptions): Layer.Layer<GroundingClient, Failure> =>
  Layer.effect(
    GroundingClient,
    Effect.map(attempt(() => connect(url, options)), (client) => ({
      ground: answering(client.ground),
      progress: streaming(client.progress),
      pack: answering(client.pack),
      view: answering(client.view),
      shown: answering(client.shown),
      sessionPage: answering(client.sessionPage),
      session: streaming(client.session),
      research: answering(client.research),
      outline: answering(client.outline),
      health: answering(client.health),
      searchEvidence: answering(client.searchEvidence)
    }))
  )

export type * from "./Contract.ts"
export * from "./Failure.ts"
export * from "./Problems.ts"
export type { Progress }
