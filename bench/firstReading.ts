/**
 * Gate, redaction and claims on texts by authors who had not seen the rules.
 *
 * Reads `bench/fresh`. A set is fresh once: after its failures were looked at, it is a development
 * set. Prints one line a figure.
 */
import { Schema } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { holds, plain } from "../packages/language/bench/heldWords.ts"
import * as QueryPrivacy from "../packages/language/src/privacy/QueryPrivacy.ts"
import * as NeedRules from "../src/domain/need/NeedRules.ts"
import type { JudgedClaim } from "../src/domain/pack/Judgement.ts"
import { assemble, type AssembledClaim, writtenHere } from "./adapters/claimQuality.ts"
import { decideNeedSearch } from "./adapters/quality.ts"
import { keyPoints } from "./adapters/textQuality.ts"
import { bareRequest } from "./bareRequest.ts"

const rowsOf = <A, I>(name: string, schema: Schema.Codec<A, I>): ReadonlyArray<A> => {
  const decode = Schema.decodeUnknownSync(Schema.fromJsonString(schema))
  return readFileSync(join(import.meta.dirname, "fresh", `${name}.jsonl`), "utf8")
    .split("\n").filter((line) => line !== "").map((line) => decode(line))
}

const { Boolean: Flag, String: Text } = Schema
const Prompt = Schema.Struct({ text: Text, needs_web: Flag })
const Scene = Schema.Struct({ topic: Text, needs_web: Flag })
const Personal = Schema.Struct({ text: Text, secrets: Schema.Array(Text) })
const Harmless = Schema.Struct({ text: Text, needed: Schema.Array(Text) })
const ClaimPair = Schema.Struct({
  question: Text,
  source: Text,
  quote: Text,
  claim: Text,
  label: Schema.Literals(["true", "contradicted", "beyond"])
})
const Framed = Schema.Struct({
  question: Text,
  source: Text,
  tempting: Text,
  inverted_if_alone: Flag
})
const Sources = Schema.Struct({
  question: Text,
  sources: Schema.Array(Schema.Struct({ id: Text, text: Text })),
  relation: Schema.Literals(["conflict", "agreement", "different_thing"])
})
const Decoy = Schema.Struct({ question: Text, source: Text, decoy: Text, answer: Text })

const told = (name: string, count: number, of: number) =>
  console.log(`${name.padEnd(56)} ${(count / Math.max(1, of)).toFixed(3)} (${count}/${of})`)

const tellGate = <A extends { readonly needs_web: boolean }>(
  name: string,
  rows: ReadonlyArray<A>,
  isSearched: (row: A) => boolean
) => {
  const [needed, needless] = [true, false].map((needs) =>
    rows.filter(({ needs_web }) => needs_web === needs)
  )
  told(
    `${name}: searched where it is needed`,
    needed?.filter(isSearched).length ?? 0,
    needed?.length ?? 0
  )
  told(
    `${name}: left where it is not`,
    needless?.filter((row) => !isSearched(row)).length ?? 0,
    needless?.length ?? 0
  )
}

const isStanding = ({ section }: AssembledClaim): boolean => section !== "disputed"

const isPromptSearched = ({ text }: typeof Prompt.Type) => decideNeedSearch(text).need
const isSceneSearched = ({ topic }: typeof Scene.Type) =>
  NeedRules.decide({
    ...bareRequest(topic, { user_asked_for_facts: false }),
    phase: "session_setup"
  }).search.need_search

tellGate("prompts, third set", rowsOf("gateThird", Prompt), isPromptSearched)
tellGate("scenes, third set", rowsOf("setupThird", Scene), isSceneSearched)

const tellPersonal = (name: string, rows: ReadonlyArray<typeof Personal.Type>) =>
  told(
    `${name}: leaving requests`,
    rows.filter(({ secrets, text }) =>
      secrets.some((secret) => holds(QueryPrivacy.strip(text), secret))
    ).length,
    rows.length
  )
const tellHarmless = (name: string, rows: ReadonlyArray<typeof Harmless.Type>) =>
  told(
    `${name}: losing a word that is needed`,
    rows.filter(({ needed, text }) => needed.some((word) => !holds(QueryPrivacy.strip(text), word)))
      .length,
    rows.length
  )
for (const set of ["Tenth", "Eleventh"]) {
  tellPersonal(`personal data, ${set.toLowerCase()} set`, rowsOf(`personal${set}`, Personal))
  tellHarmless(`harmless, ${set.toLowerCase()} set`, rowsOf(`harmless${set}`, Harmless))
}

const pairs = rowsOf("claims", ClaimPair)
type Says = (label: string) => JudgedClaim["judgement"]

const judges: ReadonlyArray<readonly [string, Says | undefined]> = [
  ["no judge", undefined],
  ["an honest judge", (label) => label === "true" ? "supported" : "contradicted"],
  ["a judge that agrees always", () => "supported"]
]
for (const [judge, says] of judges) {
  const seen = await Promise.all(pairs.map(async ({ claim, label, question, quote, source }) => {
    const claims = await assemble({
      question,
      sources: [{ id: "s1", text: source }],
      claims: [{ text: claim, quote, source_id: "s1" }],
      ...(says === undefined
        ? {}
        : { judge: (asked) => Promise.resolve(asked.map(() => says(label))) })
    })
    const standing = claims.filter(isStanding)
    return {
      label,
      stands: standing.length > 0,
      isOwn: standing.some(({ text }) => plain(text) === plain(claim))
    }
  }))
  const lies = seen.filter(({ label }) => label !== "true")
  const truths = seen.filter(({ label }) => label === "true")
  told(`${judge}: lies in their own words`, lies.filter(({ isOwn }) => isOwn).length, lies.length)
  told(
    `${judge}: truths that give a claim`,
    truths.filter(({ stands }) => stands).length,
    truths.length
  )
}

const tellFramed = async (set: string, rows: ReadonlyArray<typeof Framed.Type>) => {
  const passages = await Promise.all(rows.map(async ({ question, source, tempting, ...row }) => {
    const claims = await assemble({
      question,
      sources: [{ id: "s1", text: source }],
      claims: [{ text: tempting, quote: tempting, source_id: "s1" }]
    })
    const standing = claims.filter(isStanding)
    return {
      ...row,
      stands: standing.length > 0,
      isAlone: standing.some(({ text }) => plain(text) === plain(tempting))
    }
  }))
  const inverted = passages.filter(({ inverted_if_alone }) => inverted_if_alone)
  told(
    `lists, tables, answers${set}: turned round, quoted alone`,
    inverted.filter(({ isAlone }) => isAlone).length,
    inverted.length
  )
  told(
    `lists, tables, answers${set}: quoted at all`,
    passages.filter(({ stands }) => stands).length,
    passages.length
  )
}
await tellFramed("", rowsOf("framed", Framed))
await tellFramed(", second set", rowsOf("framedSecond", Framed))

const disputesOf = (name: string) =>
  Promise.all(
    rowsOf(name, Sources).map(async ({ question, relation, sources }) => {
      const claims = sources.flatMap(({ id, text }) =>
        keyPoints(question, [{ text, url: id }], 1).map((quote) => ({
          text: quote,
          quote,
          source_id: id
        }))
      )
      const pack = await assemble({ question, sources, claims })
      return { relation, isDisputed: pack.some((claim) => !isStanding(claim)) }
    })
  )
const tellDisputes = async (set: string, name: string) => {
  const disputes = await disputesOf(name)
  for (const relation of ["conflict", "agreement", "different_thing"] as const) {
    const those = disputes.filter((one) => one.relation === relation)
    told(
      `${relation}${set}: called a dispute`,
      those.filter(({ isDisputed }) => isDisputed).length,
      those.length
    )
  }
}
await tellDisputes("", "conflicts")
await tellDisputes(", second set", "conflictsSecond")

type Decoy = typeof Decoy.Type

/** Claims of a model's writer: a decoy next to the answer. */
const claimed = async ({ answer, decoy, question, source }: Decoy, isJudged: boolean) => {
  const claims = await assemble({
    question,
    sources: [{ id: "s1", text: source }],
    claims: [decoy, answer].map((quote) => ({ text: quote, quote, source_id: "s1" })),
    ...(isJudged
      ? {
        judge: (asked) => Promise.resolve(asked.map(() => "supported" as const)),
        answering: (asked) => asked.map(({ claim }) => claim === decoy ? "beside" : "answers")
      }
      : {})
  })
  return claims.filter(({ section }) => section === "key_points")
}
const tellDecoys = async (set: string, rows: ReadonlyArray<Decoy>) => {
  const writers = [
    ["no judge", (row: Decoy) => claimed(row, false)],
    ["an honest judge", (row: Decoy) => claimed(row, true)],
    ["local writer", ({ question, source }: Decoy) => writtenHere(question, source)]
  ] as const
  for (const [name, write] of writers) {
    const packs = await Promise.all(rows.map(async (row) => ({ row, claims: await write(row) })))
    const holding = (field: "answer" | "decoy") =>
      packs.filter(({ claims, row }) =>
        claims.some(({ text }) => plain(text).includes(plain(row[field])))
      ).length
    told(`decoys${set} among key points, ${name}`, holding("decoy"), rows.length)
    told(`their answers${set} among key points, ${name}`, holding("answer"), rows.length)
  }
}
await tellDecoys("", rowsOf("decoys", Decoy))
await tellDecoys(", second set,", rowsOf("decoysSecond", Decoy))
