/** Examples of docstrings and of packages, as files that run: `expression // => value` is asserted. */
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join, resolve } from "node:path"

export interface Example {
  readonly file: string
  readonly code: string
}

/** The blocks of TypeScript in a source's docstrings, in order. */
const examplesIn = (file: string, source: string): ReadonlyArray<Example> =>
  Array.from(source.matchAll(/\/\*\*[^]*?\*\//g)).flatMap(([docstring]) =>
    Array.from(docstring.matchAll(/^ *\* ```ts\n([^]*?)^ *\* ```$/gm), ([, block = ""]) => ({
      file,
      code: block.replace(/^ *\* ?/gm, "")
    }))
  )

/** The blocks of TypeScript in a document. */
const blocksIn = (file: string, text: string): ReadonlyArray<Example> =>
  Array.from(text.matchAll(/^```ts\n([^]*?)^```$/gm), ([, code = ""]) => ({ file, code }))

export const examples: ReadonlyArray<Example> = globSync([
  "src/**/*.ts",
  "packages/*/src/**/*.ts",
  "{,packages/*/}README.md"
]).sort().flatMap((file) =>
  (file.endsWith(".md") ? blocksIn : examplesIn)(file, readFileSync(file, "utf8"))
)

const packages: Readonly<Record<string, string>> = {
  "@web-grounding/client": "packages/client/src/connect.ts",
  "@web-grounding/client/effect": "packages/client/src/effect.ts",
  "web-grounding/rpc": "src/adapters/rpc/GroundingRpc.ts"
}

/** What an example says, with its imports found from anywhere and its claims asserted. */
const runnable = ({ code, file }: Example, service: string): string => {
  const found = code.replace(/ from "([^"]+)"/g, (whole, from: string) => {
    const target = packages[from] ?? (from.startsWith(".") ? join(dirname(file), from) : undefined)
    return target === undefined ? whole : ` from ${JSON.stringify(resolve(target))}`
  })
  const asserted = found.replace(
    /^(?!\s)(.+?) \/\/ => (.+)$/gm,
    (_, said: string, value: string) => `examined.deepStrictEqual(${said}, ${value})`
  )
  const head = asserted === found ? "" : `import examined from "node:assert/strict"\n`
  return head + asserted.replaceAll("http://127.0.0.1:7420", service)
}

/** Writes the examples into a folder of their own, with a file that runs them one after another. */
export const written = (directory: string, service: string): ReadonlyArray<string> => {
  mkdirSync(directory, { recursive: true })
  symlinkSync(resolve("node_modules"), join(directory, "node_modules"))
  writeFileSync(join(directory, "package.json"), `{"type":"module"}`)
  const files = examples.map((example, place) => {
    const name = `example${place}.ts`
    writeFileSync(join(directory, name), runnable(example, service))
    return name
  })
  const all = files.map((name) => `await import(${JSON.stringify(`./${name}`)})`)
  writeFileSync(join(directory, "all.mjs"), `${all.join("\n")}\n`)
  const compilerOptions = { typeRoots: [resolve("node_modules/@types")] }
  const settings = { extends: resolve("tsconfig.json"), compilerOptions, include: ["*.ts"] }
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ ...settings, exclude: [] }))
  return files
}
