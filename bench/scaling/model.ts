/**
 * Turns load into processes, databases and money: a queueing model over measured service times.
 *
 * Every station is a queue with a number of servers (M/M/c by Sakasegawa's approximation); the
 * provider is a delay without a queue. Every result is computed.
 */

export interface Inputs {
  /** Groundings a second that are searched, read and answered anew, at the busiest time. */
  readonly baseRate: number
  /** CPU of the service and of the database for one of them, in seconds. */
  readonly serviceSeconds: number
  readonly databaseSeconds: number
  /** Time until the provider answers, in seconds, and searches of a grounding. */
  readonly providerSeconds: number
  readonly searchesEach: number
  /** Searches a minute that one account may send. */
  readonly providerPerMinute: number
  /** Share of a processor that is used at most, so that a burst does not wait. */
  readonly useMax: number
  readonly coresOfReplica: number
  readonly coresOfPrimary: number
  /** Bytes that a grounding leaves in tables and indexes, and in the write-ahead log. */
  readonly storedBytes: number
  readonly walBytes: number
  /** Share of the busiest rate over a whole month. */
  readonly meanShare: number
  /** US dollars. */
  readonly price: {
    readonly search: number
    /** A million tokens of prompt and of answer. */
    readonly promptMillion: number
    readonly answerMillion: number
    readonly coreHour: number
    readonly gigabyteMonth: number
  }
  /** Tokens of the models of one grounding; 0 where none is set. */
  readonly promptTokens: number
  readonly answerTokens: number
  /** Months for which what a grounding leaves is kept. */
  readonly keptMonths: number
}

const secondsInDay = 86_400
const secondsInHour = 3_600
const gigabyte = 1e9
const million = 1e6

/** Mean seconds at a station, waiting included; without bound where it is asked too much. */
const responseSeconds = (rate: number, seconds: number, servers: number): number => {
  const use = rate * seconds / servers
  if (use >= 1) return Number.POSITIVE_INFINITY
  const waiting = use ** (Math.sqrt(2 * (servers + 1)) - 1) / (servers * (1 - use))
  return seconds * (1 + waiting)
}

export interface Scale {
  readonly times: number
  readonly rate: number
  readonly replicas: number
  readonly databaseCores: number
  readonly primaries: number
  /** Accounts' worth of searches a minute. */
  readonly providerAccounts: number
  readonly underWay: number
  readonly answerSeconds: number
  readonly storedGigabytesDay: number
  readonly walMegabytesSecond: number
}

export const scaleOf = (inputs: Inputs, times: number): Scale => {
  const { coresOfPrimary, coresOfReplica, databaseSeconds, serviceSeconds, useMax } = inputs
  const rate = inputs.baseRate * times
  const replicas = Math.max(2, Math.ceil(rate * serviceSeconds / (useMax * coresOfReplica)))
  const databaseCores = rate * databaseSeconds / useMax
  const primaries = Math.max(1, Math.ceil(databaseCores / coresOfPrimary))
  // A process works on one core; a replica of more runs as many.
  const service = responseSeconds(rate / (replicas * coresOfReplica), serviceSeconds, 1)
  const database = responseSeconds(rate / primaries, databaseSeconds, coresOfPrimary)
  const answerSeconds = service + database + inputs.providerSeconds
  return {
    times,
    rate,
    replicas,
    databaseCores,
    primaries,
    providerAccounts: rate * inputs.searchesEach * 60 / inputs.providerPerMinute,
    underWay: rate * answerSeconds,
    answerSeconds,
    storedGigabytesDay: rate * inputs.meanShare * inputs.storedBytes * secondsInDay / gigabyte,
    walMegabytesSecond: rate * inputs.walBytes / million
  }
}

/** Dollars for a million groundings, by what they are paid for. */
export const costOfMillion = (inputs: Inputs) => {
  const { price } = inputs
  const coreSeconds = million * (inputs.serviceSeconds + inputs.databaseSeconds) /
    (inputs.useMax * inputs.meanShare)
  return {
    searches: million * inputs.searchesEach * price.search,
    models: inputs.promptTokens * price.promptMillion + inputs.answerTokens * price.answerMillion,
    processors: coreSeconds / secondsInHour * price.coreHour,
    storage: million * inputs.storedBytes / gigabyte * price.gigabyteMonth * inputs.keptMonths
  }
}
