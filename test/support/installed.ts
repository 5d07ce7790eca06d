/** Packages as others get them: packed by npm, then installed or unpacked into an empty directory. */
import { execFile } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync
} from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

/** Of one command; a failure of the test otherwise. */
const commandMsMax = 180_000

interface Ran {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a program to its end. */
export const run = (
  program: string,
  args: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> }
): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(
      program,
      args,
      {
        cwd: options.cwd,
        env: { ...process.env, ...options.env },
        timeout: commandMsMax,
        maxBuffer: 64 * 1_024 * 1_024
      },
      (error, out, err) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1
        resolve({ code, out, err })
      }
    )
  })

/** An empty directory, until it is removed. */
export const emptyDirectory = () => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "wg-installed-")))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** An empty directory for the time of its use. */
export const inDirectory = async <A>(use: (directory: string) => Promise<A>): Promise<A> => {
  const { path, remove } = emptyDirectory()
  try {
    return await use(path)
  } finally {
    remove()
  }
}

/** Packs a folder of the project as it is published, with what its `prepare` builds. */
export const packed = async (folder: string, directory: string): Promise<string> => {
  const source = realpathSync(folder)
  const args = ["pack", "--pack-destination", directory, "--silent"]
  const { code, err, out } = await run("npm", args, { cwd: source })
  if (code !== 0) throw new Error(`npm pack: ${err}`)
  return join(directory, out.trim().split("\n").at(-1) ?? "")
}

/** Unpacks a package among the packages that the project has installed. */
export const unpackedBeside = async (tarball: string, name: string, directory: string) => {
  const ours = realpathSync("node_modules")
  const theirs = join(directory, "node_modules")
  mkdirSync(join(theirs, name), { recursive: true })
  for (const entry of readdirSync(ours)) {
    if (!existsSync(join(theirs, entry))) symlinkSync(join(ours, entry), join(theirs, entry))
  }
  const args = ["-xzf", tarball, "-C", join(theirs, name), "--strip-components", "1"]
  const { code, err } = await run("tar", args, { cwd: directory })
  if (code !== 0) throw new Error(`tar: ${err}`)
}

export const copied = (file: string, directory: string): string => {
  const to = join(directory, file.split("/").at(-1) ?? "")
  cpSync(file, to)
  return to
}

export const bytesIn = (directory: string): number =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((entry) => statSync(join(directory, entry)))
    .reduce((sum, entry) => entry.isFile() ? sum + entry.size : sum, 0)

export const jsonIn = (file: string): any => JSON.parse(readFileSync(file, "utf8"))

interface InstalledNode {
  readonly path: string
  readonly version: string
}

/** This Node, and others that the machine has, oldest first; each version once. */
export const nodes = async (): Promise<ReadonlyArray<InstalledNode>> => {
  const folders = (process.env["PATH"] ?? "").split(delimiter)
  const paths = [process.execPath, ...folders.map((folder) => join(folder, "node"))]
  const found = new Map<string, string>()
  for (const path of paths.filter((one) => existsSync(one))) {
    const { code, out } = await run(path, ["--version"], { cwd: tmpdir() })
    if (code === 0 && !found.has(out.trim())) found.set(out.trim(), path)
  }
  const major = (version: string) => Number(/^v(\d+)/.exec(version)?.[1])
  return [...found].map(([version, path]) => ({ version, path }))
    .filter(({ version }) => major(version) >= 20)
    .sort((left, right) => major(left.version) - major(right.version))
}
