/** Hears what spans and log lines say, for tests of what must not be said. */
import { Cause, Effect, Exit, Layer, Logger, References, Tracer } from "effect"
import { inspect } from "node:util"

/** The sandbox's own: a server that echoes a key has it in its answer. */
const isOfSandbox = ({ kind, name }: Tracer.Span): boolean =>
  kind === "server" || /^Corpus|^Sandbox/.test(name)

/** Everything that spans and log lines said. */
export const witness = () => {
  const heard: Array<string> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      const end = span.end.bind(span)
      return Object.assign(span, {
        end: (...args: Parameters<typeof end>) => {
          if (!isOfSandbox(span)) {
            heard.push(span.name, JSON.stringify([...span.attributes]), String(args[1]))
          }
          end(...args)
        }
      })
    }
  })
  const logger = Logger.make(({ cause, message }) => {
    heard.push(String(message), JSON.stringify(message), String(cause))
  })
  return {
    heard,
    layer: Layer.mergeAll(Layer.succeed(Tracer.Tracer, tracer), Logger.layer([logger]))
  }
}

/** Of what was seen, the things that hold the word `CANARY`, however deep. */
export const leaks = (seen: ReadonlyArray<unknown>): ReadonlyArray<unknown> =>
  seen.filter((thing) =>
    `${inspect(thing, { depth: 20, showHidden: true })} ${String(thing)}`.includes("CANARY")
  )

/** Everything that a call's outcome, its log lines and its spans hold. */
export const witnessed = <A, E>(act: Effect.Effect<Exit.Exit<A, E>>) =>
  Effect.gen(function*() {
    const seen: Array<unknown> = []
    const spans: Array<string> = []
    const logger = Logger.make((entry) => seen.push(Logger.formatStructured.log(entry)))
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span.name)
        seen.push(span)
        return span
      }
    })
    const outcome = yield* act.pipe(
      Effect.tap((exit) =>
        Exit.isFailure(exit)
          ? Effect.logError("call failed", exit.cause)
          : Effect.void
      ),
      Effect.provide(Logger.layer([logger])),
      Effect.provideService(References.MinimumLogLevel, "Trace"),
      Effect.withTracer(tracer)
    )
    seen.push(outcome, JSON.stringify(outcome))
    if (Exit.isFailure(outcome)) {
      seen.push(Cause.pretty(outcome.cause), ...Cause.prettyErrors(outcome.cause))
    }
    return { seen, spans }
  })
