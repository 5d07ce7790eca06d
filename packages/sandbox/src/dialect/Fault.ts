/** Faults that the sandbox makes on request: one word such as `fault:429x2,retry-after=30`. */
import { dialects, type Engine, engines } from "@web-grounding/dialects/Dialects"
import { Option } from "effect"

const commonNames = [
  "200",
  "202",
  "204",
  "400",
  "402",
  "403",
  "404",
  "409",
  "413",
  "422",
  "451",
  "500",
  "502",
  "502-html",
  "503",
  "504",
  "524",
  "bad-urls",
  "captcha-warning",
  "cut",
  "doubled-result",
  "drip",
  "echo",
  "empty",
  "empty-body",
  "gzip-bomb",
  "hang",
  "hostile",
  "html-200",
  "huge",
  "invalid-json",
  "missing-result",
  "odd-numbers",
  "odd-results",
  "redirect",
  "reset",
  "short-vectors",
  "slow",
  "snapshot",
  "stall",
  "target-404",
  "truncated",
  "wrong-shape",
  "zero-vectors"
] as const
/** Fault with the same form in every protocol, unless its dialect has its own words. */
export type CommonFault = typeof commonNames[number]

/** Those, and the faults of single dialects. */
export const faultNames: ReadonlyArray<string> = [
  ...new Set([
    ...commonNames,
    ...Object.values(dialects).flatMap(({ faults }) => Object.keys(faults))
  ])
]

export interface Fault {
  readonly name: string
  /** Number of requests with this word that get the fault; absent: all. */
  readonly times: number | undefined
  /** `retry-after`, `delay`, `every`, `mib`: each used by some faults. */
  readonly parameters: ReadonlyMap<string, string>
  /** The word itself, by which its requests are counted. */
  readonly word: string
}

const timesMax = 1_000_000
const pattern = /(?:^|\s)fault:([a-z0-9-]+?)(?:x(\d{1,6}))?((?:,[a-z-]+=[^\s,]*)*)(?=\s|$)/

export const inText = (text: string): Option.Option<Fault> => {
  const [found, written, times, parameters = ""] = pattern.exec(text) ?? []
  const name = faultNames.find((known) => known === written)
  if (found === undefined || name === undefined) return Option.none()
  return Option.some({
    name,
    times: times === undefined ? undefined : Math.min(timesMax, Number(times)),
    parameters: new Map(
      parameters.split(",").slice(1).map((pair) => {
        const [key = "", value = ""] = pair.split("=", 2)
        return [key, value]
      })
    ),
    word: found.trim()
  })
}

/** Fault of a header or setting, without the prefix `fault:`; none if unknown. */
export const inWord = (word: string): Option.Option<Fault> => inText(`fault:${word.trim()}`)

/** Permanent fault of a sandbox key, for tests of key rotation: `tvly-sandbox-fault-429`. */
export const inKey = (key: string): Option.Option<Fault> => {
  const word = faultWord(key)
  return word === undefined ? Option.none() : inWord(word)
}

/** The query by which pages are ranked. */
export const withoutDirectives = (query: string): string =>
  query.replace(/(?:^|\s)(?:fault|body):\S+/g, " ").trim()

export const numberOf = (
  { parameters }: Fault,
  name: string,
  bounds: { readonly otherwise: number; readonly most: number }
): number => {
  const given = Number(parameters.get(name) ?? bounds.otherwise)
  return Number.isFinite(given) ? Math.min(bounds.most, Math.max(0, given)) : bounds.otherwise
}

// Keys of the sandbox: any with its service's sandbox prefix is valid, and no real one has it.

export type Service = Engine | "jina" | "openai"

const services: ReadonlyArray<Service> = [...engines, "jina", "openai"]

const beginningOf = (service: Service): string =>
  service === "jina" || service === "openai"
    ? `${service}-sandbox-`
    : dialects[service].keyBeginning

const beginning = (services: ReadonlyArray<Service>): string =>
  `(?:${services.map(beginningOf).join("|")})`

/** A valid key without a fault. */
export const plain = (service: Service): string => `${beginningOf(service)}1`

/** The text as a key, if valid for one of these services. */
export const keyIn = (text: string, ...of: ReadonlyArray<Service>): Option.Option<string> =>
  Option.liftPredicate(text, (key) => new RegExp(`^${beginning(of)}[\\w-]{1,100}$`).test(key))

const faulty = new RegExp(
  `^${beginning(services)}fault-([a-z0-9-]+?)(?:_.*)?$`
)

/** `429` of `tvly-sandbox-fault-429` and of `serp-sandbox-fault-429_2`. */
const faultWord = (key: string): string | undefined => faulty.exec(key)?.[1]
