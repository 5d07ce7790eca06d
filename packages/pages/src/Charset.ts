/**
 * Decodes bytes by byte order mark, header, their declaration, UTF-8 if nearly valid, else
 * detection.
 */
import { Effect, Option } from "effect"
import { Parser } from "htmlparser2"
import { TextDecoder } from "node:util"
import listed from "./PageWords.json" with { type: "json" }

/** Bytes that browsers search first for a declaration, and the limit for any declaration. */
const prescanBytes = 1_024
const headBytesMax = 65_536
/** Bytes for charset detection; the rest of a long page has the same charset. */
const detectedBytesMax = 65_536
const labelCharsMax = 40
/** Most invalid bytes in declared UTF-8: with more it is another charset. */
const lostMax = 2
/** Below this confidence a detection is a guess: windows-1252 is assumed. */
const confidenceMin = 0.1
/** The same against a declared windows-1252, and the words' bytes beyond ASCII that it needs. */
const doubtMin = 0.2
const doubtBytesMin = 12

const inHeader = /;\s*charset\s*=\s*["']?([\w.:-]{1,40})/i
const inContent = /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i
const inXml = /^<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i

/** Text of a body. Never fails: invalid bytes become U+FFFD. Byte order marks are removed. */
export const textOf = (body: Uint8Array, contentType: string): Effect.Effect<string> =>
  Effect.suspend(() => {
    const mark = markedBy(body)
    if (Option.isSome(mark)) return Effect.succeed(mark.value.decode(body))
    const utf8 = new TextDecoder().decode(body)
    const lost = utf8.split("\ufffd").length - 1
    const isUtf8 = seemsUtf8(utf8, lost)
    const told = declaredIn(body, contentType, isUtf8 ? prescanBytes : headBytesMax)
    const charset = Option.match(told, { onNone: () => "", onSome: ({ encoding }) => encoding })
    // Servers declare windows-1252 by default, and its texts are hardly ever valid UTF-8.
    if (isUtf8 && ["", "utf-8", "windows-1252"].includes(charset)) return Effect.succeed(utf8)
    if (Option.isNone(told) || charset === "utf-8" && lost > lostMax) {
      return detected(body, confidenceMin)
    }
    return charset === "windows-1252"
      ? detected(body, doubtMin)
      : Effect.succeed(inWindows(told.value.decode(body), charset, body))
  })

/** Windows charsets of the script of an ISO charset, which names them by mistake. */
const windows = new Map(Object.entries(listed.windowsCharsets))
const controls = /[\x80-\x84\x86-\x9f]/

/** Text in Windows' charset if its bytes are controls in the declared one, and letters are kept. */
const inWindows = (text: string, charset: string, body: Uint8Array): string => {
  const label = windows.get(charset)
  if (label === undefined || !controls.test(text)) return text
  const other = new TextDecoder(label).decode(body)
  return lettersIn(other) >= lettersIn(text) ? other : text
}

const lettersIn = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

const markedBy = (body: Uint8Array): Option.Option<TextDecoder> => {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return named("utf-8")
  const [first, second] = body
  // UTF-16 markup shows its byte order without a mark.
  if (first === 0xff && second === 0xfe || first === 0x3c && second === 0) return named("utf-16le")
  return first === 0xfe && second === 0xff || first === 0 && second === 0x3c
    ? named("utf-16be")
    : Option.none()
}

/** Whether more bytes beyond ASCII are valid UTF-8 than not, without charset escapes. */
const seemsUtf8 = (decoded: string, lost: number): boolean => {
  if (/\x1b[$(]/.test(decoded)) return false
  if (lost === 0) return true
  const characters = decoded.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0
  const gaps = decoded.match(/\ufffd+/g)?.length ?? 0
  return characters >= Math.max(lost, 2 * gaps)
}

/** First declaration of a known encoding: header, XML declaration, or `meta` elements. */
const declaredIn = (
  body: Uint8Array,
  contentType: string,
  bytesMax: number
): Option.Option<TextDecoder> => {
  const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, bytesMax))
    .toString("latin1")
  const isWide = start.slice(0, prescanBytes).includes("\0")
  const sent = inHeader.exec(contentType)?.[1] ?? ""
  return named(isWide ? sent : asAscii(sent)).pipe(
    Option.orElse(() => named(asAscii(inXml.exec(start)?.[1] ?? ""))),
    Option.orElse(() => Option.firstSomeOf(metaLabels(start).map(asAscii).map(named)))
  )
}

/** Labels declared in `meta` elements, in order; an element that is cut off is ignored. */
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

/** A declaration readable as ASCII excludes UTF-16 and UTF-32. */
const asAscii = (label: string): string =>
  /^(?:utf-?(?:16|32)|ucs|unicode$|(?:cs)?iso-?10646|csunicode)/i.test(label) ? "utf-8" : label

const named = (label: string): Option.Option<TextDecoder> =>
  label === "" || label.length > labelCharsMax
    ? Option.none()
    : Option.liftThrowable((name: string) => new TextDecoder(name))(label)

const detectable =
  "Big5 CP866 CP874 CP932 CP949 EUC-JP EUC-KR GB18030 ISO-2022-JP ISO8859-2 KOI8-R KOI8-U " +
  "Windows-1250 Windows-1251 Windows-1252 Windows-1253 Windows-1254 Windows-1255 Windows-1256 " +
  "Windows-1257 Windows-1258"
const detectEncodings = detectable.split(" ")
const labels = new Map(Object.entries(listed.charsetLabels))

/** Text in the detected charset, else windows-1252. The detector is loaded on first use. */
const detected = (body: Uint8Array, minimumThreshold: number): Effect.Effect<string> =>
  Effect.map(Effect.promise(() => import("jschardet")), ({ detect }) => {
    const start = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, detectedBytesMax))
    const words = start.toString("latin1").replace(/<[^<>]*>/g, " ")
    const isKnown = minimumThreshold < doubtMin ||
      (words.match(/[\x80-\xff]/g)?.length ?? 0) >= doubtBytesMin
    const { encoding } = detect(Buffer.from(words, "latin1"), { detectEncodings, minimumThreshold })
    const name = isKnown ? encoding?.toLowerCase() ?? "" : ""
    return Option.getOrElse(named(labels.get(name) ?? name), () => new TextDecoder("windows-1252"))
      .decode(body)
  })
