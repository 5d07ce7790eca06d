/** A report as lines of text, one figure a line. */
import type { Cost } from "./asking.ts"
import type { Report, Share } from "./measure.ts"

const nameChars = 34

const shown = ({ held, of }: Share): string =>
  of === 0 ? "-" : `${held}/${of}  ${(100 * held / of).toFixed(0)} %`

const failuresOf = ({ failures }: Cost): string =>
  Object.entries(failures).map(([reason, count]) => `${reason} ${count}`).join(", ")

const perAnswer = (tokens: number, { asked }: Cost): string =>
  (asked === 0 ? 0 : tokens / asked).toFixed(0)

/** `control`: the same tasks, asked of the sandbox's good model in the same run. */
export const linesOf = (
  name: string,
  report: Report,
  control: Report
): ReadonlyArray<string> => [
  `model ${name}`,
  ...Object.entries(report).flatMap(([task, { cost, shares }]) => {
    const usual = Object.entries(control).find(([other]) => other === task)?.[1].cost.medianMs
    const ratio = (cost.medianMs / (usual ?? cost.medianMs)).toFixed(1)
    const failures = failuresOf(cost)
    const figures: ReadonlyArray<readonly [string, string]> = [
      [
        "answers in the form asked for",
        shown({ held: cost.fitting, of: cost.asked }) + (failures === "" ? "" : `  (${failures})`)
      ],
      ...Object.entries(shares).map(([figure, share]) => [figure, shown(share)] as const),
      [
        "requests; tokens an answer",
        `${cost.requests}; ${perAnswer(cost.promptTokens, cost)} + ` +
        perAnswer(cost.completionTokens, cost)
      ],
      ["median latency, to the sandbox's", `${ratio} x`]
    ]
    return figures.map(([figure, text]) => `  ${task.padEnd(11)}${figure.padEnd(nameChars)}${text}`)
  })
]
