/** The service as it is started by hand, over the bundled sandbox, in a directory of its own. */
import { spawn } from "node:child_process"
import { rmSync } from "node:fs"
import { preparedDirectory } from "./preparedDirectory.ts"
import { compiled } from "./processes.ts"

/** To listen. */
const startMsMax = 60_000

export interface ServedSandbox {
  /** Without a path. */
  readonly address: string
  readonly pid: number | undefined
  readonly end: () => void
  /** Asks it to end, and answers when it has: what it said on standard error. */
  readonly ended: () => Promise<string>
}

interface Started {
  /** Arguments of `serve`. */
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
}

const sandboxed: Started = { args: ["--sandbox"], env: {} }

export const servedSandbox = ({ args, env } = sandboxed): Promise<ServedSandbox> =>
  new Promise((resolve, reject) => {
    const home = preparedDirectory("wg-served-")
    const child = spawn(process.execPath, ["bin/wg.js", "serve", "--port", "0", ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...compiled, WEB_GROUNDING_DATA_DIR: home, ...env }
    })
    let said = ""
    child.stderr.on("data", (chunk) => {
      said += String(chunk)
    })
    const ended = () =>
      new Promise<string>((resolve) => {
        child.once("close", () => resolve(said))
        child.kill("SIGTERM")
      })
    const end = () => {
      child.kill("SIGKILL")
      rmSync(home, { recursive: true, force: true })
    }
    const timer = setTimeout(() => {
      end()
      reject(new Error("The service did not listen in time"))
    }, startMsMax)
    child.stdout.on("data", (chunk) => {
      const [, address] = /Serving groundings on (\S+)/.exec(String(chunk)) ?? []
      if (address === undefined) return
      clearTimeout(timer)
      resolve({ address, pid: child.pid, end, ended })
    })
  })
