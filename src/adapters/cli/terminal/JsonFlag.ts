/** The flag `--json` of every command that prints text or JSON. */
import { Flag } from "effect/cli"

export const jsonFlag = (description = "Print JSON instead of text") =>
  Flag.Boolean("json").pipe(Flag.withDescription(description), Flag.withDefault(false))
