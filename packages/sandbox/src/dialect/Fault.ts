/** Faults that the sandbox is told to make: one word such as `fault:429x2,retry-after=30`. */
import { Option } from "effect"
import * as SandboxKey from "./SandboxKey.ts"

export const faultNames = [
  "200",
  "202",
  "204",
  "400",
  "401",
  "402",
  "403",
  "404",
  "409",
  "413",
  "422",
  "429",
  "432",
  "433",
  "451",
  "500",
  "502",
  "502-html",
  "503",
  "504",
  "524",
  "429-plan",
  "bad-urls",
  "captcha",
  "captcha-warning",
  "cut",
  "ddg-202",
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
  "no-images",
  "odd-numbers",
  "odd-results",
  "redirect",
  "reset",
  "serp-error",
  "serp-hourly",
  "serp-out-of-searches",
  "short-vectors",
  "slow",
  "snapshot",
  "stall",
  "target-404",
  "truncated",
  "wrong-shape",
  "zero-vectors"
] as const
export type FaultName = typeof faultNames[number]

export interface Fault {
  readonly name: FaultName
  /** Number of requests with this word that meet the fault; absent: all. */
  readonly times: number | undefined
  /** `retry-after`, `delay`, `every`, `mib`: each read by the faults it means something to. */
  readonly parameters: ReadonlyMap<string, string>
  /** The word itself, by which its requests are counted. */
  readonly word: string
}

const timesMax = 1_000_000
const pattern = /(?:^|\s)fault:([a-z0-9-]+?)(?:x(\d{1,6}))?((?:,[a-z-]+=[^\s,]*)*)(?=\s|$)/

/** The first fault named in a text; none where no fault of this name is known. */
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

/**
 * Fault that a header or a setting names by its word alone, without the prefix `fault:`; none for
 * an unknown one.
 */
export const inWord = (word: string): Option.Option<Fault> => inText(`fault:${word.trim()}`)

/** Fault that a sandbox key always meets, for tests of key rotation: `tvly-sandbox-fault-429`. */
export const inKey = (key: string): Option.Option<Fault> => {
  const word = SandboxKey.faultWord(key)
  return word === undefined ? Option.none() : inWord(word)
}

/** The query that the pages are ranked by. */
export const withoutDirectives = (query: string): string =>
  query.replace(/(?:^|\s)(?:fault|body):\S+/g, " ").trim()

/** A number among the parameters, within its bounds. */
export const numberOf = (
  { parameters }: Fault,
  name: string,
  bounds: { readonly otherwise: number; readonly most: number }
): number => {
  const given = Number(parameters.get(name) ?? bounds.otherwise)
  return Number.isFinite(given) ? Math.min(bounds.most, Math.max(0, given)) : bounds.otherwise
}
