/**
 * How fast the hot path is, over real processes on one durable PostgreSQL: a repeated request
 * beside a bare echo, what a grounding costs, how long it takes and how many a service bears.
 *
 * `npm run bench -- speed` takes about ten minutes and prints one line a claim of
 * `docs/performance.md`; further arguments choose cases. Compare ratios of one run. Needs Linux.
 */
import { runCases } from "./load/cases.ts"
import { cost } from "./speed/cost.ts"
import { repeated } from "./speed/repeated.ts"
import { replicas } from "./speed/replicas.ts"
import { throughput } from "./speed/throughput.ts"

const runMsMax = 900_000

await runCases({ repeated, cost, throughput, replicas }, { runMsMax, lineOf: (_, line) => line })
