/**
 * Engines that answer as the log says they did.
 *
 * Those that failed fail again in the same way. The one that answered is computed anew when it is
 * this build's own local engine, and answers from the record when it is not.
 */
import type { Rung } from "../../domain/session/Rung.ts"
import { EngineFailed, type EngineInfo, type Rungs } from "../ports/Rungs.ts"

interface Engine {
  readonly info: EngineInfo
}

export const of = <E extends Engine, Last extends E>(
  rung: Rung,
  { last }: Rungs<E, Last>,
  asEngine: {
    readonly failing: (info: EngineInfo, failed: EngineFailed) => E
    readonly answering: (info: EngineInfo) => E
  }
): Rungs<E, Last> => {
  const failing = rung.faults.map((fault) =>
    asEngine.failing({ engine: fault.engine, version: "" }, new EngineFailed(fault))
  )
  const isLocal = rung.engine === last.info.engine && rung.version === last.info.version
  return {
    preferred: isLocal ? failing : [...failing, asEngine.answering(infoOf(rung))],
    last
  }
}

const infoOf = ({ engine, version }: Rung): EngineInfo => ({ engine, version })

/** What a model used then is taken from the record: nobody asks it again. */
export const asUsed = <Command extends { readonly rung: Rung }>(
  command: Command,
  { usage }: Rung
): Command => usage === undefined ? command : { ...command, rung: { ...command.rung, usage } }
