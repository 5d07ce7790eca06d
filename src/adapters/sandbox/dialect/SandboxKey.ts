/** Keys of the sandbox: any that begins as its service's do is good there, and no real one does. */
import { Option, Struct } from "effect"

const prefixes = { tavily: "tvly", serpapi: "serp", jina: "jina", openai: "openai" } as const

type Service = keyof typeof prefixes

const beginning = (services: ReadonlyArray<Service>): string =>
  `(?:${services.map((service) => prefixes[service]).join("|")})-sandbox-`

/** A good key that meets no fault. */
export const plain = (service: Service): string => `${prefixes[service]}-sandbox-1`

/** Finds a good key of these services in a text that holds nothing else but what stands before. */
export const reader = (before: "" | "Bearer ", ...services: ReadonlyArray<Service>) => {
  const pattern = new RegExp(`^${before}(${beginning(services)}[\\w-]{1,100})$`)
  return (text: string): Option.Option<string> => Option.fromNullishOr(pattern.exec(text)?.[1])
}

const faulty = new RegExp(
  `^${beginning(Struct.keys(prefixes))}fault-([a-z0-9-]+?)(?:_.*)?$`
)

/** `429` of `tvly-sandbox-fault-429` and of `serp-sandbox-fault-429_2`. */
export const faultWord = (key: string): string | undefined => faulty.exec(key)?.[1]
