/** A deliberate fault in production code that the tests must notice. */
export interface Mutant {
  /** Short and unique, e.g. `session-reading`. */
  readonly id: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly text: string
  readonly replacement: string
  /** What would go wrong in production. */
  readonly means: string
  /** The test files that should notice. */
  readonly tests: readonly [string, ...ReadonlyArray<string>]
  /** Why no test can notice: the fault changes nothing that anybody could see. */
  readonly equivalent?: string
}

/** The source with the fault in it; `undefined` when the text is not there exactly once. */
export const mutated = (source: string, { replacement, text }: Mutant): string | undefined => {
  const [before, after, ...more] = source.split(text)
  return before === undefined || after === undefined || more.length > 0
    ? undefined
    : before + replacement + after
}

type Fault = Omit<Mutant, "file" | "tests"> & Partial<Pick<Mutant, "tests">>

/** Faults of one file. The same tests should notice them, where a fault does not name its own. */
export const faultsIn = (
  file: string,
  tests: Mutant["tests"],
  faults: ReadonlyArray<Fault>
): ReadonlyArray<Mutant> => faults.map((fault) => ({ tests, ...fault, file }))
