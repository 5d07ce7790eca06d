/** Whether a text still holds a word or a phrase, however it is written. */

/** Text in lower case, with plain apostrophes and single blanks. */
export const plain = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replaceAll("’", "'")
    .replace(/[-‐]\n\s*/g, "").replace(/[\s|*•-]+/g, " ").trim()

/** Whether the text holds the part: in Latin script between the ends of words. */
export const holds = (text: string, part: string): boolean => {
  const sought = plain(part)
  if (!/^[\p{Script=Latin}\p{N} ]+$/u.test(sought)) return plain(text).includes(sought)
  const words = sought.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  return new RegExp(`(?<![\\p{Script=Latin}\\p{N}])${words}(?![\\p{Script=Latin}\\p{N}])`, "u")
    .test(plain(text))
}
