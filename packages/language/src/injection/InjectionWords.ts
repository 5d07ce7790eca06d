/**
 * How a text that addresses a model speaks, by the script or words that its forms need: orders that
 * lift the rules, change the role, ask for a secret or have something said, and requests to an
 * assistant. General forms only, no known attacks.
 *
 * Readers are asked things too. So each form of a request needs what only an assistant has: an
 * answer that is being written, a user, a code to write in, a developer.
 */
import words from "./InjectionForms.json" with { type: "json" }

/** A form's `{name}` stands for that part, which several forms have. */
const parts: ReadonlyMap<string, string> = new Map(Object.entries(words.parts))
const withParts = (form: string): string =>
  form.replace(/\{([a-z]+)\}/g, (_, name: string) => parts.get(name) ?? "")

/** Most sentences hold nothing that a form needs, and are not searched. */
const addresses = words.groups.map(({ languages, needs }) => ({
  needs: new RegExp(needs, "iu"),
  forms: new RegExp(languages.flatMap(({ forms }) => forms.map(withParts)).join("|"), "iu")
}))

/** Whether a sentence addresses a model. Letters of any case. */
export const isAddressed = (sentence: string): boolean =>
  addresses.some(({ forms, needs }) => needs.test(sentence) && forms.test(sentence))

/** Words that count in capitals only: written small they are ordinary words of handbooks. */
export const shouted =
  /<\s*(?:[A-Z]+ ){1,4}(?:MODE|OVERRIDE)\s*>|\b(?:SYSTEM|SECURITY|DATA|DEVELOPER|ADMIN|SAFETY) OVERRIDE\b/u
