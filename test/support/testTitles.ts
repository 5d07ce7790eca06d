/** Titles of the tests of a file as they are written there, read from its text. */

const comments = /\/\*[^]*?\*\/|^\s*\*.*$|\/\/.*$/gm
/** A group that is left out, always or on some machines, up to the end of it. */
const leftOut = /^( *)describe(?:\.\w+)*\.(?:skip|todo|runIf)\w*\([^]*?^\1\}\)/gm
const head = /\b(it|describe)((?:\.\w+)*)\s*[(<]/g
/** What a test or a group is called: the first argument, also behind a table of cases. */
const called = /(\)\(|\b(?:it|describe)(?:\.\w+)*\()\s*("(?:\\.|[^"\\\n])*"|`[^`]*`)(?=\s*,)/g

/** Tests that are skipped, or run on some machines only, have none. */
export const testTitlesOf = (source: string): ReadonlySet<string> => {
  const text = source.replace(comments, "").replace(leftOut, "")
  const heads = Array.from(text.matchAll(head))
  return new Set(
    Array.from(text.matchAll(called)).flatMap(({ 1: opening = "", 2: quoted = "", index }) => {
      const [, word, ways = ""] = heads.findLast((one) => one.index <= index) ?? []
      const isTest = word === "it" && (opening !== ")(" || ways.endsWith(".each"))
      return isTest && !/\.(?:skip|todo|runIf)/.test(ways)
        ? [quoted.slice(1, -1).replaceAll("\\\"", "\"")]
        : []
    })
  )
}
