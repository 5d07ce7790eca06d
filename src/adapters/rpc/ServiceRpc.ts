/** All RPC methods of the service: those of callers and those of operators. */
import { serviceOperations } from "../../contract/ServiceOperations.ts"
import { groupOf } from "./GroundingRpc.ts"

export class ServiceRpc extends groupOf(serviceOperations) {}
