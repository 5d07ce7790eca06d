/** This running process, as the log's readers know it. */
import { Context } from "effect"

export class Instance extends Context.Service<Instance, {
  /** Different for every start of the process. */
  readonly id: string
  /** No other live process can have this log open, so another instance's call is dead. */
  readonly sole: boolean
}>()("web-grounding/application/ports/Instance") {}
