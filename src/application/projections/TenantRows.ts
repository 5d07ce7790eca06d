/**
 * Keys of a tenant's rows in a read model. They sort behind the rows of the deployment and each
 * tenant has a range of its own, so that reading one tenant's rows reads nobody else's.
 */

/**
 * End of a range, after every key of the deployment and after each tenant's: what stands behind it
 * is ASCII.
 */
export const end = "~"

/** Begins the keys of a tenant's rows. No other tenant's begin so: the name holds no space. */
export const prefixOf = (tenantId: string): string =>
  `${end}${encodeURIComponent(tenantId.toWellFormed())} `
