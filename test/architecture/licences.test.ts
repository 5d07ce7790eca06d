/** What the service runs on: nothing of an unknown licence or a copyleft one, and all of it listed. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Licences from "../../scripts/licences/Licences.ts"

const lock: Licences.Lock = JSON.parse(readFileSync("package-lock.json", "utf8"))
const dependencies = Licences.dependenciesOf(lock)
const packagesMin = 70

/** The manifests of one package, wherever the lock file has it installed. */
const installed = (name: string) =>
  Object.keys(Object(lock).packages)
    .filter((path) => path.endsWith(`node_modules/${name}`))
    .map((path) => join(path, "package.json"))
    .filter((file) => existsSync(file))
    .map((file): unknown => JSON.parse(readFileSync(file, "utf8")))

describe("licences of what the service runs on", () => {
  it("are known, and none asks for more than to be named", () => {
    assert.isAtLeast(dependencies.length, packagesMin)
    assert.deepStrictEqual(Licences.problemsIn(dependencies), [])
  })

  it("are what the installed packages themselves say", () => {
    const compared = dependencies.filter(({ name }) => existsSync(join("node_modules", name)))
    assert.isAtLeast(compared.length, packagesMin)
    const differences = compared.flatMap((dependency) =>
      installed(dependency.name).filter((manifest) =>
        Object(manifest).version === dependency.version
      )
        .flatMap((manifest) => Licences.differenceOf(dependency, manifest) ?? [])
    )
    assert.deepStrictEqual(differences, [])
  })

  it("are listed as they are", () => {
    assert.strictEqual(
      readFileSync("docs/reference/licences.md", "utf8"),
      Licences.textOf(dependencies)
    )
  })

  it("would be refused where one is copyleft, a choice or missing", () => {
    const planted = (license?: string) =>
      Licences.problemsIn(Licences.dependenciesOf({
        packages: {
          "": { license: "MIT" },
          "node_modules/a/node_modules/@b/c": {
            version: "1.0.0",
            ...(license === undefined ? {} : { license })
          },
          "node_modules/tool": { version: "1.0.0", license: "GPL-3.0-only", dev: true }
        }
      }))
    for (const licence of ["GPL-3.0-only", "AGPL-3.0", "LGPL-2.1", "MPL-2.0", "UNLICENSED"]) {
      assert.deepStrictEqual(planted(licence), [
        `@b/c 1.0.0 is under ${licence}, which is not among those permitted`
      ])
    }
    assert.deepStrictEqual(planted(), ["@b/c 1.0.0 has no licence"])
    assert.deepStrictEqual(planted("MIT"), [])
    assert.isDefined(
      Licences.differenceOf({ name: "a", version: "1.0.0", licence: "MIT" }, { license: "GPL-3.0" })
    )
  })

  it("belong to what the bill of materials names, all of it", () => {
    const { status, stderr, stdout } = spawnSync(process.execPath, ["scripts/sbom.ts"], {
      encoding: "utf8",
      timeout: 60_000
    })
    assert.strictEqual(status, 0, stderr)
    const { bomFormat, components } = JSON.parse(stdout)
    assert.strictEqual(bomFormat, "CycloneDX")
    const named = components.map(({ purl }: Record<string, string>) => purl)
    const missing = dependencies.filter(({ name, version }) =>
      !named.includes(`pkg:npm/${name.replace("@", "%40")}@${version}`)
    )
    assert.deepStrictEqual(missing, [])
    assert.lengthOf(named, dependencies.length)
  })
})
