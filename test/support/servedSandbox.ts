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
  readonly end: () => void
}

export const servedSandbox = (): Promise<ServedSandbox> =>
  new Promise((resolve, reject) => {
    const home = preparedDirectory("wg-served-")
    const child = spawn(process.execPath, ["bin/wg.js", "serve", "--sandbox", "--port", "0"], {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...compiled, WEB_GROUNDING_DATA_DIR: home }
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
      resolve({ address, end })
    })
  })
