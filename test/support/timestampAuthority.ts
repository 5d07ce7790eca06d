/** A time-stamp authority on loopback: OpenSSL answers, where there is one. */
import { execFileSync, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"

const openssl = (folder: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("openssl", args, { cwd: folder, encoding: "utf8", stdio: "pipe", timeout: 30_000 })

export const hasOpenssl = spawnSync("openssl", ["ts", "-help"], { timeout: 10_000 }).status === 0

const configuration = `
[req]
distinguished_name = name
[name]
[authority]
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = own
[own]
serial = serial
crypto_device = builtin
signer_digest = sha256
default_policy = 1.2.3.4
digests = sha256
`

/** A key, a certificate `tsa.pem`, and what OpenSSL needs to answer by them. */
export const prepare = (folder: string): void => {
  writeFileSync(join(folder, "tsa.cnf"), configuration)
  writeFileSync(join(folder, "serial"), "01\n")
  const subject = ["-subj", "/CN=Test authority", "-days", "2", "-nodes"]
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-keyout", "tsa.key"]
  const extensions = ["-config", "tsa.cnf", "-extensions", "authority"]
  openssl(folder, "req", "-x509", ...key, "-out", "tsa.pem", ...subject, ...extensions)
}

export const answerTo = (folder: string, query: Uint8Array): Uint8Array => {
  writeFileSync(join(folder, "query.tsq"), query)
  const by = ["-config", "tsa.cnf", "-inkey", "tsa.key", "-signer", "tsa.pem"]
  openssl(folder, "ts", "-reply", "-queryfile", "query.tsq", ...by, "-out", "reply.tsr")
  return readFileSync(join(folder, "reply.tsr"))
}

/** Fails unless the authority stamped exactly these bytes. */
export const verified = (folder: string, stamped: string, stamp: string): string =>
  openssl(folder, "ts", "-verify", "-data", stamped, "-in", stamp, "-CAfile", "tsa.pem")

/** `answer` is given what was asked. */
export const serve = async (
  answer: (query: Uint8Array, contentType: string, response: ServerResponse) => void
) => {
  const server = createServer((request, response) => {
    const chunks: Array<Uint8Array> = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on(
      "end",
      () => answer(Buffer.concat(chunks), request.headers["content-type"] ?? "", response)
    )
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}/tsr`,
    end: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
