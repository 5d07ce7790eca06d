/** The commands' wiring as tests replace parts of it. */
import { Layer } from "effect"
import type { Wiring } from "../../src/adapters/cli/Wiring.ts"
import { wiring } from "../../src/wiring/layers.ts"

export const commands: Wiring = { ...wiring, mcp: () => Layer.empty }
