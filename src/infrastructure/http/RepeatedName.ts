/** JSON that says one thing twice: which of the two is heard differs from parser to parser. */

const tokens = /"(?:[^"\\]|\\.)*"|[{}[\]:]/gs

/** Whether an object in the text has the same name more than once. `text`: JSON that parses. */
export const hasRepeatedName = (text: string): boolean => {
  const open: Array<Set<unknown>> = []
  let last = ""
  for (const [token] of text.matchAll(tokens)) {
    if (token === "{" || token === "[") open.push(new Set())
    else if (token === "}" || token === "]") open.pop()
    else if (token === ":") {
      // Escapes are undone: a name is the same however it is written.
      const name: unknown = JSON.parse(last)
      const names = open.at(-1)
      if (names?.has(name) === true) return true
      names?.add(name)
    }
    last = token
  }
  return false
}
