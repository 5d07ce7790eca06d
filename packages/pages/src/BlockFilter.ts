/**
 * Removes the blocks of a main content that are none: calls to share or subscribe, credits, dates,
 * links.
 */
import listed from "./PageWords.json" with { type: "json" }
import type { TextBlock } from "./TextBlocks.ts"

/** A longer block is contents, whatever it begins with. In UTF-16 code units. */
const lineCharsMax = 240
const creditCharsMax = 220
const linksCharsMax = 200
const linkShareMax = 0.75
/** The page's title is said again only at its top. */
const titleBlocksMax = 4

const lines = new RegExp(`^(?:${listed.notices.join("|")})$`, "iu")
const credit = new RegExp(listed.credit, "i")
const sentenceEnd = /[.!?。！？]["”’)\]]*$/

/**
 * Blocks without notices, credits, lists of links and a repeated title. `titles` are the page's, of
 * its head and of its first heading.
 */
export const contents = (
  blocks: ReadonlyArray<TextBlock>,
  titles: ReadonlyArray<string>
): ReadonlyArray<TextBlock> =>
  blocks.filter((block, place) =>
    block.kind === "code" ||
    (/[\p{L}\p{N}]/u.test(block.text) && !(place < titleBlocksMax && titles.includes(block.text)) &&
      !isNotice(block) && !isCredit(block.text) && !isLinks(block))
  )

const isNotice = ({ text }: TextBlock): boolean => text.length < lineCharsMax && lines.test(text)

const isCredit = (text: string): boolean =>
  text.length < creditCharsMax && credit.test(text) &&
  !sentenceEnd.test(text.replace(credit, "").trim())

const isLinks = ({ kind, linkShare, text }: TextBlock): boolean =>
  kind === "text" && linkShare > linkShareMax && text.length < linksCharsMax
