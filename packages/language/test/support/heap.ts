/** Memory in use after unreferenced objects were collected. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** Bytes in use of the heap, right after a full collection. */
export const heapUsedBytes = (): number => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
