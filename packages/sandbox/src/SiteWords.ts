/** A query of an engine that is told its domains in words: `rent (site:a.example OR site:b.de)`. */
import type { Parameters } from "./dialect/SandboxProtocol.ts"

const wanted = /^\(?site:([^\s()]+)\)?$/
const unwanted = /^-site:(\S+)$/

/** Words to look for in the corpus; one passage a page, as those engines show. */
export const parametersOf = (query: string, given: Partial<Parameters>): Parameters => {
  const words = query.split(/\s+/)
  const domainsOf = (form: RegExp) => words.flatMap((word) => form.exec(word)?.[1] ?? [])
  const isOperator = (word: string) => wanted.test(word) || unwanted.test(word) || word === "OR"
  return {
    query: words.filter((word) => !isOperator(word)).join(" "),
    include_domains: domainsOf(wanted),
    exclude_domains: domainsOf(unwanted),
    chunks_per_source: 1,
    ...given
  }
}
