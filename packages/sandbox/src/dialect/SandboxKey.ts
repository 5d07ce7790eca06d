/** Keys of the sandbox: any that begins as its service's do is good there, and no real one does. */
import { Option } from "effect"

const searchers = ["tavily", "duckduckgo", "serpapi"] as const
/** Search provider that the sandbox plays. */
export type Searcher = (typeof searchers)[number]
/** Whatever the sandbox plays that may have a key. */
export type Service = Searcher | "jina" | "openai"

const services: ReadonlyArray<Service> = [
  ...searchers,
  "jina",
  "openai"
]
/** Shorter beginnings than the service's own name. */
const shortened: { readonly [name in Service]?: string } = { tavily: "tvly", serpapi: "serp" }

/** Beginning of the service's keys, as `tvly-sandbox-`. */
const beginningOf = (service: Service): string => `${shortened[service] ?? service}-sandbox-`

const beginning = (services: ReadonlyArray<Service>): string =>
  `(?:${services.map(beginningOf).join("|")})`

/** A good key that meets no fault. */
export const plain = (service: Service): string => `${beginningOf(service)}1`

/** Finds a good key of these services in a text that holds nothing else but what stands before. */
export const reader = (before: "" | "Bearer ", ...services: ReadonlyArray<Service>) => {
  const pattern = new RegExp(`^${before}(${beginning(services)}[\\w-]{1,100})$`)
  return (text: string): Option.Option<string> => Option.fromNullishOr(pattern.exec(text)?.[1])
}

const faulty = new RegExp(
  `^${beginning(services)}fault-([a-z0-9-]+?)(?:_.*)?$`
)

/** `429` of `tvly-sandbox-fault-429` and of `serp-sandbox-fault-429_2`. */
export const faultWord = (key: string): string | undefined => faulty.exec(key)?.[1]
