/**
 * What research and outline make of thirty courses over the sandbox's corpus, to be read by a person.
 *
 * `node bench/research.ts` prints them without a model; `node bench/research.ts good` lets that model of
 * the sandbox read. The corpus has nothing on the last seven. `docs/research.md` has a reader's
 * judgement of each.
 */
import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const titles = [
  "Tenant notice in Japan",
  "Security deposits and restoration in Japan",
  "Key money and renewal fees in Japan",
  "Renting a home in Japan",
  "Business card etiquette in Japan",
  "Gift giving in Japan",
  "Onsen manners for visitors",
  "Tipping customs in Japan, Korea and the United States",
  "Condolence customs in East Asia",
  "Drinking etiquette in Korea",
  "Health insurance in Japan",
  "Emergency numbers in East Asia",
  "Resident registration for newcomers to Japan",
  "Opening a bank account in Japan",
  "Consumption tax in Japan",
  "Alien registration in Korea",
  "Jeonse and wolse: renting in Korea",
  "Paid leave in Japan",
  "Overtime and probation in Japan",
  "Minimum wage in Port Halvern",
  "Tram fares in Halvern",
  "Tenancy reform in England",
  "전세와 월세 보증금 지키기",
  "Introduction to machine learning",
  "Quantum computing",
  "Contract law in France",
  "Sourdough baking for beginners",
  "Japanese calligraphy",
  "Negotiating a salary",
  "데이터베이스 설계"
]

const directory = mkdtempSync(join(tmpdir(), "wg-research-"))
process.env["WEB_GROUNDING_DATA_DIR"] = directory
const { parts } = await import("../src/wiring/layers.ts")
const model = process.argv[2]

const run = Effect.gen(function*() {
  const { calls } = yield* parts.calls({ mock: true, model, actor: "bench" })
  for (const [place, course_title] of titles.entries()) {
    const input = { course_title, locale: /\p{Script=Hangul}/u.test(course_title) ? "ko" : "en" }
    const found = yield* calls.Research({ ...input, session_id: `r${place}` })
    const outline = yield* calls.Outline({ ...input, session_id: `o${place}` })
    console.log(`\n## ${place + 1}. ${course_title}`)
    console.log(`${found.confidence_score} ${found.search_summary}\n  ${found.search_notes}`)
    for (const link of found.source_links) console.log(`  source   ${link.title}`)
    for (const text of found.key_topics_found) console.log(`  topic    ${text}`)
    for (const { description, title } of found.recommended_modules) {
      console.log(`  module   ${title}: ${description}`)
    }
    for (const text of found.learning_objectives_found) console.log(`  aim      ${text}`)
    for (const text of found.skillset_recommendations) console.log(`  skill    ${text}`)
    console.log(`  outline: ${outline.modules.length} modules, ${outline.total_duration_hours} h`)
    for (const { description, references_from, title } of outline.modules) {
      console.log(`  part     ${title} (${references_from.length}): ${description}`)
    }
    for (const text of outline.learning_outcomes) console.log(`  outcome  ${text}`)
  }
})

await Effect.runPromise(Effect.scoped(run)).finally(() =>
  rmSync(directory, { recursive: true, force: true })
)
