/**
 * Programs of tests, each put into few files with all that it imports: as a process it then starts in a
 * third of the time that a thousand files take.
 */
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { type Plugin, rolldown } from "rolldown"

const folder = fileURLToPath(new URL(".", import.meta.url))

const names = ["budgetRacer", "embeddedWriter", "groundingVictim", "searchLeader"] as const

/** Goes with the run: the sources may be others in the next. */
const bundles = join(tmpdir(), "wg-programs")

/** Of a source, at its own path: files next to it are not moved with it. */
const placed: Plugin = {
  name: "placed",
  transform: {
    filter: { code: "import.meta.url" },
    handler: (code, id) =>
      id.includes("node_modules")
        ? undefined
        : code.replaceAll("import.meta.url", JSON.stringify(pathToFileURL(id).href))
  }
}

/** Packages that read files of their own, are no modules, or are large and not called. */
const apart: Plugin = {
  name: "apart",
  resolveId: {
    filter: { id: /^(?:@electric-sql\/pglite(?:-pgvector)?|undici|js-tiktoken)$/ },
    async handler(id, importer) {
      const found = await this.resolve(id, importer, { skipSelf: true })
      return found === null ? null : { id: pathToFileURL(found.id).href, external: true }
    }
  }
}

const bundle = async (dir: string) => {
  const made = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, join(folder, `${name}.ts`)])),
    platform: "node",
    tsconfig: false,
    plugins: [placed, apart]
  })
  await made.write({ dir, format: "esm", entryFileNames: "[name].mjs" })
  await made.close()
}

/** The program's file, made by the first who asks in a run. */
export const bundledProgram = async (name: typeof names[number]): Promise<string> => {
  const file = join(bundles, `${name}.mjs`)
  if (existsSync(file)) return file
  const making = mkdtempSync(`${bundles}.`)
  await bundle(making)
  try {
    renameSync(making, bundles)
  } catch (cause) {
    // Another worker was faster.
    rmSync(making, { recursive: true, force: true })
    if (!existsSync(file)) throw cause
  }
  return file
}
