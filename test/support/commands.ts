/** The commands' wiring as tests replace parts of it. */
import { Layer } from "effect"
import type { Wiring } from "../../src/adapters/cli/Wiring.ts"
import * as CheckSettings from "../../src/wiring/CheckSettings.ts"
import { wiring } from "../../src/wiring/layers.ts"

export const commands: Wiring = {
  ...wiring,
  config: CheckSettings,
  mcp: () => Layer.empty
}
