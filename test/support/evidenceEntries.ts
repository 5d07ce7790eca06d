/** Entries of the evidence store, made the way the service makes them. */
import { Result } from "effect"
import * as Material from "../../src/domain/store/Material.ts"
import { sha256 } from "../../src/infrastructure/Digest.ts"

export const collectedAt = "2026-03-02T09:00:00.000Z"

const provenance = { collected_at: collectedAt, collector: "test" }

export const collection = (
  material: Material.Material,
  changes: Partial<Material.Provenance> = {}
): Material.Collection => {
  const made = Material.collectionOf(material, { ...provenance, ...changes }, sha256)
  if (Result.isFailure(made)) throw new Error(`${made.failure.field}: ${made.failure.problem}`)
  return made.success
}

export const webPage = (
  url: string,
  text: string,
  title = "A page"
): typeof Material.WebMaterial.Type => ({ source_type: "web_search", source_url: url, title, text })

export const note = (id: string, text: string, title = "A note"): Material.Material => ({
  source_type: "user_note",
  source_id: id,
  title,
  text
})

export const node = (id: string, name: string, description: string): Material.Material => ({
  source_type: "kg_node",
  node: { node_id: id, node_label: "Method", name, description }
})

/** A text that becomes so many entries of a page, each with the word. */
export const longText = (chunks: number, word: string): string =>
  Array.from(
    { length: chunks },
    (_, chunk) =>
      Array.from({ length: 8 }, (_, sentence) =>
        `Sentence ${sentence} of part ${chunk} tells at some length of ${word} and of other things ` +
        "that a page of the web may hold.").join(" ")
  ).join("\n\n")
