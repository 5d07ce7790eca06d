/** The log over PostgreSQL, with payloads as plaintext. */
import { Layer } from "effect"
import * as PostgresEventStore from "../../src/adapters/postgres/PostgresEventStore.ts"
import { plaintext } from "./payloadKeys.ts"

export const layer = PostgresEventStore.layer.pipe(Layer.provide(plaintext))
