import { Duration } from "effect"
import { TestClock } from "effect/testing"
import { leaseMs } from "../../src/application/ports/ReadModels.ts"
import * as MemoryReadModels from "../support/memory/MemoryReadModels.ts"
import { readModelsContract } from "./readModelsContract.ts"

readModelsContract(
  "memory",
  MemoryReadModels.layer,
  () => TestClock.adjust(Duration.millis(leaseMs + 1))
)
