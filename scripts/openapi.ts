/** Prints the document about the operations over HTTP. */
import { Effect } from "effect"
import { document } from "../src/adapters/http/OpenApiDocument.ts"

console.log(JSON.stringify(Effect.runSync(document), undefined, 2))
