/** Named numbers of the sources, private ones too, and the bounds of settings. */
import { Duration } from "effect"
import { globSync, readFileSync } from "node:fs"
import { runInNewContext } from "node:vm"
import { table } from "../../src/infrastructure/Settings.ts"

const escaped = (name: string) => name.replace(/[$]/g, "\\$&")

/** Expressions that the source gives a constant or a field of this name. */
const expressionsOf = (source: string, name: string): ReadonlyArray<string> =>
  Array.from(
    source.matchAll(
      new RegExp(
        `(?:\\bconst ${escaped(name)}(?:: [^=\\n]+)? =|(?<![\\w.])${escaped(name)}:)\\s+` +
          `("[^"\\n]+"|[\\w.+\\-*/() ]*?\\d[\\w.+\\-*/() ]*?)(?=[,;}]|\\s*$)`,
        "gm"
      )
    ),
    ([, expression = ""]) => expression
  )

const valueOf = (source: string, name: string, where: string): number => {
  const [expression, ...others] = expressionsOf(source, name)
  if (expression === undefined || others.length > 0) {
    throw new Error(`${where}: ${expression === undefined ? "no" : "more than one"} ${name}`)
  }
  const text = /^"(.+)"$/.exec(expression)?.[1]
  if (text !== undefined) return Duration.toMillis(Duration.fromInputUnsafe(text as Duration.Input))
  const plain = expression.replace(
    /(?<![\w.])[A-Za-z_]\w*/g,
    (other) => String(valueOf(source, other, where))
  )
  return Number(runInNewContext(plain))
}

/**
 * Number in a source file, or in the one file of a folder that has it; a time in words, such as
 * "20 millis", counts in milliseconds.
 */
export const constantIn = (place: string, name: string): number => {
  const files = place.endsWith(".ts") ? [place] : globSync(`${place}/**/*.ts`)
  const having = files.map((file) => readFileSync(file, "utf8"))
    .filter((source) => expressionsOf(source, name).length > 0)
  return valueOf(having.length > 1 ? "" : having[0] ?? "", name, place)
}

/** Numbers that a folder's files export or keep under a name that begins so. */
export const constantsBelow = (folder: string, start: string): ReadonlyArray<number> =>
  globSync(`${folder}/*.ts`).flatMap((file) =>
    Array.from(
      readFileSync(file, "utf8").matchAll(new RegExp(`\\bconst (${start}\\w*) =`, "g")),
      ([, name = ""]) => constantIn(file, name)
    )
  )

type Name = keyof typeof table

const numberIn = (text: string): number => Number(text.replaceAll(",", ""))

/** Default of a setting that is a number. */
export const defaultOf = (name: Name): number => numberIn(table[name].default)

/** Bounds of a setting that is a number. */
export const boundsOf = (name: Name): { readonly least: number; readonly most: number } => {
  const [, least = "", most = ""] = /^([\d.,]+) to ([\d.,]+)/.exec(table[name].bounds) ?? []
  return { least: numberIn(least.replace(/,$/, "")), most: numberIn(most.replace(/,$/, "")) }
}
