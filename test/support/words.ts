/** A list of words, which are written one after the other: ``words`a b c` ``. */
export const words = ([text = ""]: TemplateStringsArray): ReadonlyArray<string> =>
  text.trim().split(/\s+/)
