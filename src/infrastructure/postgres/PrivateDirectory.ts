/**
 * A directory that only its owner may enter, as PostgreSQL requires. PGlite creates files with mode
 * 0666 whatever the umask is: the mode of their parent is checked at each start.
 */
import { Predicate, Result } from "effect"
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"

const privateMode = 0o700
const othersMask = 0o077

/** Written and removed again, to check whether the file system still accepts data. */
const probeBytes = 1_048_576
const probeFile = "space"

export type Secured = "created" | "private" | "repaired"

/**
 * Creates `directory` with mode 0700, or removes access of group and others. Fails, with half a
 * sentence, for another owner, an unchangeable mode, or an open directory with files that `isOwn`
 * does not know. Throws file-system errors. `asUser`: effective user id; `undefined` (Windows):
 * nothing is checked.
 */
export const secure = (
  directory: string,
  isOwn: (name: string) => boolean,
  asUser: number | undefined
): Result.Result<Secured, string> => {
  if (!existsSync(directory)) {
    make(directory)
    return Result.succeed("created")
  }
  if (asUser === undefined) return Result.succeed("private")
  const { mode, uid } = statSync(directory)
  if (uid !== asUser) return Result.fail(`it belongs to user ${uid}, not to user ${asUser}`)
  if ((mode & othersMask) === 0) return Result.succeed("private")
  const foreign = readdirSync(directory).find((name) => !isOwn(name))
  if (foreign !== undefined) {
    return Result.fail(
      `other users may enter it, and it holds ${JSON.stringify(foreign)}, which is not of the ` +
        "store: name a directory of the store's own, or chmod 700 this one"
    )
  }
  chmodSync(directory, privateMode)
  return (statSync(directory).mode & othersMask) === 0
    ? Result.succeed("repaired")
    : Result.fail("other users may enter it, and its mode cannot be changed")
}

/** Whether the file system of `directory` refuses new data: the disk or the quota is used up. */
export const isFull = (directory: string): boolean => {
  const probe = join(directory, probeFile)
  const written = Result.try(() => writeFileSync(probe, Buffer.alloc(probeBytes, 1)))
  rmSync(probe, { force: true })
  return Result.isFailure(written) && Predicate.hasProperty(written.failure, "code") &&
    (written.failure.code === "ENOSPC" || written.failure.code === "EDQUOT")
}

/** Level by level: the recursive form never ends below `/proc` (Node 24). */
const make = (directory: string): void => {
  makeParents(dirname(directory))
  mkdirSync(directory, { mode: privateMode })
  // The umask may remove the owner's bits as well.
  chmodSync(directory, privateMode)
}

const makeParents = (directory: string): void => {
  if (existsSync(directory)) return
  makeParents(dirname(directory))
  mkdirSync(directory)
}
