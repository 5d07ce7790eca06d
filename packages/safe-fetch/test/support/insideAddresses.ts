/** Addresses of an inside network, and spellings that a list of texts would miss. */
import { isIP } from "node:net"

/** One or two of each special-purpose range, and what clouds answer on. */
export const insideAddresses: ReadonlyArray<string> = (`0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.254
100.64.0.1 100.100.100.200 127.0.0.1 127.88.23.245 127.255.255.254 168.63.129.16 169.254.0.1
169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.254 192.0.0.1 192.0.0.192 192.0.2.1 192.31.196.1
192.52.193.1 192.88.99.1 192.168.0.1 192.168.255.254 192.175.48.1 198.18.0.1 198.19.255.254
198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 :: ::1 ::127.0.0.1
::a9fe:a9fe ::ffff:127.0.0.1 ::ffff:a9fe:a9fe ::ffff:0:7f00:1 64:ff9b::7f00:1 64:ff9b:1::a9fe:a9fe
100::1 100:0:0:1::1 2001::1 2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1
2001:db8::1 2002:7f00:1::1 2620:4f:8000::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1
ff02::1`).split(/\s+/)

const targets = [
  "127.0.0.1",
  "10.0.0.1",
  "169.254.169.254",
  "172.16.5.4",
  "192.168.1.1",
  "100.100.100.200",
  "0.0.0.0"
]

const hex = (value: number, digits = 0) => value.toString(16).padStart(digits, "0")

const digitsFrom = (zero: number) => (text: string) =>
  text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

const formsOf = (target: string): ReadonlyArray<string> => {
  const parts = target.split(".").map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const groups = `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
  return [
    target,
    String(whole),
    `0x${hex(whole, 8)}`,
    `0${whole.toString(8)}`,
    parts.map((part) => `0x${hex(part)}`).join("."),
    parts.map((part) => `0${part.toString(8)}`).join("."),
    parts.map((part) => `0000${part.toString(8)}`).join("."),
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `0x${hex(a)}.${b}.0${c.toString(8)}.${d}`,
    target.replace(/\d/g, (digit) => `%3${digit}`),
    target.replaceAll(".", "%2e"),
    digitsFrom(0xff10)(target),
    digitsFrom(0x1d7d8)(target),
    target.replaceAll(".", "\u3002"),
    target.replaceAll(".", "\uff0e"),
    `${target}.`,
    `[::ffff:${target}]`,
    `[::ffff:${groups}]`,
    `[::${target}]`,
    `[64:ff9b::${groups}]`,
    `[2002:${groups}::1]`,
    `[::ffff:0:${groups}]`,
    `www.wikipedia.org@${target}`,
    `www.wikipedia.org%2f@${target}`
  ]
}

/** As between `http://` and the path. */
export const insideForms: ReadonlyArray<string> = targets.flatMap(formsOf)

export const atHost = (host: string) => `http://${host}/latest/meta-data/?x=1`
const inUrl = (address: string) => isIP(address) === 6 ? `[${address}]` : address
export const insideUrls = [
  ...insideAddresses.map((address) => atHost(inUrl(address))),
  ...insideForms.map(atHost)
]

export const notPages = [
  "file",
  "data",
  "blob",
  "ftp",
  "gopher",
  "dict",
  "ldap",
  "jar",
  "about",
  "ws"
]
  .map((scheme) => `${scheme}://www.wikipedia.org/`)
export const insideNames = [
  "localhost",
  "localhost.",
  "metadata",
  "metadata.google.internal",
  "db.local",
  "intranet.corp",
  "1.0.0.127.in-addr.arpa",
  "nas.home.arpa",
  "facebookcorewwwi.onion",
  "com",
  "ip6-localhost",
  "kubernetes.default.svc.cluster.local"
]
export const insidePorts = Array.from({ length: 50 }, (_, step) => 1 + step * 20)
  .filter((port) => port !== 80 && port !== 443)
  .map((port) => `http://www.wikipedia.org:${port}/`)

/** Where a redirect must not lead. */
export const inward = [
  ...insideUrls.filter((_, place) => place % 5 === 0),
  "//169.254.169.254/",
  "http://localhost/",
  "file:///etc/passwd",
  "gopher://www.wikipedia.org/",
  "http://user:word@www.wikipedia.org/",
  "http://www.wikipedia.org:6379/",
  "http://inside.wikipedia.org/",
  "http://[::1"
]
