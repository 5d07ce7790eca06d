/** Reads files of plain text and Markdown: their text as it is, titled by a first heading. */
import { Effect, Layer, Option } from "effect"
import {
  documentBytesMax,
  type DocumentFile,
  DocumentReader,
  type DocumentText,
  DocumentUnreadable
} from "../../application/ports/DocumentReader.ts"

const endings = [".txt", ".md", ".markdown"]

const heading = /^\uFEFF?\s*#{1,6}[ \t]+(\S.*?)[ \t#]*$/m

export const layer = Layer.succeed(DocumentReader, {
  endings,
  read: (file) => Effect.suspend(() => read(file))
})

const read = ({ bytes, name }: DocumentFile): Effect.Effect<DocumentText, DocumentUnreadable> => {
  const refuse = (reason: DocumentUnreadable["reason"]) =>
    Effect.fail(new DocumentUnreadable({ name, reason }))
  if (!endings.some((ending) => name.toLowerCase().endsWith(ending))) return refuse("unknown_kind")
  if (bytes.byteLength > documentBytesMax) return refuse("too_large")
  const text = decode(bytes)
  if (Option.isNone(text)) return refuse("not_utf8")
  if (text.value.trim() === "") return refuse("no_text")
  const title = /\.(?:md|markdown)$/i.test(name) ? heading.exec(text.value)?.[1] : undefined
  return Effect.succeed({ text: text.value, ...(title === undefined ? {} : { title }) })
}

const decode = Option.liftThrowable((bytes: Uint8Array) =>
  new TextDecoder("utf-8", { fatal: true }).decode(bytes)
)
