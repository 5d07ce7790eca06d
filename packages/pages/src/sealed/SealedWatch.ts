/**
 * A watchdog thread of sealed work: kills the process when it holds too much memory or its parent
 * is gone. V8 does not limit memory outside of its heap.
 */
import { isMainThread, workerData } from "node:worker_threads"

/** The value of `work` while idle. */
export const idle = 0
const checkMs = 20

export interface Watched {
  readonly work: Int32Array<SharedArrayBuffer>
  readonly parentPid: number
  readonly rssBytesMax: number
}

/** Kills the process when its parent is gone or its memory exceeds the bound; sleeps while idle. */
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
