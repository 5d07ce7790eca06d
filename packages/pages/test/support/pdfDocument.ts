/** A PDF whose pages all show the same, written for the tests. */
import { deflateSync } from "node:zlib"

interface PdfParts {
  /** What the page shows, in PDF's own drawing language. */
  readonly shown: Uint8Array
  readonly isDeflated: boolean
  /** Default 1. */
  readonly pagesCount?: number
  /** What `/F1` is. Default: Helvetica. */
  readonly font?: string
  /** Default: Giving notice. */
  readonly title?: string
}

const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"

export const pdfDocument = (
  { font = helvetica, isDeflated, pagesCount = 1, shown, title = "Giving notice" }: PdfParts
): Uint8Array => {
  const stream = isDeflated ? deflateSync(shown) : shown
  const filter = isDeflated ? "/Filter /FlateDecode" : ""
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${"3 0 R ".repeat(pagesCount)}] /Count ${pagesCount} >>`,
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 6 0 R " +
    "/Resources << /Font << /F1 4 0 R >> >> >>",
    font,
    `<< /Title (${title}) >>`
  ].map((object) => Buffer.from(object))
  objects.push(Buffer.concat([
    Buffer.from(`<< /Length ${stream.length} ${filter} >>\nstream\n`),
    stream,
    Buffer.from("\nendstream")
  ]))
  const parts = [Buffer.from("%PDF-1.4\n")]
  let at = parts.reduce((sum, part) => sum + part.length, 0)
  const places = objects.map((object, place) => {
    const part = Buffer.concat([
      Buffer.from(`${place + 1} 0 obj\n`),
      object,
      Buffer.from("\nendobj\n")
    ])
    parts.push(part)
    at += part.length
    return `${String(at - part.length).padStart(10, "0")} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join("")}`
  const trailer = `trailer << /Size ${objects.length + 1} /Root 1 0 R /Info 5 0 R >>`
  parts.push(Buffer.from(`${table}${trailer}\nstartxref\n${at}\n%%EOF`))
  return new Uint8Array(Buffer.concat(parts))
}

/** Lines in Helvetica, each with its distance from the line above. */
export const pdfOf = (
  lines: ReadonlyArray<readonly [number, string]>,
  pagesCount = 1
): Uint8Array => {
  const drawn = lines.map(([fall, line]) => `0 -${fall} Td (${line}) Tj`).join(" ")
  return pdfDocument({
    shown: Buffer.from(`BT /F1 12 Tf 50 700 Td ${drawn} ET`),
    isDeflated: false,
    pagesCount
  })
}
