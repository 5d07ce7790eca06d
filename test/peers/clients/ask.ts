/** Asks the service by both clients, and prints what came: `node ask.ts ADDRESS`. */
import { byFetch } from "./byFetch.ts"
import { byHeyApi } from "./byHeyApi.ts"

declare const process: { readonly argv: ReadonlyArray<string> }

const [, , address = "http://127.0.0.1:7420"] = process.argv

console.log(JSON.stringify({ fetch: await byFetch(address), hey: await byHeyApi(address) }))
