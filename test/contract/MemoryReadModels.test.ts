import { Duration } from "effect"
import { TestClock } from "effect/testing"
import * as MemoryReadModels from "../../src/adapters/memory/MemoryReadModels.ts"
import { leaseMs } from "../../src/application/ports/ReadModels.ts"
import { readModelsContract } from "./readModelsContract.ts"

readModelsContract(
  "memory",
  MemoryReadModels.layer,
  () => TestClock.adjust(Duration.millis(leaseMs + 1))
)
