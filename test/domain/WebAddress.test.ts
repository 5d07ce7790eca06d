import { assert, describe, it } from "@effect/vitest"
import { Option, Schema } from "effect"
import * as WebAddress from "../../src/domain/search/WebAddress.ts"

const hrefOf = (address: string) =>
  Option.getOrUndefined(Option.map(WebAddress.canonical(address), ({ href }) => href))

describe("WebAddress.canonical", () => {
  it.each([
    ["https://a.example/", "https://a.example/"],
    ["https://a.example", "https://a.example/"],
    ["HTTPS://WWW.A.Example/Path", "https://www.a.example/Path"],
    ["https://a.example./x", "https://a.example/x"],
    ["https://a.example../x", "https://a.example/x"],
    ["https://a.example:443/x", "https://a.example/x"],
    ["http://a.example:80/x", "http://a.example/x"],
    ["https://a.example:8443/x", "https://a.example:8443/x"],
    ["http://a.example:443/x", "http://a.example:443/x"],
    ["https://a.example/x#top", "https://a.example/x"],
    ["https://a.example/x?#top", "https://a.example/x"],
    ["https://a.example/?utm_source=x&id=7&UTM_Medium=y", "https://a.example/?id=7"],
    ["https://a.example/?fbclid=1&gclid=2&msclkid=3&mc_eid=4&igshid=5", "https://a.example/"],
    ["https://a.example/?b=2&a=1&&c", "https://a.example/?b=2&a=1&c"],
    ["https://a.example/?q=a%20b+c&utm", "https://a.example/?q=a%20b+c&utm"],
    ["https://a.example/?n=b?utm_source=x", "https://a.example/?n=b?utm_source=x"],
    ["https://a.example/utm_source=x", "https://a.example/utm_source=x"],
    ["https://정부.example/길", "https://xn--or3bn7q.example/%EA%B8%B8"],
    ["  https://a.example/x ", "https://a.example/x"],
    ["http://[::1]:8080/x", "http://[::1]:8080/x"]
  ])("%s is %s", (address, href) => assert.strictEqual(hrefOf(address), href))

  it.each([
    "",
    "a.example/x",
    "//a.example/x",
    "ftp://a.example/",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "https://",
    "https://./",
    "https://u@a.example/",
    "https://u:p@a.example/",
    "https://bank.example@evil.example/",
    "https://:p@a.example/",
    "mailto:a@b.example",
    "https://a b.example/",
    `https://a.example/${"x".repeat(2_048)}`,
    "blob:https://a.example/1"
  ])("'%s' is no web address", (address) => assert.isUndefined(hrefOf(address)))

  it.prop("law: a canonical address is its own canonical form", [Schema.String], ([tail]) => {
    const once = hrefOf(`https://A.Example.:443/${tail}`)
    if (once !== undefined) assert.strictEqual(hrefOf(once), once)
  })

  it.prop("law: any text gives an address without user, fragment and tracking, or none", [
    Schema.String
  ], ([text]) => {
    const href = hrefOf(text)
    if (href === undefined) return
    const url = new URL(href)
    assert.strictEqual(url.href, href)
    assert.strictEqual(`${url.username}${url.password}${url.hash}`, "")
  })

  it.prop("law: host and path stay what the URL standard reads", [Schema.String], ([tail]) => {
    const address = `https://Host.Example/${tail}?utm_source=x#y`
    const href = hrefOf(address)
    if (href === undefined) return
    assert.strictEqual(new URL(href).host, new URL(address).host)
    assert.strictEqual(new URL(href).pathname, new URL(address).pathname)
  })
})
