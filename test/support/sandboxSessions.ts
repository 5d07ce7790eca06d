/** Sessions about what the sandbox's corpus holds, as many as are wanted: each number always the same. */
import { readdirSync, readFileSync } from "node:fs"

const titles = readdirSync("packages/sandbox/corpus")
  .filter((name) => name.endsWith(".md") && name !== "README.md")
  .sort()
  .map((name) =>
    /^title: (.+)$/m.exec(readFileSync(`packages/sandbox/corpus/${name}`, "utf8"))?.[1] ?? name
  )

const asks: ReadonlyArray<(title: string) => string> = [
  (title) => `What should I know about ${title}?`,
  (title) => `${title}: what does it cost, and since when?`,
  (title) => `How long does it take, by the rules of ${title}?`,
  (title) => `Is it true what people say of ${title}?`,
  (title) => title,
  (title) => `Who decides on ${title}, and where is it written?`,
  (title) => `What changed lately in ${title}?`
]

const titleOf = (number: number): string => titles[number % titles.length] ?? ""

const requestOf = (number: number, place: number) => ({
  session_id: `n${number}`,
  request_id: `r${place}`,
  topic: asks[Math.floor(number / titles.length) % asks.length]?.(titleOf(number + 7 * place)) ??
    "",
  phase: "mid_chat",
  user_asked_for_facts: (number + place) % 4 !== 3,
  tier: number % 3 === 0 ? "premium" : "standard",
  ...(number % 5 === 1 ? { overrides: { max_queries: 1 } } : {})
})

/** The requests of one session, in the order they are asked: mostly one, at most three. */
export const requestsOf = (number: number) =>
  Array.from(
    { length: 1 + (number % 4 === 0 ? number % 3 : 0) },
    (_, place) => requestOf(number, place)
  )
