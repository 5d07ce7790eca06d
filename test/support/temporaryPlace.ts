/**
 * Where a run of the tests keeps what goes with it: in the system's memory, where a copy of an embedded
 * store takes a tenth of what it takes on a disk, else where the system keeps what is temporary.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { freemem, tmpdir } from "node:os"
import { join } from "node:path"

const memory = "/dev/shm"
/** A run has never had a tenth of it at one time. */
const roomBytesMin = 8 * 1_024 ** 3

const hasRoom = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, freemem()) >= roomBytesMin
  } catch {
    return false
  }
}

/** Whether programs may be started there: a browser is unpacked where the tests keep what is temporary. */
const runsPrograms = (): boolean => {
  const place = mkdtempSync(join(memory, "wg-runs-"))
  const program = join(place, "program")
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o700 })
  const { status } = spawnSync(program)
  rmSync(place, { recursive: true })
  return status === 0
}

export const temporaryPlace = (): string => hasRoom() && runsPrograms() ? memory : tmpdir()
