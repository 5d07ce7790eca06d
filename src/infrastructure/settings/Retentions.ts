/** Retention times by tenant, in the operator's format: `tenant=30/7/90`, comma-separated. */
import { Option } from "effect"

/** Days of retention. 0: unlimited. */
export interface RetentionDays {
  /** Days after a session's last event. */
  readonly sessions: number
  /** Days for cached searches and packs. */
  readonly caches: number
  /** Days for collected web pages in the evidence store. */
  readonly pages: number
}

export type Retentions = ReadonlyMap<string, RetentionDays>

const tenantsMax = 1_000

/** Parses retention times. None for an invalid entry or a repeated tenant. */
export const parseRetentions = (text: string): Option.Option<Retentions> => {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "")
  const entries = parts.flatMap((part) => {
    const [, tenant, sessions, caches, pages] = entry.exec(part) ?? []
    return tenant === undefined
      ? []
      : [
        [tenant, {
          sessions: Number(sessions),
          caches: Number(caches),
          pages: Number(pages)
        }] as const
      ]
  })
  const retentions = new Map(entries)
  return retentions.size === parts.length && parts.length <= tenantsMax
    ? Option.some(retentions)
    : Option.none()
}

export const textOf = (retentions: Retentions): string =>
  [...retentions].map(([tenant, { caches, pages, sessions }]) =>
    `${tenant}=${sessions}/${caches}/${pages}`
  ).join(",")

const entry = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(\d{1,5})\/(\d{1,5})\/(\d{1,5})$/
