/** Makes a course's outline of its checked findings. */
import { words } from "@web-grounding/language/Words"
import listed from "./CourseWords.json" with { type: "json" }
import { type Material, OutlineFindings } from "./OutlineFindings.ts"
import { Bearing, type CourseOutline, OutlineModule, type Research } from "./Research.ts"

/** Study speed. A pair of characters counts where words have no gaps. */
const wordsPerMinute = 100

/** Practice of one module in minutes by the course's depth; `otherwise` for other words. */
const practiceMinutes = new Map(Object.entries(listed.practiceMinutes))

const minutesPerHour = 60

interface Composing {
  readonly course_title: string
  readonly depth_requirement: string
  readonly findings: OutlineFindings
  readonly material: ReadonlyArray<Material>
  readonly web: Pick<Research, "is_usable" | "result_count" | "search_notes">
  readonly isByModel: boolean
}

/** Outline of the checked findings. The web's are used only where research is usable. */
export const compose = (given: Composing): CourseOutline => {
  const { course_title, depth_requirement, findings, isByModel, material, web } = given
  const isUsed = ({ type }: Bearing) => type === "internal" || web.is_usable
  const modules = findings.modules.flatMap((module): ReadonlyArray<OutlineModule> => {
    const [first, ...others] = module.references_from.filter(isUsed)
    if (first === undefined) return []
    // What a left-out source says is left out too.
    const isWhole = others.length + 1 === module.references_from.length
    return [{
      ...module,
      description: isWhole ? module.description : first.quote,
      references_from: [first, ...others]
    }]
  })
  const outcomes = findings.outcomes.filter(({ from }) => isUsed(from))
  const bearings = [
    ...modules.flatMap(({ references_from }) => references_from),
    ...outcomes.map(({ from }) => from)
  ]
  const read = material.filter(({ url }) => bearings.some((bearing) => bearing.url === url))
  const wordCount = read.reduce((sum, { text }) => sum + words(text).length, 0)
  const practice = modules.length *
    (practiceMinutes.get(depth_requirement.toLowerCase()) ?? listed.practiceMinutes.otherwise)
  const isLeftOut = web.result_count > 0 && !web.is_usable
  return {
    course_title,
    modules,
    learning_outcomes: outcomes.map(({ text }) => text),
    learning_outcomes_from: outcomes.map(({ from }) => from),
    total_duration_hours: modules.length === 0
      ? 0
      : Math.ceil((wordCount / wordsPerMinute + practice) / minutesPerHour),
    references: read.map(({ title, type, url }) => ({ from: type, title, url })),
    outline_notes: [
      isByModel ? "Proposed by a model, checked against its sources." : "Composed by rule.",
      ...(isLeftOut ? ["What the web says is left out: its confidence is below 0.3."] : []),
      ...(web.result_count === 0 ? [`Nothing is from the web. ${web.search_notes}`] : [])
    ].join(" ")
  }
}
