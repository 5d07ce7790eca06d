/** Words that ask a person for what no source's question can need. */
import secrets from "./Secrets.json" with { type: "json" }

const pattern = new RegExp(secrets.join("|"), "iu")

export const isAskedFor = (text: string): boolean => pattern.test(text)
