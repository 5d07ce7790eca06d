/** The image, Compose and Kubernetes files: their settings exist, and their numbers are the service's. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { readFileSync } from "node:fs"
import { openPaths } from "../../src/adapters/rpc/AccessGuard.ts"
import { flushMsMax } from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as Settings from "../../src/infrastructure/Settings.ts"
import * as CheckSettings from "../../src/wiring/CheckSettings.ts"
import { exitMsMax } from "../../src/wiring/Serving.ts"

const folder = "deploy/kubernetes"
const text = (file: string) => readFileSync(file, "utf8")
const [image, compose, deployment] = [
  text("Dockerfile").slice(text("Dockerfile").lastIndexOf("\nFROM ")),
  text("compose.yaml").split("\n  service:\n")[1] ?? "",
  text(`${folder}/deployment.yaml`)
]

/** First group of each match. */
const found = (source: string, pattern: RegExp): ReadonlyArray<string> =>
  Array.from(source.matchAll(pattern), ([, value = ""]) => value)

const settings = (source: string, pattern: RegExp): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(source.matchAll(pattern), ([, name = "", value = ""]) => [name, value] as const)
      .filter(([name]) => name !== "NODE_ENV")
  )

const environments = {
  image: settings(image, /^ENV (\w+)=(.*)$/gm),
  compose: settings(compose, /^ {6}([A-Z_]+): "?([^"\n]*)"?$/gm),
  kubernetes: {
    ...settings(text(`${folder}/configmap.yaml`), /^ {2}([A-Z_]+): "?([^"\n]*)"?$/gm),
    ...settings(deployment, /- name: ([A-Z_]+)\n\s+value: (.*)$/gm)
  }
}

describe("settings of the deployment's files", () => {
  it("exist, each of them", () => {
    const known = [...Settings.names, ...Settings.fileNames]
    for (const environment of Object.values(environments)) {
      assert.isAtLeast(Object.keys(environment).length, 3)
      assert.deepStrictEqual(Object.keys(environment).filter((name) => !known.includes(name)), [])
    }
  })

  it.effect("fit, with those of the image below them", () =>
    Effect.gen(function*() {
      for (const over of [{}, environments.compose, environments.kubernetes]) {
        // Secrets' files are not here.
        const env = Object.fromEntries(
          Object.entries({ ...environments.image, ...over }).filter(([name]) =>
            !name.endsWith("_FILE")
          )
        )
        const findings = yield* CheckSettings.check.pipe(Effect.provide(
          ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true }))
        ))
        assert.deepStrictEqual(findings, [])
      }
    }))
})

describe("the deployment", () => {
  it("names one port, and probes that answer without a token", () => {
    const { default: port } = Settings.table.WEB_GROUNDING_PORT
    const ports = [
      environments.image["WEB_GROUNDING_PORT"],
      ...found(image, /^EXPOSE (\d+)$/gm),
      ...found(compose, /127\.0\.0\.1:\d+:(\d+)/g),
      ...found(deployment + text(`${folder}/service.yaml`), /\b(?:containerPort|port): (\d+)/g)
    ]
    assert.isAtLeast(ports.length, 5)
    assert.deepStrictEqual(new Set(ports), new Set([port]))
    const paths = [image, compose, deployment].flatMap((source) => found(source, /(\/[a-z]+z)\b/g))
    assert.includeMembers([...paths], ["/startupz", "/livez", "/readyz"])
    for (const path of paths) assert.isTrue(openPaths.has(path), path)
  })

  it("gives the service the time that its end takes", () => {
    const periods = [
      [environments.compose, /stop_grace_period: (\d+)s/g, compose],
      [environments.kubernetes, /terminationGracePeriodSeconds: (\d+)/g, deployment]
    ] as const
    for (const [environment, pattern, source] of periods) {
      const delayMs = Number(environment["WEB_GROUNDING_SHUTDOWN_DELAY_MS"])
      const graceMs = Number(environment["WEB_GROUNDING_SHUTDOWN_GRACE_MS"])
      assert.isBelow(delayMs + graceMs + flushMsMax, exitMsMax)
      assert.isAbove(Number(found(source, pattern)[0]) * 1_000, exitMsMax + flushMsMax)
    }
  })

  it("runs without a shell, as a user who may not write what it runs", () => {
    for (const line of text("Dockerfile").match(/^(?:RUN|ENTRYPOINT|CMD|\s+CMD) .*$/gm) ?? []) {
      assert.match(line, /^\s*\w+ \["/)
    }
    assert.include(image, "\nUSER 1000:1000\n")
    for (
      const line of [
        "runAsNonRoot: true",
        "runAsUser: 1000",
        "readOnlyRootFilesystem: true",
        "allowPrivilegeEscalation: false",
        // Else a Service of this name sets WEB_GROUNDING_PORT to an address.
        "enableServiceLinks: false"
      ]
    ) assert.include(deployment, line)
    assert.include(compose, "read_only: true")
  })
})
