/**
 * A thread beside sealed work that cannot be blocked by it: kills the process when it holds too
 * much or when its parent is gone. Memory outside of the heap is under no ceiling of V8's.
 */
import { isMainThread, workerData } from "node:worker_threads"

/** The value of `work` while there is nothing to watch. */
export const idle = 0
const checkMs = 20

export interface Watched {
  readonly work: Int32Array<SharedArrayBuffer>
  readonly parentPid: number
  readonly rssBytesMax: number
}

/**
 * Kills the process when its parent is gone or its memory exceeds the bound; sleeps while there is
 * no work.
 */
const watch = ({ parentPid, rssBytesMax, work }: Watched): never => {
  for (;;) {
    Atomics.wait(work, 0, idle)
    Atomics.wait(work, 0, 1, checkMs)
    if (process.ppid !== parentPid || process.memoryUsage.rss() > rssBytesMax) {
      process.kill(process.pid, "SIGKILL")
    }
  }
}

if (!isMainThread) watch(workerData)
