/** The packages that the service runs on and their licences, by the lock file and by what is installed. */

export interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly link?: boolean
  /** Begins with `file:` for packages of this repository. */
  readonly resolved?: string
}

export interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>
}

export interface Dependency {
  readonly name: string
  readonly version: string
  /** SPDX, as the package says; empty: it does not. */
  readonly licence: string
}

/** Those that ask for no more than to be named. Copyleft and unknown ones are not among them. */
const permitted: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "PSF-2.0"
])

const folder = "node_modules/"

const order = (left: Dependency, right: Dependency): number =>
  left.name < right.name ? -1 : left.name > right.name ? 1 : left.version < right.version ? -1 : 1

/**
 * What is installed for production, each version once, by name: also what is optional, on whatever
 * machine. The project's own packages are left out.
 */
export const dependenciesOf = (lock: Lock): ReadonlyArray<Dependency> => {
  const all = Object.entries(lock.packages).flatMap(([path, locked]) => {
    const isOurs = !path.includes(folder) || locked.link === true ||
      locked.resolved?.startsWith("file:") === true
    if (isOurs || locked.dev === true || locked.devOptional === true) return []
    const name = path.slice(path.lastIndexOf(folder) + folder.length)
    return [{ name, version: locked.version ?? "", licence: locked.license ?? "" }]
  })
  const distinct = new Map(all.map((one) => [`${one.name}@${one.version}`, one]))
  return [...distinct.values()].toSorted(order)
}

/** A sentence for each that may not be depended on. */
export const problemsIn = (dependencies: ReadonlyArray<Dependency>): ReadonlyArray<string> =>
  dependencies.filter(({ licence }) => !permitted.has(licence)).map(({ licence, name, version }) =>
    licence === ""
      ? `${name} ${version} has no licence`
      : `${name} ${version} is under ${licence}, which is not among those permitted`
  )

/** What an installed package says where it says something else than the lock file. */
export const differenceOf = (
  { licence, name, version }: Dependency,
  installed: unknown
): string | undefined => {
  const { license } = Object(installed)
  return license === licence ? undefined : `${name} ${version} says ${JSON.stringify(license)}`
}

/** As CycloneDX has it; other fields stay as they are. */
interface Bill {
  readonly metadata: { readonly component: { readonly "bom-ref": string } }
  readonly components: ReadonlyArray<{ readonly "bom-ref": string; readonly purl: string }>
  readonly dependencies: ReadonlyArray<
    { readonly ref: string; readonly dependsOn?: ReadonlyArray<string> }
  >
}

/** The bill of all packages, without those that nothing runs on. */
export const billOf = <A extends Bill>(whole: A, dependencies: ReadonlyArray<Dependency>): A => {
  const purls = new Set(
    dependencies.map(({ name, version }) => `pkg:npm/${name.replace("@", "%40")}@${version}`)
  )
  const components = whole.components.filter(({ purl }) => purls.has(purl))
  const kept = new Set(components.map((component) => component["bom-ref"]))
  return {
    ...whole,
    components,
    dependencies: whole.dependencies
      .filter(({ ref }) => kept.has(ref) || ref === whole.metadata.component["bom-ref"])
      .map(({ dependsOn = [], ...dependency }) => ({
        ...dependency,
        dependsOn: dependsOn.filter((ref) => kept.has(ref))
      }))
  }
}

const rowOf = (licence: string, dependencies: ReadonlyArray<Dependency>): string => {
  const own = dependencies.filter((one) => one.licence === licence)
  return `| ${licence} | ${own.length} | ${
    own.map(({ name, version }) => `${name} ${version}`).join(", ")
  } |`
}

/** The committed list. */
export const textOf = (dependencies: ReadonlyArray<Dependency>): string => {
  const licences = [...new Set(dependencies.map(({ licence }) => licence))].toSorted()
  return [
    "# Licences",
    "",
    "What the service runs on, with what is optional on other machines; made by `node scripts/sbom.ts --write`,",
    "which tests hold to the lock file. `node scripts/sbom.ts` prints the bill of materials (CycloneDX).",
    "`tldts` carries the Public Suffix List, which is under MPL-2.0 and unchanged; PGlite carries PostgreSQL,",
    "under the PostgreSQL Licence. The names of `packages/language/src/privacy/KnownNames.json` are taken from `@faker-js/faker` 10, MIT,",
    "copyright 2022-2025 Faker, the rarer ones from `gender-detection-from-name` 1.11.5, MIT, copyright 2019 Davide Violante.",
    "",
    "| Licence | Packages | Which |",
    "| --- | --- | --- |",
    ...licences.map((licence) => rowOf(licence, dependencies)),
    ""
  ].join("\n")
}
