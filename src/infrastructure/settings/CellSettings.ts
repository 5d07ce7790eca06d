/** Settings of a deployment with several databases. */
import * as Setting from "./Setting.ts"

export const table = {
  CELLS_FILE: Setting.optionalText(
    "CELLS_FILE",
    "JSON file with the cells and which tenants each serves; it is read again when it changes. Absent: there is one cell, which serves every tenant"
  ),
  CELL: Setting.optionalText("CELL", "Name of the cell that this process serves, in `CELLS_FILE`"),
  CELL_TOKEN: Setting.key(
    "CELL_TOKEN",
    "Token that commands send to the cell of `--cell`"
  ),
  CELL_MOVE_DATABASE_URL: Setting.databaseUrl(
    "CELL_MOVE_DATABASE_URL",
    "Database of the cell that `cells move` moves a tenant to; its login is a member of `wg_eraser`"
  ),
  CELL_MOVE_PAYLOAD_KEY: Setting.encryptionKey(
    "CELL_MOVE_PAYLOAD_KEY",
    "`PAYLOAD_KEY` of that cell. Absent: the same as here"
  )
}
