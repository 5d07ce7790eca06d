/** Another wording is another version, by which recorded answers are distinguished. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import * as ChatClaimJudge from "../../src/adapters/openai/ChatClaimJudge.ts"
import * as ChatNeedGate from "../../src/adapters/openai/ChatNeedGate.ts"
import * as ChatPackWriter from "../../src/adapters/openai/ChatPackWriter.ts"
import * as ChatResearcher from "../../src/adapters/openai/ChatResearcher.ts"
import { SearchStatus, sentencesOf } from "../../src/domain/search/SearchStatus.ts"
import * as OutcomeReason from "../../src/domain/session/OutcomeReason.ts"
import { rulesVersion } from "../../src/domain/session/RulesVersion.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"

const digestChars = 16

/** The first 16 hex digits of each wording's SHA-256. */
const digests: Readonly<Record<string, string>> = {
  "gate-v6": "ed78e5d3f0a50e15",
  "writer-v5": "58a369b6de7022c3",
  "judge-v5": "be9a4561d5d62db7",
  "translator-v1": "c27968e86864c5dc",
  "researcher-v1": "3a1ea4a75b0bab69",
  "outliner-v1": "b473e91be014deb0"
}

/** Every text for a caller's model on what happened, in each language. */
const contextTexts = (["en", "ko"] as const).flatMap((language) => [
  ...SearchStatus.literals.flatMap((status) =>
    status === "success" ? [] : [`${status} ${language}: ${sentencesOf(status)[language]}`]
  ),
  ...Object.entries(OutcomeReason.table).map(([code, row]) =>
    `${code} ${language}: ${row[language]}`
  )
])

describe("what a model reads", () => {
  it.each([
    ["gate-v6", ChatNeedGate],
    ["writer-v5", ChatPackWriter],
    ["judge-v5", ChatClaimJudge],
    [
      "translator-v1",
      { version: ChatClaimJudge.translatorVersion, text: ChatClaimJudge.translatorText }
    ],
    ["researcher-v1", ChatResearcher],
    [
      "outliner-v1",
      { version: ChatResearcher.outlinerVersion, text: ChatResearcher.outlinerText }
    ]
  ])("has the wording of its version: %s", (version, prompt) => {
    assert.strictEqual(prompt.version, version)
    assert.strictEqual(sha256(prompt.text).slice(0, digestChars), digests[version])
  })

  it("of what happened has the wording of its version", () => {
    assert.lengthOf(contextTexts, 56)
    assert.deepStrictEqual(
      [OutcomeReason.textsVersion, sha256(contextTexts.join("\n")).slice(0, digestChars)],
      [6, "d57e346f099e2697"]
    )
  })

  it("of the rules says of every version what changed with it", () => {
    const source = readFileSync("src/domain/session/RulesVersion.ts", "utf8").replace(
      /\s+\* /g,
      " "
    )
    const told = Array.from(source.matchAll(/- (\d+): (?=\S)/g), ([, version]) => Number(version))
    assert.deepStrictEqual(told, Array.from({ length: rulesVersion }, (_, place) => place + 1))
  })
})
