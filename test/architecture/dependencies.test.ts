/** The dependency rule, read off the import lines. One table; a new folder must be added to it. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import { words } from "../support/words.ts"

/** A glob that finds fewer sources than this looks in the wrong place. */
const filesMin = 30

/** The RPC methods and the schemas of the contract. */
const rpcFilesMax = 26

const common = ["effect/", "@effect/", "node:"]

/** folder -> [our folders it may import, packages it may import: a name, or a prefix ending in `/` or `:`] */
const allowed: Record<string, readonly [ReadonlyArray<string>, ReadonlyArray<string>]> = {
  domain: [["domain"], ["effect", "@web-grounding/language/"]],
  contract: [["contract", "domain"], ["effect", "@web-grounding/language/"]],
  application: [["domain", "contract", "application"], ["effect", "@web-grounding/language/"]],
  infrastructure: [
    ["infrastructure"],
    [
      "effect",
      ...common,
      "kysely",
      "pg",
      "@electric-sql/pglite",
      "@electric-sql/pglite-pgvector",
      "@web-grounding/safe-fetch/Proxy",
      "canonicalize",
      "tldts"
    ]
  ],
  adapters: [
    ["domain", "contract", "application", "infrastructure", "adapters"],
    [
      "effect",
      ...common,
      "@web-grounding/language/",
      "kysely",
      "@web-grounding/dialects/",
      "@web-grounding/pages/",
      "@web-grounding/safe-fetch/",
      "@tavily/core",
      "axios",
      "entities",
      "htm",
      "htm/preact",
      "jose",
      "preact",
      "preact-render-to-string"
    ]
  ],
  wiring: [
    ["domain", "contract", "application", "infrastructure", "adapters", "wiring"],
    [
      "effect",
      ...common,
      "@web-grounding/dialects/",
      "@web-grounding/pages/",
      "@web-grounding/safe-fetch/",
      "@web-grounding/sandbox/"
    ]
  ],
  root: [
    ["domain", "contract", "application", "infrastructure", "adapters", "wiring", "root"],
    ["effect", ...common]
  ]
}

/** The folders of the domain, lowest first: each may import those before it. */
const domainFloors = words`
  request search page need plan retrieval pack view research session store health access erasure
  summary audit
`

/** package -> our packages it may import, others it may import */
const packagesAllowed: Record<string, ReadonlyArray<string>> = {
  client: ["effect"],
  dialects: ["effect", ...common, "@web-grounding/language/", "htmlparser2"],
  language: ["effect"],
  pages: [
    "effect",
    ...common,
    "@web-grounding/language/",
    "@mozilla/readability",
    "@mozilla/readability/JSDOMParser.js",
    "@web-grounding/safe-fetch/PageKind",
    "htmlparser2",
    "jschardet",
    "markdown-it",
    "pdfjs-dist/legacy/build/pdf.mjs"
  ],
  "safe-fetch": ["effect", ...common, "ipaddr.js", "tldts", "undici"],
  sandbox: ["effect", ...common, "@web-grounding/dialects/", "@web-grounding/language/"]
}

const folderOf = (file: string) =>
  file.split("/")[2] === undefined ? "root" : file.split("/")[1] ?? "root"

const importsOf = (source: string) =>
  [...source.matchAll(
    /^(?:import|export)\s[^"']*?from\s+"([^"]+)"|^import\s+"([^"]+)"|\bimport\("([^"]+)"\)/gm
  )].map((match) => match[1] ?? match[2] ?? match[3] ?? "")

const mayImport = (packages: ReadonlyArray<string>, name: string) =>
  packages.some((entry) => /[/:]$/.test(entry) ? name.startsWith(entry) : name === entry)

const targetsOf = (file: string) =>
  importsOf(readFileSync(file, "utf8")).filter((from) => from.startsWith(".")).map((from) => {
    assert.match(from, /\.(?:ts|json)$/, "relative imports carry .ts, data .json")
    return normalize(join(dirname(file), from))
  })

/** A glob that finds fewer of the sandbox's models looks in the wrong place. */
const modelFilesMin = 4

/** What a file comes to of our other packages, by whatever way through its own. */
const packagesReachedFrom = (file: string): ReadonlyArray<string> => {
  const seen = new Set<string>()
  const visit = (path: string): ReadonlyArray<string> => {
    if (seen.has(path) || !path.endsWith(".ts")) return []
    seen.add(path)
    const ours = importsOf(readFileSync(path, "utf8")).filter((from) =>
      from.startsWith("@web-grounding/")
    )
    return [...ours.map((from) => `${path} -> ${from}`), ...targetsOf(path).flatMap(visit)]
  }
  return visit(file)
}

describe("the dependency rule", () => {
  const files = globSync("src/**/*.ts").sort()
  const packageFiles = globSync("packages/*/src/**/*.ts").sort()

  const forbiddenIn = (file: string): ReadonlyArray<string> => {
    const [ours, packages] = allowed[folderOf(file)] ?? assert.fail(`no rule for ${folderOf(file)}`)
    const imports = importsOf(readFileSync(file, "utf8")).filter((from) => !from.startsWith("."))
    return [
      ...targetsOf(file).filter((target) => !ours.includes(folderOf(target))),
      ...imports.filter((from) => !mayImport(packages, from))
    ].map((target) => `${file} -> ${target}`)
  }

  it("holds for every source file", () => {
    assert.isAbove(files.length, filesMin)
    assert.deepStrictEqual(files.flatMap(forbiddenIn), [])
  })

  it("lets a package import what it may, and nothing of the service", () => {
    assert.isAbove(packageFiles.length, filesMin)
    const forbidden = packageFiles.flatMap((file) => {
      const name = file.split("/")[1] ?? ""
      const mine = packagesAllowed[name] ?? assert.fail(`no rule for ${name}`)
      return importsOf(readFileSync(file, "utf8")).filter((from) =>
        from.startsWith(".")
          ? !normalize(join(dirname(file), from)).startsWith(`packages/${name}/src/`)
          : !mayImport(mine, from)
      ).map((target) => `${file} -> ${target}`)
    })
    assert.deepStrictEqual(forbidden, [])
  })

  it("keeps tests, benches and fits of a package out of the service", () => {
    const others = globSync("packages/*/{test,bench,fit}/**/*.ts")
    assert.isAbove(others.length, filesMin)
    const outside = others.flatMap((file) =>
      targetsOf(file).filter((target) => !target.startsWith("packages/"))
        .map((target) => `${file} -> ${target}`)
    )
    assert.deepStrictEqual(outside, [])
  })

  it("lets a folder of the domain import those below it only", () => {
    const floorOf = (file: string) => domainFloors.indexOf(dirname(file).split("/")[2] ?? "")
    const domain = files.filter((file) => dirname(file).startsWith("src/domain/"))
    assert.deepStrictEqual(domain.filter((file) => floorOf(file) === -1), [])
    const upward = domain.flatMap((file) =>
      targetsOf(file).filter((target) => floorOf(target) > floorOf(file))
        .map((target) => `${file} -> ${target}`)
    )
    assert.deepStrictEqual(upward, [])
  })

  it("knows no cycle of folders", () => {
    const folders = [...Map.groupBy([...files, ...packageFiles], dirname)]
    const below = new Map(folders.map(([folder, members]) => [
      folder,
      new Set(members.flatMap(targetsOf).map(dirname).filter((other) => other !== folder))
    ]))
    const done = new Set<string>()
    const visit = (folder: string, path: ReadonlyArray<string>): void => {
      if (path.includes(folder)) assert.fail([...path, folder].join(" -> "))
      if (done.has(folder)) return
      done.add(folder)
      for (const next of below.get(folder) ?? []) visit(next, [...path, folder])
    }
    for (const folder of below.keys()) visit(folder, [])
  })

  it("knows no cycle", () => {
    const done = new Set<string>()
    const visit = (file: string, path: ReadonlyArray<string>): void => {
      if (path.includes(file)) assert.fail([...path, file].join(" -> "))
      if (done.has(file)) return
      done.add(file)
      for (const next of targetsOf(file)) visit(next, [...path, file])
    }
    for (const file of [...files, ...packageFiles]) visit(file, [])
  })

  it("keeps one adapter out of another", () => {
    for (const file of files.filter((file) => folderOf(file) === "adapters")) {
      for (const target of targetsOf(file).filter((target) => folderOf(target) === "adapters")) {
        assert.strictEqual(target.split("/")[2], file.split("/")[2], `${file} -> ${target}`)
      }
    }
  })

  it("leaves the way outside, and so its proxies, to two files", () => {
    const opens =
      /^(?! \* ).*FetchHttpClient\.layer|makeUndici|getAdapter|(?<![.\w])fetch\(|from "undici"/m
    assert.deepStrictEqual(
      [...files, ...packageFiles].filter((file) =>
        !file.startsWith("packages/client/") && opens.test(readFileSync(file, "utf8"))
      ),
      // The first asks this service itself.
      [
        "src/adapters/rpc/AttachedCalls.ts",
        "src/infrastructure/HttpExchange.ts",
        "packages/safe-fetch/src/WebExchange.ts"
      ]
    )
  })

  it("keeps the sandbox's models free of the rules that they are held against", () => {
    const models = globSync("packages/sandbox/src/chat/**/*.ts")
    assert.isAtLeast(models.length, modelFilesMin)
    assert.deepStrictEqual(models.flatMap(packagesReachedFrom), [])
    // The same reading finds them where they are.
    assert.isNotEmpty(packagesReachedFrom("packages/sandbox/src/SandboxServer.ts"))
  })

  it("keeps the contract of RPC free of servers, databases and providers", () => {
    const seen = new Set<string>()
    const packages = new Set<string>()
    const visit = (file: string): void => {
      if (seen.has(file)) return
      seen.add(file)
      // Imports of types are gone at run time.
      const source = readFileSync(file, "utf8").replace(/^import type [^"]*"[^"]*"/gm, "")
      for (const from of importsOf(source)) {
        if (from.startsWith(".")) visit(normalize(join(dirname(file), from)))
        else packages.add(from)
      }
    }
    visit("src/adapters/rpc/GroundingRpc.ts")
    assert.deepStrictEqual(
      [...packages].filter((name) => !/^effect(\/(http|rpc))?$/.test(name)),
      []
    )
    assert.deepStrictEqual([...seen].filter((file) => folderOf(file) === "infrastructure"), [])
    assert.isAtMost(seen.size, rpcFilesMax)
  })
})
