/** Everything that the service answers over RPC: what callers ask, and what operators do. */
import { serviceOperations } from "../../contract/ServiceOperations.ts"
import { groupOf } from "./GroundingRpc.ts"

export class ServiceRpc extends groupOf(serviceOperations) {}
