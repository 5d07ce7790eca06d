/** Preloaded into a peer whose API host is fixed: calls to that host go to the sandbox instead. */
const http = require("node:http")
const https = require("node:https")

const sandbox = new URL(process.env.SANDBOX_URL)
const apiHost = /(^|\.)tavily\.com$/

const httpsRequest = https.request
https.request = function(first, second, third) {
  const isAddress = typeof first === "string" || first instanceof URL
  const address = isAddress ? new URL(first) : undefined
  const options = address === undefined
    ? first
    : { ...second, hostname: address.hostname, path: address.pathname + address.search }
  if (!apiHost.test(options.hostname ?? options.host ?? "")) {
    return httpsRequest.apply(this, arguments)
  }
  const { agent: _, agents: __, ...rest } = options
  const there = { protocol: "http:", hostname: sandbox.hostname, host: sandbox.hostname }
  const answer = typeof second === "function" ? second : third
  return http.request({ ...rest, ...there, port: sandbox.port, agent: undefined }, answer)
}
https.get = (first, second, third) => {
  const request = https.request(first, second, third)
  request.end()
  return request
}

const fetchAnywhere = globalThis.fetch
globalThis.fetch = (input, init) => {
  const address = new URL(typeof input === "string" ? input : input.url ?? input)
  if (!apiHost.test(address.hostname)) return fetchAnywhere(input, init)
  address.protocol = "http:"
  address.host = sandbox.host
  return fetchAnywhere(address, init)
}
