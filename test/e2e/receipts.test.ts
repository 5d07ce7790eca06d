/** Receipts of an answer: two verifiers that share no code with us accept them and nothing else. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { readFileSync, rmSync } from "node:fs"
import * as Ed25519 from "../../src/infrastructure/signing/Ed25519.ts"
import { newKey } from "../support/anchoredLog.ts"
import * as CommandLine from "../support/commandLine.ts"
import { preparedDirectory } from "../support/preparedDirectory.ts"
import { byPage, byPython, hasPython, provenByPython } from "../support/receiptVerifiers.ts"

const isFull = process.env["WG_TEST_FULL"] === "1"
const mutatedCount = isFull ? 10_000 : 200
const goodCount = isFull ? 10_000 : 40

/** Small and seeded: a failure comes again. */
const diceOf = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

const alphabet = "0123456789abcdefABCDEF"

/** The text with the character at a place made another one. */
const changedAt = (text: string, place: number, roll: (below: number) => number) => {
  const other = alphabet[roll(alphabet.length)] ?? "0"
  const put = other === text[place] ? (other === "0" ? "1" : "0") : other
  return `${text.slice(0, place)}${put}${text.slice(place + 1)}`
}

type Path = ReadonlyArray<string | number>

const leavesOf = (value: unknown, path: Path = []): ReadonlyArray<Path> => {
  if (Array.isArray(value)) return value.flatMap((item, at) => leavesOf(item, [...path, at]))
  if (typeof value !== "object" || value === null) return [path]
  return Object.entries(value).flatMap(([key, item]) => leavesOf(item, [...path, key]))
}

const changedIn = (
  value: unknown,
  [key, ...rest]: Path,
  change: (leaf: unknown) => unknown
): unknown => {
  if (key === undefined) return change(value)
  const copy: Record<string, unknown> = Object.assign(Array.isArray(value) ? [] : {}, value)
  copy[key] = changedIn(copy[key], rest, change)
  return copy
}

const key = newKey()
const signer = Option.getOrThrow(Ed25519.privateKey(key))
const inTotoType = "application/vnd.in-toto+json"

const signedAgain = (statement: unknown): string => {
  const text = JSON.stringify(statement)
  return JSON.stringify({
    payloadType: inTotoType,
    payload: Buffer.from(text).toString("base64"),
    signatures: [{ keyid: signer.keyId, sig: signer.sign(inTotoType, text) }]
  })
}

const statementIn = (receipt: string) =>
  JSON.parse(Buffer.from(JSON.parse(receipt).payload, "base64").toString())

/** Any character of the file, or any part of the statement under a signature that is right. */
const mutations = (receipt: string, count: number): ReadonlyArray<string> => {
  const roll = diceOf(20_260_731)
  const statement = statementIn(receipt)
  const leaves = leavesOf(statement)
  return Array.from({ length: count }, (_, index) => {
    if (index % 2 === 0) return changedAt(receipt, roll(receipt.length), roll)
    const path = leaves[roll(leaves.length)] ?? []
    return signedAgain(changedIn(statement, path, (leaf) =>
      typeof leaf === "string" && leaf !== ""
        ? changedAt(leaf, roll(leaf.length), roll)
        : typeof leaf === "number"
        ? leaf + 1 + roll(9)
        : "x"))
  })
}

describe("receipts", () => {
  const folder = preparedDirectory("wg-receipts-")
  const env = { WEB_GROUNDING_DATA_DIR: folder, ANCHOR_KEY: key }
  const run = (...args: ReadonlyArray<string>) => CommandLine.run(args, env)
  let requestId = ""
  let whole = ""
  let single = ""

  beforeAll(async () => {
    const question = "What does a tram ride in Halvern cost?"
    const { out } = await run("ground", question, "--sandbox", "--session", "s", "--json")
    requestId = JSON.parse(out).request_id
    const early = await run("receipt", "s", requestId)
    assert.include(early.err, "No anchor covers the answer yet")
    // Events on both sides of the answer are in the anchor's tree.
    await run("ground", question, "--sandbox", "--session", "later")
    await run("anchors", "make")
    whole = (await run("receipt", "s", requestId)).out.trim()
    single = (await run("receipt", "s", requestId, "--claim", "1")).out.trim()
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("hold each claim with its quotes, and where its sources came from", () => {
    const { predicate } = statementIn(whole)
    assert.isAtLeast(predicate.claims.length, 1)
    const { claim, origins } = JSON.parse(predicate.claims[0].entry)
    assert.isAtLeast(claim.sources[0].quotes.length, 1)
    assert.isNotEmpty(origins[0].found_by[0].query)
    const shown = statementIn(single).predicate
    assert.deepStrictEqual(shown.claims, [predicate.claims[0]])
    assert.notProperty(shown, "payload")
    assert.strictEqual(shown.claims_count, predicate.claims_count)
  })

  it("say what is missing where there is none", async () => {
    assert.include((await run("receipt", "s", "unknown")).err, "No pack of request unknown")
    assert.include((await run("receipt", "s", requestId, "--claim", "99")).err, "no claim")
    const { out } = await run("ground", "Who runs Halvern's trams?", "--sandbox", "--json")
    const { request_id, session_id } = JSON.parse(out)
    assert.include((await run("receipt", session_id, request_id)).err, "No anchor covers")
    const { err } = await CommandLine.run(["receipt", "s", requestId], { ...env, ANCHOR_KEY: "" })
    assert.include(err, "set ANCHOR_KEY")
  })

  const good = () => Array.from({ length: goodCount }, (_, at) => at % 2 === 0 ? whole : single)

  it("are verified by the page's script, and every mutation is refused", async () => {
    const accepted = await byPage(good(), signer.publicPem)
    assert.deepStrictEqual(accepted, accepted.map(() => "ok"))
    assert.lengthOf(accepted, goodCount)
    const mutated = mutations(whole, mutatedCount)
    const told = await byPage(mutated, signer.publicPem)
    assert.lengthOf(told, mutatedCount)
    assert.deepStrictEqual(mutated.filter((_, at) => told[at] === "ok"), [])
    const stranger = Option.getOrThrow(Ed25519.privateKey(newKey())).publicPem
    assert.match((await byPage([whole], stranger))[0] ?? "", /another key/)
  }, 2_700_000)

  it.skipIf(!hasPython)(
    "are verified by Python, skipped without Python 3.9, and every mutation is refused",
    () => {
      const mutated = mutations(whole, mutatedCount)
      const told = byPython(folder, [...good(), ...mutated], signer.publicPem)
      assert.lengthOf(told, goodCount + mutatedCount)
      assert.deepStrictEqual(told.slice(0, goodCount).filter((line) => line !== "ok"), [])
      assert.deepStrictEqual(
        mutated.filter((_, at) => !told[goodCount + at]?.startsWith("refused: ")),
        []
      )
      const stranger = Option.getOrThrow(Ed25519.privateKey(newKey())).publicPem
      assert.match(byPython(folder, [whole], stranger)[0] ?? "", /another key/)
      const one = provenByPython(folder, single, signer.publicPem, "verify")
      assert.include(one.told, `session s, request ${requestId}\n  claims: 1 of `)
    },
    2_700_000
  )

  it.skipIf(!hasPython)(
    "rest on anchors of which Python verifies that each continues the one before",
    async () => {
      const sizes = async () =>
        JSON.parse((await run("anchors", "list", "--json")).out)
          .map(({ tree_size }: { readonly tree_size: number }) => tree_size)
      for (const session of ["x", "y"]) {
        await run("ground", "Who runs Halvern's trams?", "--sandbox", "--session", session)
        await run("anchors", "make")
      }
      const [first, second, third] = await sizes()
      const pem = signer.publicPem
      const proofs: Array<string> = []
      for (const [from, to] of [[first, second], [first, third], [second, third]]) {
        proofs.push((await run("anchors", "prove", String(from), String(to))).out)
        const { status, told } = provenByPython(folder, proofs.at(-1) ?? "", pem)
        assert.strictEqual(status, 0, told)
        assert.include(told, `${from} events at`)
      }
      const whole = JSON.parse(proofs[1] ?? "")
      const changed = (change: (proof: typeof whole) => void) => {
        const copy = structuredClone(whole)
        change(copy)
        return JSON.stringify(copy)
      }
      const wrong = [
        changed((proof) => proof.proof.pop()),
        changed((proof) => proof.proof.reverse()),
        changed((proof) => proof.before = JSON.parse(proofs[2] ?? "").before),
        changed((proof) => proof.after = JSON.parse(proofs[0] ?? "").after),
        changed((proof) => [proof.before, proof.after] = [proof.after, proof.before]),
        changed((proof) => proof.after.signatures[0].sig = proof.before.signatures[0].sig),
        changed((proof) => proof.proof[0] = proof.proof[0].replace(/^./, "g")),
        "{}"
      ]
      for (const proof of wrong) {
        const { status, told } = provenByPython(folder, proof, pem)
        assert.strictEqual(status, 1, proof)
        assert.match(told, /^refused: /)
      }
      const stranger = Option.getOrThrow(Ed25519.privateKey(newKey())).publicPem
      assert.include(provenByPython(folder, proofs[0] ?? "", stranger).told, "another key")
      assert.include((await run("anchors", "prove", "1")).err, "No anchor covers 1 events")
    },
    120_000
  )

  it("are verified by programs below 200 lines that load nothing", () => {
    for (
      const file of ["verifiers/verify.py", "verifiers/consistency.py", "verifiers/verify.html"]
    ) {
      const source = readFileSync(file, "utf8")
      assert.isBelow(source.split("\n").length, 200)
      assert.notMatch(source, /innerHTML|<script src|<link|fetch\(|urllib|import requests/)
    }
  })
})
