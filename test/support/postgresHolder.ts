/**
 * Starts a server of the tests, prints its URL and then hangs: `test/e2e/testServer.test.ts`.
 *
 * With `orphaned`, it gives the server's keeper a pipe that outlives this process.
 */
import { spawn } from "node:child_process"
import { mkdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { startServer } from "./postgresServer.ts"

const settings = { fsync: "off", listen_addresses: "127.0.0.1", unix_socket_directories: "" }
const keeper = fileURLToPath(new URL("postgresKeeper.ts", import.meta.url))

if (process.argv[2] === "orphaned") {
  spawn(process.execPath, [keeper, JSON.stringify(settings)], {
    stdio: [3, "inherit", "inherit"],
    detached: true
  })
} else {
  const alongside = join(tmpdir(), "wg-alongside")
  mkdirSync(join(alongside, "left"), { recursive: true })
  const { url } = await startServer(settings, { alongside })
  console.log(JSON.stringify({ url }))
}
setInterval(() => {}, 60_000)
