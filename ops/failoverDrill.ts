/**
 * What callers see while a database's primary dies, and whether anything acknowledged is lost.
 *
 * Three database nodes under Patroni with synchronous replication, etcd, HAProxy and pgbouncer, and
 * three replicas of the service, all on loopback. Under load the primary is killed, and later its
 * successor is frozen as if cut off. Needs root and Debian's packages `postgresql`, `patroni`,
 * `etcd-server`, `haproxy` and `pgbouncer`; the databases run as the user `postgres`.
 *
 *     node ops/failoverDrill.ts [--seconds 60] [--callers 12]
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    callers: { type: "string", default: "12" }
  }
})
/** Load before each fault and after its repair, in seconds. */
const seconds = Number(values.seconds)
const callersCount = Number(values.callers)

const ports = { etcd: 23_790, peers: 23_800, haproxy: 25_500, bouncer: 26_500 }
const nodes = [1, 2, 3].map((number) => ({
  name: `n${number}`,
  pg: 25_430 + number,
  rest: 28_000 + number
}))
const replicaPorts = [27_421, 27_422, 27_423]
const login = "wg"
const database = "wg"

const home = mkdtempSync(join(tmpdir(), "wg-drill-"))
chmodSync(home, 0o755)
const versions = "/usr/lib/postgresql"
const postgresBin = join(versions, readdirSync(versions).toSorted().at(-1) ?? "", "bin")
const started: Array<ChildProcess> = []

const begin = (command: string, args: ReadonlyArray<string>, options: object = {}) => {
  const log = openSync(join(home, "log.txt"), "a")
  const child = spawn(command, args, { stdio: ["ignore", log, log], detached: true, ...options })
  started.push(child)
  return child
}
const asPostgres = (...command: ReadonlyArray<string>) =>
  begin("setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", ...command])

const write = (name: string, text: string): string => {
  const path = join(home, name)
  writeFileSync(path, text, { mode: 0o644 })
  return path
}

const patroniOf = ({ name, pg, rest }: typeof nodes[number]) => `
scope: wg
name: ${name}
restapi: { listen: "127.0.0.1:${rest}", connect_address: "127.0.0.1:${rest}" }
etcd3: { host: "127.0.0.1:${ports.etcd}" }
bootstrap:
  dcs:
    ttl: 10
    loop_wait: 2
    retry_timeout: 3
    synchronous_mode: true
    postgresql: { use_pg_rewind: true, parameters: { max_connections: 200 } }
  initdb: [{ encoding: UTF8 }, data-checksums]
  pg_hba:
    - host all all 127.0.0.1/32 trust
    - host replication all 127.0.0.1/32 trust
    - local all all trust
postgresql:
  listen: "127.0.0.1:${pg}"
  connect_address: "127.0.0.1:${pg}"
  data_dir: ${home}/${name}
  bin_dir: ${postgresBin}
  pgpass: ${home}/${name}-run/pgpass
  authentication:
    superuser: { username: postgres, password: drill }
    replication: { username: replicator, password: drill }
    rewind: { username: rewinder, password: drill }
  parameters: { unix_socket_directories: "${home}/${name}-run" }
`

const haproxy = `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 5m
  timeout server 5m
  timeout check 2s
listen primary
  bind 127.0.0.1:${ports.haproxy}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${
  nodes.map(({ name, pg, rest }) => `  server ${name} 127.0.0.1:${pg} check port ${rest}`)
    .join("\n")
}
`

const bouncer = `
[databases]
${database} = host=127.0.0.1 port=${ports.haproxy} dbname=${database}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ports.bouncer}
auth_type = trust
auth_file = ${home}/users.txt
pool_mode = transaction
default_pool_size = 30
max_client_conn = 300
server_login_retry = 1
query_wait_timeout = 10
unix_socket_dir =
`

const sql = (text: string, name = "postgres"): string =>
  execFileSync(
    `${postgresBin}/psql`,
    ["-h", "127.0.0.1", "-p", String(ports.haproxy), "-U", "postgres", "-d", name, "-Atc", text],
    { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }
  ).trim()

const until = async (what: string, isSo: () => boolean | Promise<boolean>, most = 120) => {
  const from = Date.now()
  for (;;) {
    const is = await Promise.resolve().then(isSo).catch(() => false)
    if (is) return (Date.now() - from) / 1_000
    if (Date.now() - from > most * 1_000) throw new Error(`${what}: not within ${most} s`)
    await sleep(100)
  }
}

const roleOf = async ({ rest }: typeof nodes[number]) => {
  const answer = await fetch(`http://127.0.0.1:${rest}/patroni`, {
    signal: AbortSignal.timeout(1_000)
  })
  const { role, state } = await answer.json() as { role: string; state: string }
  return state === "running" || state === "streaming" ? role : state
}
const isPrimary = (role: string) => role === "master" || role === "primary"
const primary = async () => {
  const roles = await Promise.all(nodes.map((node) => roleOf(node).catch(() => "away")))
  return nodes[roles.findIndex(isPrimary)]
}
const healthy = async () => {
  const roles = await Promise.all(nodes.map((node) => roleOf(node).catch(() => "away")))
  return roles.filter(isPrimary).length === 1 &&
    roles.filter((role) => role === "sync_standby" || role === "replica").length === 2 &&
    sql("select count(*) from pg_stat_replication where sync_state = 'sync'") === "1"
}

/** A node's Patroni, its postmaster and all its backends. */
const processesOf = ({ name }: typeof nodes[number]): ReadonlyArray<number> => {
  const all = execFileSync("ps", ["-eo", "pid,ppid,args"], { encoding: "utf8" }).split("\n").slice(
    1
  )
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line)).flatMap((found) =>
      found === null
        ? []
        : [{ pid: Number(found[1]), parent: Number(found[2]), args: found[3] ?? "" }]
    )
  const own = new Set(
    all.filter(({ args }) =>
      args.includes(`${home}/${name}.yml`) || args.includes(`${home}/${name} `) ||
      args.endsWith(`${home}/${name}`)
    )
      .map(({ pid }) => pid)
  )
  for (const { parent, pid } of all) if (own.has(parent)) own.add(pid)
  return [...own]
}
const signal = (node: typeof nodes[number], name: NodeJS.Signals) => {
  for (const pid of processesOf(node)) {
    try {
      process.kill(pid, name)
    } catch { /* gone */ }
  }
}

const replica = (port: number) =>
  begin(process.execPath, ["bin/wg.js", "serve", "--sandbox", "--port", String(port)], {
    env: {
      ...process.env,
      DATABASE_URL: `postgres://${login}@127.0.0.1:${ports.bouncer}/${database}`,
      DATABASE_POOLER: "transaction",
      WEB_GROUNDING_DATA_DIR: join(home, `replica-${port}`)
    }
  })

interface Seen {
  readonly status: number | "no answer"
  readonly at: number
  readonly ms: number
}
const seen: Array<Seen> = []
const acknowledged: Array<
  { readonly session: string; readonly request: string; readonly confidence: number }
> = []

const ask = async (port: number, body: object): Promise<{ status: Seen["status"]; json?: any }> => {
  const at = Date.now()
  const answer = await fetch(`http://127.0.0.1:${port}/v1/groundings`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000)
  }).then(
    async (answer) => ({ status: answer.status, json: await answer.json() as any }),
    () => ({ status: "no answer" as const })
  )
  seen.push({ status: answer.status, at, ms: Date.now() - at })
  return answer
}

/** Asks new questions, each again on the next replica until it is answered. */
const caller = async (number: number, isOver: () => boolean) => {
  for (let turn = 0; !isOver(); turn++) {
    const body = {
      session_id: `drill-${randomUUID()}`,
      request_id: "r",
      topic: `What does tram ride ${number}-${turn} in Halvern cost?`,
      overrides: { max_queries: 1, queries: [`Halvern tram fare ${number}-${turn}`] },
      user_asked_for_facts: true,
      deadline_ms: 10_000
    }
    for (let attempt = 0; attempt < 60; attempt++) {
      const { json, status } = await ask(
        replicaPorts[(number + turn + attempt) % replicaPorts.length] ?? 0,
        body
      )
      if (status === 200) {
        acknowledged.push({
          session: body.session_id,
          request: "r",
          confidence: json.pack.confidence
        })
        break
      }
      await sleep(250)
    }
  }
}

const fault = async (name: string, strike: () => void | Promise<void>) => {
  const at = Date.now()
  await strike()
  const firstAnswer = await until(
    "an answer",
    () => seen.some((one) => one.status === 200 && one.at > at)
  )
  await sleep(seconds * 1_000)
  const during = seen.filter((one) => one.at > at)
  const failed = during.filter(({ status }) => status !== 200)
  const lastFailure = Math.max(at, ...failed.map(({ at, ms }) => at + ms))
  console.log(
    `${name}: first answer of a later request after ${
      firstAnswer.toFixed(1)
    } s, last failure after ${
      ((lastFailure - at) / 1_000).toFixed(1)
    } s; ${during.length} requests, ${
      Object.entries(Object.groupBy(failed, ({ status }) => String(status))).map(([status, all]) =>
        `${all?.length} × ${status}`
      ).join(", ") || "none failed"
    }`
  )
}

/** What a replica answers, asked again while it cannot; nothing where it knows none. */
const read = async (path: string): Promise<any> => {
  for (let attempt = 0; attempt < 40; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${replicaPorts[attempt % 3]}${path}`)
      .catch(() => undefined)
    if (answer?.ok === true) return await answer.json()
    if (answer?.status === 404) return undefined
    await sleep(250)
  }
  return undefined
}

const main = async () => {
  const user = (name: string) =>
    Number(execFileSync("id", [name, "postgres"], { encoding: "utf8" }))
  for (const folder of [home, ...nodes.map(({ name }) => join(home, `${name}-run`))]) {
    mkdirSync(folder, { recursive: true })
    execFileSync("chown", [`${user("-u")}:${user("-g")}`, folder])
  }
  begin("etcd", [
    "--data-dir",
    join(home, "etcd"),
    "--listen-client-urls",
    `http://127.0.0.1:${ports.etcd}`,
    "--advertise-client-urls",
    `http://127.0.0.1:${ports.etcd}`,
    "--listen-peer-urls",
    `http://127.0.0.1:${ports.peers}`
  ])
  await until("etcd", async () => (await fetch(`http://127.0.0.1:${ports.etcd}/health`)).ok)
  for (const node of nodes) {
    write(`${node.name}.yml`, patroniOf(node))
    asPostgres("patroni", join(home, `${node.name}.yml`))
  }
  begin("haproxy", ["-db", "-f", write("haproxy.cfg", haproxy)])
  await until("three nodes, one of them synchronous", healthy)
  sql(`create role ${login} login superuser`)
  sql(`create database ${database} owner ${login}`)
  for (
    const setting of [
      "statement_timeout = '30s'",
      "idle_in_transaction_session_timeout = '10s'",
      "timezone = 'UTC'"
    ]
  ) {
    sql(`alter role ${login} in database ${database} set ${setting}`)
  }
  write("users.txt", `"${login}" ""\n`)
  asPostgres("pgbouncer", write("pgbouncer.ini", bouncer))
  await sleep(1_000)
  for (const port of replicaPorts) replica(port)
  for (const port of replicaPorts) {
    await until(`replica ${port}`, async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok)
  }
  let isOver = false
  const callers = Promise.all(
    Array.from({ length: callersCount }, (_, number) => caller(number, () => isOver))
  )
  await sleep(seconds * 1_000)
  console.log(
    `before: ${seen.length} requests, ${seen.filter(({ status }) => status !== 200).length} failed`
  )

  const first = await primary()
  if (first === undefined) throw new Error("no primary")
  await fault("primary killed", () => signal(first, "SIGKILL"))
  asPostgres("patroni", join(home, `${first.name}.yml`))
  await until("three nodes again", healthy, 300)

  const second = await primary()
  if (second === undefined) throw new Error("no primary")
  await fault("primary frozen", () => signal(second, "SIGSTOP"))
  signal(second, "SIGCONT")
  await until("three nodes again", healthy, 300)
  isOver = true
  await callers

  let lost = 0
  let charged = 0
  let doubted = 0
  let searched = 0
  for (const { confidence, request, session } of acknowledged) {
    const outcome = await read(`/v1/groundings/${session}/${request}`)
    if (outcome?.pack?.confidence !== confidence) lost += 1
    const { events = [] } = await read(`/v1/sessions/${session}/events?limit=100`) ?? {}
    const called = events.filter(({ type }: { type: string }) => type === "WEB_GROUNDING_CALLED")
    doubted += called.filter(({ data }: any) =>
      data.detail === "in_doubt" || data.detail === "interrupted"
    ).length
    const paid = called.filter(({ data }: any) => data.status === "success").map(({ data }: any) =>
      data.query_index
    )
    if (new Set(paid).size !== paid.length) charged += 1
    searched += paid.length
  }
  const verified = await (await fetch(`http://127.0.0.1:${replicaPorts[0]}/v1/log/verification`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "{}"
  })).text()
  console.log(
    `acknowledged ${acknowledged.length}, lost ${lost}; searches paid ${searched}, sessions that paid one twice ${charged}, calls left in doubt ${doubted}`
  )
  console.log(`log: ${verified.slice(0, 200)}`)
}

try {
  await main()
} catch (failure) {
  console.error(readFileSync(join(home, "log.txt"), "utf8").slice(-6_000))
  throw failure
} finally {
  for (const node of nodes) signal(node, "SIGKILL")
  for (const { pid = 0 } of started) {
    try {
      process.kill(-pid, "SIGKILL")
    } catch { /* gone */ }
  }
  await sleep(500)
  rmSync(home, { recursive: true, force: true })
}
