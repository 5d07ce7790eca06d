/** Values as one text, by which equal ones are recognised. */
import { Result } from "effect"
import { canonical } from "../../src/infrastructure/CanonicalJson.ts"

/** RFC 8785, of what JSON keeps of the value. */
export const spelt = (value: unknown): string =>
  Result.getOrThrow(canonical(JSON.parse(JSON.stringify(value ?? null))))
