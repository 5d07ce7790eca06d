/**
 * Arrays as parameters of a statement. Texts go in the server's binary form, as nothing has to be
 * escaped then; what needs no escape goes as a literal, which costs a client less.
 */

/** Object ids of the element types that are sent in binary form. */
const elementTypes = { text: 25, jsonb: 3_802 } as const

/** First byte of a `jsonb` in binary form: the version of the form, before the text. */
const jsonbVersion = 1

const int32Bytes = 4
const headerBytes = 5 * int32Bytes

/** Array of values that need no quotes: numbers, ids and times, but no words, such as NULL. */
export const plainArray = (values: ReadonlyArray<string | number>): string =>
  `{${values.join(",")}}`

/** Array of `bytea`, of lower-case hex. */
export const byteaArray = (hexes: ReadonlyArray<string>): string =>
  hexes.length === 0 ? "{}" : `{"\\\\x${hexes.join(`","\\\\x`)}"}`

/** Array of any texts, without NUL. */
export const textArray = (texts: ReadonlyArray<string>): Uint8Array => binary("text", texts)

/** Array of `jsonb`, of JSON texts. */
export const jsonbArray = (texts: ReadonlyArray<string>): Uint8Array => binary("jsonb", texts)

/** One dimension from index 1, and no nulls. */
const binary = (type: keyof typeof elementTypes, texts: ReadonlyArray<string>): Buffer => {
  const versionBytes = type === "jsonb" ? 1 : 0
  const sizes = texts.map((text) => Buffer.byteLength(text) + versionBytes)
  const bytes = sizes.reduce((sum, size) => sum + int32Bytes + size, headerBytes)
  const buffer = Buffer.allocUnsafe(bytes)
  const header = [1, 0, elementTypes[type], texts.length, 1]
  let at = header.reduce((place, field) => buffer.writeInt32BE(field, place), 0)
  texts.forEach((text, index) => {
    at = buffer.writeInt32BE(sizes[index] ?? 0, at)
    if (versionBytes > 0) at = buffer.writeUInt8(jsonbVersion, at)
    at += buffer.write(text, at)
  })
  return buffer
}
