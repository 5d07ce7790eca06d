/** Rows of read models that are listed newest first carry their order in `sort_key`. */
import { type Kysely, sql } from "kysely"

export const up = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create index read_models_sorted on wg.read_models
    (model, model_version, tenant_id, ((row ->> 'sort_key') collate "C"))
    where row ? 'sort_key'`.execute(db)
}
