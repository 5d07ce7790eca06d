/** The README's snippets for curl and Python, as a reader would run them, against the sandbox. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { run } from "../support/installed.ts"
import { sandboxService } from "../support/sandboxService.ts"
import { url } from "../support/service.ts"

const readme = readFileSync("README.md", "utf8").replaceAll("\r\n", "\n")
const snippets = [
  { needs: "curl", command: "sh", form: /^(curl .*)$/m },
  { needs: "python3", command: "python3", form: /^```python\n([^]*?)^```/m }
]

describe("the README", () => {
  it.layer(sandboxService, { timeout: "60 seconds", excludeTestServices: true })((it) => {
    for (const { command, form, needs } of snippets) {
      it.effect.skipIf(spawnSync(needs, ["--version"]).status !== 0)(
        `has a snippet for ${needs} that is answered`,
        () =>
          Effect.gen(function*() {
            const service = yield* url
            const snippet = form.exec(readme)?.[1]?.replace("http://127.0.0.1:7420", service) ?? ""
            const { err, out } = yield* Effect.promise(() =>
              run(command, ["-c", snippet], { cwd: "." })
            )
            assert.include(out, "one month's notice", err)
          })
      )
    }
  })
})
