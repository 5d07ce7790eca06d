/** Parses a PostgreSQL connection URL without connecting. */
import { Option, Result } from "effect"

export interface DatabaseAddress {
  /** Host, with the port if given. */
  readonly server: string
  readonly user: string
  readonly database: string
}

const decode = Option.liftThrowable((parts: ReadonlyArray<string>) => parts.map(decodeURIComponent))

/** The parts of `postgres://user:password@host:port/database`, or a problem without its value. */
export const parse = (url: string): Result.Result<DatabaseAddress, string> => {
  const parsed = URL.parse(url)
  if (parsed === null) return Result.fail("it is not a URL")
  if (parsed.protocol !== "postgres:" && parsed.protocol !== "postgresql:") {
    return Result.fail("it does not begin with postgres://")
  }
  const parts = decode([parsed.username, parsed.password, parsed.pathname.slice(1)])
  if (Option.isNone(parts)) {
    return Result.fail("a percent sign in it is not followed by two digits")
  }
  const [user = "", , database = ""] = parts.value
  return Result.succeed({ server: parsed.host, user, database })
}
