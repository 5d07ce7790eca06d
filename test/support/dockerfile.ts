/** Reads a Dockerfile whose commands are JSON lists, so that no shell takes part in any of them. */

export interface Instruction {
  readonly name: string
  readonly rest: string
}

export interface Stage {
  readonly image: string
  /** `undefined` for the last stage, which is the image. */
  readonly name: string | undefined
  readonly instructions: ReadonlyArray<Instruction>
}

export const readStages = (text: string): ReadonlyArray<Stage> => {
  const instructions = text.replace(/^\s*#.*\n/gm, "").replace(/\\\n\s*/g, "").split("\n")
    .filter((line) => line.trim() !== "").map((line) => {
      const [, name = "", rest = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? []
      if (name === "") throw new Error(`no instruction: ${line}`)
      return { name, rest }
    })
  const stages: Array<
    { image: string; name: string | undefined; instructions: Array<Instruction> }
  > = []
  for (const instruction of instructions) {
    if (instruction.name === "FROM") {
      const [image = "", , name] = instruction.rest.split(" ")
      stages.push({ image, name, instructions: [] })
    } else {
      stages.at(-1)?.instructions.push(instruction)
    }
  }
  return stages
}

/** What an instruction says, each time that it stands in the stage. */
export const restsOf = (stage: Stage | undefined, name: string): ReadonlyArray<string> =>
  (stage?.instructions ?? []).filter((one) => one.name === name).map(({ rest }) => rest)

/** A command as a list; fails where a shell would be asked. */
export const commandOf = (rest: string): ReadonlyArray<string> => {
  const list: unknown = JSON.parse(rest.slice(rest.indexOf("[")))
  if (!Array.isArray(list)) throw new Error(`no list: ${rest}`)
  return list.map(String)
}

/** Its environment, one variable a line. */
export const environmentOf = (stage: Stage | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    restsOf(stage, "ENV").map((rest) => {
      const [name = "", ...value] = rest.split("=")
      return [name, value.join("=")]
    })
  )
