/** What the types of `@effect/platform-node` ask for: there is nothing to be called. */
export declare const createClient: (options?: object) => never
