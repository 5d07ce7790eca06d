import { assert, describe, it } from "@effect/vitest"
import * as RegistrableDomain from "../../src/infrastructure/RegistrableDomain.ts"

describe("RegistrableDomain.registrableDomain", () => {
  it.each([
    ["www.bbc.co.uk", "bbc.co.uk"],
    ["a.b.example.com", "example.com"],
    ["www.mhlw.go.jp", "mhlw.go.jp"],
    ["one.github.io", "one.github.io"],
    ["two.github.io", "two.github.io"],
    ["www.housing.gov.example", "housing.gov.example"],
    ["clinic.northbay.ac.example", "northbay.ac.example"],
    ["blog.movers.example", "movers.example"],
    ["gov.example", "gov.example"],
    ["127.0.0.1", "127.0.0.1"],
    ["[::1]", "[::1]"],
    ["localhost", "localhost"],
    ["co.uk", "co.uk"]
  ])(
    "%s belongs to %s",
    (host, domain) => assert.strictEqual(RegistrableDomain.registrableDomain(host), domain)
  )
})
