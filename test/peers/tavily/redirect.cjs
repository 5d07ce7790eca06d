/**
 * Loaded before a client whose address is built in: what it sends to Tavily goes to the service on
 * loopback that `WG_SERVICE` names. Nothing else may leave.
 */
const https = require("node:https")
const http = require("node:http")

const service = new URL(process.env.WG_SERVICE)

https.request = (options, answered) => {
  if ((options.hostname ?? options.host) !== "api.tavily.com") throw new Error("not Tavily")
  const { agent: _, agents: __, ...rest } = options
  return http.request({
    ...rest,
    protocol: "http:",
    host: service.hostname,
    hostname: service.hostname,
    port: service.port,
    headers: { ...rest.headers, host: service.host }
  }, answered)
}
