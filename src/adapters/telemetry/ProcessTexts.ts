/** Metrics of several processes as one text in Prometheus' format. */

interface Family {
  /** Lines with its `HELP` and `TYPE`. */
  readonly comments: Array<string>
  readonly samples: Array<string>
}

/** Joins the texts: each sample gets the label `process` with its process's number. */
export const mergedText = (
  texts: ReadonlyArray<{ readonly number: number; readonly text: string }>
): string => {
  const families = new Map<string, Family>()
  for (const { number, text } of texts) {
    let family: Family = { comments: [], samples: [] }
    let isNew = false
    for (const line of text.split("\n")) {
      if (line === "") continue
      if (!line.startsWith("#")) {
        family.samples.push(labelled(line, number))
        continue
      }
      const [, kind, name = ""] = line.split(" ")
      if (kind === "HELP" || !families.has(name)) {
        isNew = !families.has(name)
        family = families.get(name) ?? { comments: [], samples: [] }
        families.set(name, family)
      }
      if (isNew) family.comments.push(line)
    }
  }
  return [...families.values()]
    .flatMap(({ comments, samples }) => [...comments, ...samples])
    .map((line) => `${line}\n`)
    .join("")
}

const labelled = (sample: string, number: number): string => {
  const label = `process="${number}"`
  const end = sample.search(/[{ ]/)
  return sample[end] === "{"
    ? `${sample.slice(0, end + 1)}${label},${sample.slice(end + 1)}`
    : `${sample.slice(0, end)}{${label}}${sample.slice(end)}`
}
