/** Faults of cells and of moves between them. */
import { faultsIn, type Mutant } from "./Mutant.ts"

const moved = ["test/faults/movedTenant.test.ts"] as const
const gate = ["test/application/TenantGate.test.ts"] as const

const hold = faultsIn("migrations/0022_newest_event_first.ts", moved, [
  {
    id: "cells-hold-ignored",
    text: "if closed and not",
    replacement: "if closed and tg_op = 'NONE' and not",
    means: "appends of a tenant that is moved are taken by the cell that it leaves"
  },
  {
    id: "cells-hold-for-all",
    text: "own where own.tenant_id ${equal} moved.tenant_id",
    replacement: "own where own.tenant_id <> ''",
    means: "the move of a tenant stops every other one"
  },
  {
    id: "cells-hold-unseen",
    text: "where own.tenant_id ${equal} after.tenant_id offset 0)",
    replacement: "where own.tenant_id ${equal} '' offset 0)",
    means: "appends of one event are taken by the cell that their tenant leaves"
  }
])

const arrival = faultsIn("migrations/0020_cells.ts", moved, [
  {
    id: "cells-erasure-lost",
    text: "      perform wg.erase(moved);",
    replacement: "",
    means: "what was erased while it was copied is in the new cell"
  }
])

const store = faultsIn("src/adapters/postgres/cells/PostgresCellStore.ts", moved, [
  {
    id: "cells-appends-not-awaited",
    text: "if (!holders.some((holder) => before.includes(holder)))",
    replacement: "if (holders.length >= 0)",
    means: "an append that was under way when the tenant was closed is not copied"
  },
  {
    id: "cells-open-from-the-start",
    text: "        yield* closing(tenantId)\n        yield* run",
    replacement: "        yield* run",
    means: "the new cell takes appends before it has the tenant's log"
  },
  {
    id: "cells-key-kept",
    text: "? Effect.succeed({ ...key, wrapped: anew.success })",
    replacement: "? Effect.succeed(key)",
    means: "the new cell cannot read what it has, or needs the old cell's key for ever"
  },
  {
    id: "cells-present-unseen",
    text: "if (known !== undefined || present !== undefined)",
    replacement: "if (known !== undefined)",
    means: "a tenant is mixed with what the new cell has of it"
  },
  {
    id: "cells-commit-unchecked",
    text: "if (numAffectedRows !== 1n) return yield* overtaken",
    replacement: "",
    means: "a move that was cancelled at the last moment leaves a tenant that both cells serve"
  },
  {
    id: "cells-commit-stale",
    text: "\n              and changed_at = ${closedAt}::timestamptz",
    replacement: "",
    means: "a run that stood still commits without what was written since its move was cancelled"
  },
  {
    id: "cells-page-lost",
    text: "if (before?.copied_position === String(page.until)) return",
    replacement: "if (before?.copied_position !== undefined) return",
    means: "events are left out of the copy"
  }
])

const move = faultsIn("src/application/cells/MoveTenant.ts", moved, [
  {
    id: "cells-faults-passed",
    text: "if (faults > 0) {",
    replacement: "if (faults > 1_000) {",
    means: "a tenant is served from a copy whose chains are broken"
  },
  {
    id: "cells-switch-first",
    text: "    yield* copyLog({ from, tenantId, to }, ahead, closing.end)\n",
    replacement:
      "    yield* from.store.commit(tenantId, closing)\n    yield* to.store.open(tenantId)\n",
    means: "the other cell serves a tenant before the copy is whole and verified"
  },
  {
    id: "cells-states-left",
    text: "    yield* copyStates({ from, tenantId, to })\n",
    replacement: "",
    means: "sessions that were erased or held meanwhile are neither in the new cell"
  },
  {
    id: "cells-rows-left",
    text: "    yield* copyKept({ from, tenantId, to })\n",
    replacement: "",
    means: "the evidence store and the caches stay behind"
  }
])

const passing = faultsIn("src/application/cells/TenantGate.ts", gate, [
  {
    id: "cells-gate-stale",
    text: "const place = yield* placed(tenantId, refusalFreshMs)",
    replacement: "const place = yield* placed(tenantId, movesFreshMs)",
    means: "a caller that was sent here is sent back"
  },
  {
    id: "cells-gate-by-table",
    text: "    case \"arrived\":\n      return \"here\"",
    replacement: "    case \"arrived\":\n      return routed === own ? \"here\" : { cell: routed }",
    means: "with an old table nobody serves a tenant that was moved"
  },
  {
    id: "cells-gate-for-operators",
    text: "if (scopes.has(\"admin\") && !recording.has(scope)) return",
    replacement: "if (scopes.has(\"admin\")) return",
    means: "an operator's question is recorded in a cell that does not serve the tenant"
  }
])

const file = faultsIn("src/adapters/cells/CellsFile.ts", ["test/adapters/CellsFile.test.ts"], [
  {
    id: "cells-file-once",
    text: "onSuccess: (next) => Effect.andThen(Ref.set(table, next), ",
    replacement: "onSuccess: () => Effect.andThen(Effect.void, ",
    means: "a changed table takes a restart of every service"
  },
  {
    id: "cells-file-silent",
    text: "Option.some({ _tag: \"CellsFileBroken\", severity: \"warning\", problem, since })",
    replacement: "Option.none()",
    means: "a broken table is noticed with the next restart"
  }
])

const client = faultsIn("packages/client/src/connect.ts", ["test/faults/clientFaults.test.ts"], [
  {
    id: "cells-client-stays",
    text: "    place.address = there\n",
    replacement: "",
    means: "a caller asks the old cell again and again"
  }
])

export const mutants: ReadonlyArray<Mutant> = [
  ...hold,
  ...arrival,
  ...store,
  ...move,
  ...passing,
  ...file,
  ...client
]
