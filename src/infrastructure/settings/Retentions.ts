/** How long tenants' content is kept, as an operator writes it: `tenant=30/7/90`, with commas. */
import { Option } from "effect"

/** Days for which data is kept. 0: as long as nobody removes it. */
export interface RetentionDays {
  /** Days after a session's last event. */
  readonly sessions: number
  /** Days for searches and packs that may be given again. */
  readonly caches: number
  /** Days for web pages in the evidence store, after they were collected. */
  readonly pages: number
}

export type Retentions = ReadonlyMap<string, RetentionDays>

const tenantsMax = 1_000

/**
 * Retention times as a setting writes them. None where a part is no such entry, or a tenant stands
 * twice.
 */
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

/** Text in the form in which it is written in a setting. */
export const textOf = (retentions: Retentions): string =>
  [...retentions].map(([tenant, { caches, pages, sessions }]) =>
    `${tenant}=${sessions}/${caches}/${pages}`
  ).join(",")

const entry = /^([A-Za-z0-9][A-Za-z0-9._-]{0,63})=(\d{1,5})\/(\d{1,5})\/(\d{1,5})$/
