/**
 * Puts the service and the packages that it runs on into few files, which load in a third of the time
 * that a thousand take. Plain JavaScript, as `build.js` is.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, relative } from "node:path"
import { rolldown } from "rolldown"

/** Programs by their path: the command line, and what it starts in workers and processes. */
const programs = [
  "src/main",
  "packages/pages/src/PageWorker",
  "src/infrastructure/postgres/FirstStartWorker",
  "packages/pages/src/sealed/SealedWatch"
]

/** Packages that read files of their own beside their code. */
const apart = [
  "@electric-sql/pglite",
  "@electric-sql/pglite-pgvector",
  "pdfjs-dist/legacy/build/pdf.mjs"
]

/** Where a module stands is asked to find what stands beside it: there it is asked in the bundle. */
const placed = (root) => ({
  name: "placed",
  transform: {
    filter: { code: "import.meta.url" },
    handler: (code, id) =>
      id.startsWith(root) && !/[\\/]node_modules[\\/]/.test(id)
        ? code.replaceAll(
          "import.meta.url",
          `placedAt("${relative(root, id).replaceAll("\\", "/").replace(/\.ts$/, ".js")}")`
        )
        : null
  },
  renderChunk: (code, { fileName }) => {
    const up = "../".repeat(fileName.split("/").length - 1) || "./"
    return code.replace(
      /placedAt\("([^"]+)"\)/g,
      (_, module) => `new URL("${up}${module}", import.meta.url).href`
    )
  }
})

/** `export *` of a package in CommonJS names nothing in a bundle: the names are written out. */
const undici = (require) => ({
  name: "undici",
  transform: {
    filter: { id: /platform-node[\\/]dist[\\/]Undici\.js$/ },
    handler: () => {
      const names = Object.keys(require("undici")).filter((name) => name !== "default")
      return `import undici from "undici"
        export default undici
        export const { ${names.join(", ")} } = undici`
    }
  }
})

/**
 * Tables that Tavily's SDK counts a model's tokens by, 5 MB, for a call that is not made here: search
 * results as one text.
 */
const uncounted = {
  name: "uncounted",
  resolveId: {
    filter: { id: /^js-tiktoken$/ },
    handler: (id) => `\0${id}`
  },
  load: {
    filter: { id: /^\0js-tiktoken$/ },
    handler: () =>
      `export const encodingForModel = () => {
        throw new Error("js-tiktoken is no part of this build")
      }`
  }
}

/** Licences of the packages that any of these modules is of, each under the package's name. */
const licencesOf = (modules) => {
  const folders = modules.flatMap((id) => /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id) ?? [])
  return Array.from(new Set(folders)).sort().map((folder) => {
    const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const texts = readdirSync(folder).filter((file) => /^(?:licen[cs]e|notice)/i.test(file))
      .map((file) => readFileSync(join(folder, file), "utf8").trim())
    return [`${name} ${version}: ${license}`, ...texts].join("\n\n")
  }).join(`\n\n${"-".repeat(80)}\n\n`)
}

/** What is read beside the code. A migration is known by the digest of its source. */
const beside = ["packages/sandbox/corpus", "migrations", "src/adapters/dashboard/assets"]

/** Writes the service of `root` into `dist`, but for its migrations compiled. */
export const bundle = async (root, dist) => {
  const made = await rolldown({
    input: Object.fromEntries(programs.map((name) => [name, join(root, `${name}.ts`)])),
    platform: "node",
    tsconfig: false,
    external: apart,
    plugins: [placed(root), uncounted, undici(createRequire(join(root, "package.json")))]
  })
  const { output } = await made.write({
    dir: dist,
    format: "esm",
    chunkFileNames: "src/chunks/[name]-[hash].js",
    comments: { legal: true, annotation: false, jsdoc: false }
  })
  await made.close()
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds)
  writeFileSync(join(dist, "LICENSES.txt"), `${licencesOf(modules)}\n`)
  for (const folder of beside) cpSync(join(root, folder), join(dist, folder), { recursive: true })
}
