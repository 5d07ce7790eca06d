/** `--cell`: the service of a cell is asked, instead of the database of this process. */
import { Flag } from "effect/cli"

export const cellFlag = Flag.String("cell").pipe(
  Flag.withDescription("Ask the service of this cell of CELLS_FILE, with CELL_TOKEN"),
  Flag.optional
)
