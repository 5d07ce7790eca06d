import * as EmbeddedDatabase from "../support/embeddedDatabase.ts"
import { storeContracts } from "./postgresLogContract.ts"

storeContracts("embedded", EmbeddedDatabase.layer)
