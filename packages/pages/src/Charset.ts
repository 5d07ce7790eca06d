/**
 * Decodes a text's bytes by its byte order mark, its header, its own declaration, else UTF-8 and
 * windows-1252.
 */
import { Option } from "effect"
import { Parser } from "htmlparser2"
import { TextDecoder } from "node:util"

/** Bytes in which browsers look for a declaration. */
const prescanBytes = 1_024
const labelCharsMax = 40

const inHeader = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i
const inContent = /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i
const inXml = /^<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i

/**
 * Text of a body by its byte order mark, the header's charset, its own declaration, else UTF-8 or
 * windows-1252. Never fails: what is no character becomes U+FFFD. Byte order marks are left out.
 */
export const textOf = (body: Uint8Array, contentType: string): string => {
  const decoder = markedBy(body).pipe(
    Option.orElse(() => named(inHeader.exec(contentType)?.[1])),
    Option.orElse(() => declaredIn(body))
  )
  if (Option.isSome(decoder)) return decoder.value.decode(body)
  return Option.getOrElse(strictly(body), () => new TextDecoder("windows-1252").decode(body))
}

const markedBy = (body: Uint8Array): Option.Option<TextDecoder> => {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return named("utf-8")
  if (body[0] === 0xff && body[1] === 0xfe) return named("utf-16le")
  return body[0] === 0xfe && body[1] === 0xff ? named("utf-16be") : Option.none()
}

/** First declaration that names an encoding, in the XML declaration or an element `meta`. */
const declaredIn = (body: Uint8Array): Option.Option<TextDecoder> => {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, prescanBytes))
    .toString("latin1")
  const inXmlDeclaration = inXml.exec(start)?.[1]
  const labels = inXmlDeclaration === undefined ? metaLabels(start) : [inXmlDeclaration]
  return Option.firstSomeOf(labels.map(asAscii).map(named))
}

/** Labels that the elements `meta` declare, in order; of an element that is cut off none. */
const metaLabels = (start: string): ReadonlyArray<string> => {
  const labels: Array<string> = []
  const parser = new Parser({
    onopentag: (name, { charset, content = "", "http-equiv": about = "" }) => {
      if (name !== "meta") return
      const isDeclaration = about.trim().toLowerCase() === "content-type"
      const label = charset ?? (isDeclaration ? inContent.exec(content)?.[1] : undefined)
      if (label !== undefined) labels.push(label.trim())
    }
  })
  parser.end(start)
  return labels
}

/** A declaration that could be read as ASCII cannot be one of two bytes a character. */
const asAscii = (label: string): string => /^utf-?16/i.test(label) ? "utf-8" : label

/** None for a label that names no encoding. */
const named = (label: string | undefined): Option.Option<TextDecoder> =>
  label === undefined || label.length > labelCharsMax
    ? Option.none()
    : Option.liftThrowable((name: string) => new TextDecoder(name))(label)

const strictly = Option.liftThrowable((body: Uint8Array) =>
  new TextDecoder("utf-8", { fatal: true }).decode(body)
)
