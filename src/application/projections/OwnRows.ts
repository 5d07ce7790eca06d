/**
 * Where a tenant's rows stand in a read model: beside those of the deployment, behind all of them,
 * and in a range of their own, so that reading one tenant's reads nobody else's.
 */

/** After every key of the deployment, and after each tenant's: what stands behind it is ASCII. */
export const end = "~"

/** Begins the keys of a tenant's rows. No other tenant's begin so: the name holds no space. */
export const prefixOf = (tenantId: string): string =>
  `${end}${encodeURIComponent(tenantId.toWellFormed())} `
