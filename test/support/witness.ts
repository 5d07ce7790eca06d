/** Hears what spans and log lines say, for tests of what must not be said. */
import { Layer, Logger, Tracer } from "effect"

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
