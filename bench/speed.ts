/**
 * Speed of the hot path, over real processes on one durable PostgreSQL: a repeated request next to
 * a bare echo, and cost, latency and throughput of a grounding.
 *
 * `npm run bench -- speed` takes about ten minutes and prints one line for each claim of
 * `docs/performance.md`; further arguments select cases. Compare ratios of one run. Needs Linux.
 */
import { runCases } from "./load/cases.ts"
import { cost } from "./speed/cost.ts"
import { repeated } from "./speed/repeated.ts"
import { replicas } from "./speed/replicas.ts"
import { throughput } from "./speed/throughput.ts"

const runMsMax = 900_000

await runCases({ repeated, cost, throughput, replicas }, { runMsMax, lineOf: (_, line) => line })
