/** Text in a charset that Node decodes and does not encode: its tables turned round. */
import { TextDecoder } from "node:util"

const tables = new Map<string, ReadonlyMap<string, Uint8Array>>()

const tableOf = (label: string): ReadonlyMap<string, Uint8Array> => {
  const known = tables.get(label)
  if (known !== undefined) return known
  const decoder = new TextDecoder(label, { fatal: true })
  const table = new Map<string, Uint8Array>()
  const add = (...bytes: ReadonlyArray<number>) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes))
      if ([...text].length === 1 && !table.has(text)) table.set(text, Uint8Array.from(bytes))
    } catch {
      // No character of this charset.
    }
  }
  for (let first = 0; first < 256; first++) add(first)
  for (let first = 0x81; first < 255; first++) {
    for (let second = 0x40; second < 255; second++) add(first, second)
  }
  tables.set(label, table)
  return table
}

export const encodedIn = (label: string, text: string): Uint8Array => {
  const table = tableOf(label)
  return Buffer.concat([...text].map((character) => {
    const bytes = table.get(character)
    if (bytes === undefined) throw new Error(`${label} has no ${character}`)
    return bytes
  }))
}
