/** The image, Compose and Kubernetes files: their settings exist, and their numbers are the service's. */
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { spawnSync } from "node:child_process"
import { globSync, readdirSync, readFileSync } from "node:fs"
import manifest from "../../package.json" with { type: "json" }
import { openPaths } from "../../src/adapters/rpc/AccessGuard.ts"
import { flushMsMax } from "../../src/adapters/rpc/GroundingRpcServer.ts"
import * as Settings from "../../src/infrastructure/Settings.ts"
import * as CheckSettings from "../../src/wiring/CheckSettings.ts"
import { exitMsMax } from "../../src/wiring/Serving.ts"
import * as Dockerfile from "../support/dockerfile.ts"
import * as YamlText from "../support/yamlText.ts"

const { valueAt, entriesAt } = YamlText
const text = (file: string) => readFileSync(file, "utf8")
const yaml = (file: string) => YamlText.readYaml(text(file))

const image = Dockerfile.readStages(text("Dockerfile")).at(-1)
const compose = yaml("compose.yaml")
const manifests = globSync("deploy/kubernetes/*.yaml").toSorted()
const ofKind = (kind: string) =>
  manifests.map(yaml).find((resource) => valueAt(resource, "kind") === kind)
const deployment = ofKind("Deployment")
const pod = valueAt(deployment, "spec", "template", "spec")
const container = valueAt(pod, "containers", 0)

const msInSecond = 1_000

/** Name and value; a value that stands elsewhere is empty. */
const named = (yaml: YamlText.Yaml | undefined, ...path: ReadonlyArray<string>) =>
  entriesAt(yaml, ...path).map(([name, value]) => [name, String(value)] as const)

const environments: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  image: Dockerfile.environmentOf(image),
  compose: Object.fromEntries(named(compose, "services", "service", "environment")),
  kubernetes: {
    ...Object.fromEntries(named(ofKind("ConfigMap"), "data")),
    ...Object.fromEntries(
      entriesAt(container, "env").map(([, one]) => [
        String(valueAt(one, "name")),
        String(valueAt(one, "value") ?? "")
      ])
    )
  }
}

/** Of other programs. */
const others: ReadonlySet<string> = new Set(["NODE_ENV"])

const settingsOf = (environment: Readonly<Record<string, string>>) =>
  Object.entries(environment).filter(([name]) => !others.has(name))

const unknownIn = (environment: Readonly<Record<string, string>>) =>
  settingsOf(environment).map(([name]) => name)
    .filter((name) => !Settings.names.includes(name) && !Settings.fileNames.includes(name))

const secondsOf = (value: YamlText.Yaml | undefined): number => {
  const [, seconds] = /^(\d+)s?$/.exec(String(value)) ?? []
  assert.isDefined(seconds, `no seconds: ${value}`)
  return Number(seconds)
}

const kubectl = spawnSync("kubectl", ["version", "--client"], { timeout: 20_000 })
const hasKubectl = kubectl.error === undefined && kubectl.status === 0

/** Whether the other holds all of it: servers add defaults. */
const holds = (theirs: unknown, ours: unknown): boolean =>
  typeof ours === "object" && ours !== null
    ? typeof theirs === "object" && theirs !== null &&
      Object.entries(ours).every(([key, value]) =>
        holds(Object.entries(theirs).find(([other]) => other === key)?.[1], value)
      )
    : theirs === ours

describe("settings of the deployment's files", () => {
  it("exist, each of them", () => {
    for (const environment of Object.values(environments)) {
      assert.isAtLeast(settingsOf(environment).length, 3)
      assert.deepStrictEqual(unknownIn(environment), [])
    }
    assert.deepStrictEqual(unknownIn({ WEB_GROUNDING_PORTS: "1" }), ["WEB_GROUNDING_PORTS"])
  })

  it.effect("fit, with those of the image below them", () =>
    Effect.gen(function*() {
      for (const over of [{}, environments["compose"], environments["kubernetes"]]) {
        const env = Object.fromEntries(
          // Their files are not here.
          settingsOf({ ...environments["image"], ...over }).filter(([name]) =>
            !name.endsWith("_FILE")
          )
        )
        const findings = yield* CheckSettings.check.pipe(Effect.provide(
          ConfigProvider.layer(ConfigProvider.fromEnv({ env, preserveEmptyStrings: true }))
        ))
        assert.deepStrictEqual(findings, [])
      }
    }))

  it("come from secrets that are there", () => {
    const secrets = entriesAt(compose, "secrets").map(([name]) => name)
    for (const [service] of entriesAt(compose, "services")) {
      for (const [, name] of entriesAt(compose, "services", service, "secrets")) {
        assert.include(secrets, String(name))
      }
      for (const [, value] of named(compose, "services", service, "environment")) {
        const [, mounted] = /^\/run\/secrets\/(.+)$/.exec(value) ?? []
        if (mounted !== undefined) assert.include(secrets, mounted)
      }
    }
    const folder = String(valueAt(container, "volumeMounts", 0, "mountPath"))
    for (const [name, value] of settingsOf(environments["kubernetes"] ?? {})) {
      if (name.endsWith("_FILE")) assert.isTrue(value.startsWith(`${folder}/`), value)
    }
    assert.strictEqual(valueAt(pod, "volumes", 0, "secret", "secretName"), "web-grounding")
  })
})

describe("the deployment's numbers", () => {
  it("name one port", () => {
    const { default: port } = Settings.table.WEB_GROUNDING_PORT
    assert.deepStrictEqual([
      environments["image"]?.["WEB_GROUNDING_PORT"],
      ...Dockerfile.restsOf(image, "EXPOSE"),
      String(valueAt(container, "ports", 0, "containerPort")),
      String(valueAt(ofKind("Service"), "spec", "ports", 0, "port")),
      String(valueAt(ofKind("NetworkPolicy"), "spec", "ingress", 0, "ports", 0, "port")),
      String(valueAt(compose, "services", "service", "ports", 0)).split(":").at(-1)
    ], Array.from({ length: 6 }, () => port))
  })

  it("ask paths that answer without a token", () => {
    const probes = ["startupProbe", "livenessProbe", "readinessProbe"]
    const paths = probes.map((probe) => String(valueAt(container, probe, "httpGet", "path")))
    assert.deepStrictEqual(paths, ["/startupz", "/livez", "/readyz"])
    const healthChecks = [
      ...Dockerfile.restsOf(image, "HEALTHCHECK"),
      String(valueAt(compose, "services", "service", "healthcheck", "test"))
    ].map((check) => /\/[a-z]+z(?=')/.exec(check)?.[0])
    assert.deepStrictEqual(healthChecks, ["/livez", "/readyz"])
    for (const path of [...paths, "/livez"]) assert.isTrue(openPaths.has(path), path)
  })

  it("give the service the time that its end takes", () => {
    const ends = [
      [environments["compose"], valueAt(compose, "services", "service", "stop_grace_period")],
      [environments["kubernetes"], valueAt(pod, "terminationGracePeriodSeconds")]
    ] as const
    for (const [settings, period] of ends) {
      const delayMs = Number(settings?.["WEB_GROUNDING_SHUTDOWN_DELAY_MS"])
      const graceMs = Number(settings?.["WEB_GROUNDING_SHUTDOWN_GRACE_MS"])
      assert.isBelow(delayMs + graceMs + flushMsMax, exitMsMax)
      assert.isAbove(secondsOf(period) * msInSecond, exitMsMax + flushMsMax)
    }
  })

  it("keep answering until it was noticed that no call should come", () => {
    const [period, failures, timeout] = ["periodSeconds", "failureThreshold", "timeoutSeconds"]
      .map((name) => Number(valueAt(container, "readinessProbe", name)))
    const noticedMs = ((period ?? 0) * (failures ?? 0) + (timeout ?? 0)) * msInSecond
    assert.isAbove(
      Number(environments["kubernetes"]?.["WEB_GROUNDING_SHUTDOWN_DELAY_MS"]),
      noticedMs
    )
  })

  it("name the Node that the service needs, and the release", () => {
    const major = /\d+/.exec(manifest.engines.node)?.[0]
    for (const stage of Dockerfile.readStages(text("Dockerfile"))) {
      assert.strictEqual(stage.image, `node:${major}-slim`)
    }
    assert.strictEqual(valueAt(container, "image"), `web-grounding:${manifest.version}`)
  })
})

describe("the container", () => {
  it("runs without a shell, as nobody who may write what it runs", () => {
    for (const stage of Dockerfile.readStages(text("Dockerfile"))) {
      for (const name of ["RUN", "ENTRYPOINT", "CMD", "HEALTHCHECK"]) {
        for (const rest of Dockerfile.restsOf(stage, name)) {
          assert.isAtLeast(Dockerfile.commandOf(rest).length, 1)
        }
      }
    }
    const [user = ""] = Dockerfile.restsOf(image, "USER")
    assert.strictEqual(
      user,
      `${valueAt(pod, "securityContext", "runAsUser")}:${
        valueAt(pod, "securityContext", "runAsGroup")
      }`
    )
    assert.notStrictEqual(user.split(":")[0], "0")
    assert.isTrue(valueAt(pod, "securityContext", "runAsNonRoot"))
    assert.isTrue(valueAt(container, "securityContext", "readOnlyRootFilesystem"))
    assert.isFalse(valueAt(container, "securityContext", "allowPrivilegeEscalation"))
    assert.isTrue(valueAt(compose, "services", "service", "read_only"))
    // Else a Service of this name sets WEB_GROUNDING_PORT to an address.
    assert.isFalse(valueAt(pod, "enableServiceLinks"))
  })

  it("is meant by every selector", () => {
    const labels = valueAt(deployment, "spec", "template", "metadata", "labels")
    const selectors = [
      valueAt(deployment, "spec", "selector", "matchLabels"),
      valueAt(ofKind("Service"), "spec", "selector"),
      valueAt(ofKind("PodDisruptionBudget"), "spec", "selector", "matchLabels"),
      valueAt(ofKind("NetworkPolicy"), "spec", "podSelector", "matchLabels"),
      valueAt(pod, "topologySpreadConstraints", 0, "labelSelector", "matchLabels")
    ]
    for (const selector of selectors) assert.deepStrictEqual(selector, labels)
    const listed = entriesAt(ofKind("Kustomization"), "resources").map(([, file]) => file)
    assert.deepStrictEqual(
      listed,
      readdirSync("deploy/kubernetes").filter((file) => file !== "kustomization.yaml").toSorted()
    )
    assert.isAbove(
      Number(valueAt(deployment, "spec", "replicas")),
      Number(valueAt(ofKind("PodDisruptionBudget"), "spec", "minAvailable"))
    )
  })

  it.runIf(hasKubectl)("is read by kubectl as it is read here", () => {
    const resources = manifests.filter((file) => !file.endsWith("kustomization.yaml"))
    for (const file of resources) {
      const args = ["annotate", "--local", "-f", file, "-o", "json", "read=yes"]
      const { status, stderr, stdout } = spawnSync("kubectl", args, {
        encoding: "utf8",
        timeout: 20_000
      })
      assert.strictEqual(status, 0, stderr)
      assert.isTrue(holds(JSON.parse(stdout), yaml(file)), `${file}: ${stdout}`)
    }
    const built = spawnSync("kubectl", ["kustomize", "deploy/kubernetes"], {
      encoding: "utf8",
      timeout: 20_000
    })
    assert.strictEqual(built.status, 0, built.stderr)
    assert.lengthOf(built.stdout.match(/^kind: /gm) ?? [], resources.length)
  })
})
