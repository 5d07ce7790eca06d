/**
 * Which version of the contract is spoken, said by either side over every face.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { GroundingClient, layer } from "../../packages/client/src/effect.ts"
import * as McpFace from "../../src/adapters/mcp/McpFace.ts"
import { contractVersion, versionHeader } from "../../src/contract/PublicFailure.ts"
import { scripted } from "../support/grounding.ts"
import { requestFor, send, unpublished } from "../support/httpCalls.ts"
import { failureIn, frame, post, serving, url } from "../support/service.ts"

const session = { session_id: "s" }
const speaking = (version: string) => ({ [versionHeader]: version })
const beside = [McpFace.http({ origins: [] })]

describe("the version of the contract", () => {
  it.layer(serving(scripted("hangs"), { beside }), {
    timeout: "60 seconds",
    excludeTestServices: true
  })((it) => {
    it.effect("is in every answer, whatever it is", () =>
      Effect.gen(function*() {
        const service = yield* url
        const asked = [
          requestFor("GetSession", session),
          requestFor("GetEvidenceStatus", {}),
          { method: "GET", path: "/health" },
          { method: "GET", path: "/v1/nothing" },
          { method: "DELETE", path: "/v1/health" },
          { method: "POST", path: "/search", body: "{}" },
          { method: "POST", path: "/mcp", body: "{}" },
          { method: "POST", path: "/rpc", body: frame("1", "GetSession", session) }
        ]
        for (const sent of asked) {
          const { headers } = yield* send(service, sent)
          assert.strictEqual(headers.get(versionHeader), contractVersion, sent.path)
        }
      }))

    it.effect("is refused where it cannot be understood, and taken where it can", () =>
      Effect.gen(function*() {
        const service = yield* url
        for (const version of ["2.0", "0.9", "1", "1.x", "x".repeat(500), "1.0, 2.0"]) {
          const sent = { ...requestFor("GetSession", session), headers: speaking(version) }
          const answer = yield* send(service, sent)
          assert.deepStrictEqual(unpublished(sent, answer), [])
          const problem = JSON.parse(answer.text)
          assert.strictEqual(problem.type, "urn:web-grounding:problem:version-mismatch", version)
          assert.deepStrictEqual([problem.service, problem.caller], [
            contractVersion,
            version.slice(0, 20)
          ])
          const { text } = yield* post(
            service,
            frame("1", "GetSession", session),
            speaking(version)
          )
          assert.deepInclude(failureIn(text, "1"), { _tag: "VersionMismatch", service: "1.0" })
        }
        for (const version of ["1.0", "1.7", " 1.0 "]) {
          const sent = { ...requestFor("GetSession", session), headers: speaking(version) }
          assert.strictEqual((yield* send(service, sent)).status, 404, version)
          const { text } = yield* post(
            service,
            frame("1", "GetSession", session),
            speaking(version)
          )
          assert.deepInclude(failureIn(text, "1"), { _tag: "SessionNotFound" })
        }
      }))

    it.effect("that a client of a later release sends comes back as a failure with a name", () =>
      Effect.gen(function*() {
        const serviceUrl = yield* url
        const asked = (version?: string) =>
          Effect.flatMap(GroundingClient, (client) => client.pack({ ...session, request_id: "r" }))
            .pipe(
              Effect.provide(
                layer({
                  url: serviceUrl,
                  ...(version === undefined ? {} : { headers: speaking(version) })
                })
              ),
              Effect.flip
            )
        assert.strictEqual((yield* asked())._tag, "PackNotFound")
        const failure = yield* asked("2.0")
        assert.strictEqual(failure._tag, "VersionMismatch")
        assert.match(failure.message, /speaks version 1\.0 .*the caller 2\.0/)
      }))
  })
})
