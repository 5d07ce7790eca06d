/** This running process, as the log's readers know it. */
import { Context } from "effect"

/**
 * Identity of this process, by which a call that another one left behind is told from one that
 * runs.
 */
export class Instance extends Context.Service<Instance, {
  /** Different for every start of the process. */
  readonly id: string
  /** No other live process can have this log open, so another instance's call is dead. */
  readonly sole: boolean
}>()("web-grounding/application/ports/Instance") {}
