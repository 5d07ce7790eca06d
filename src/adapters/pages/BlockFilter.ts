/**
 * Removes the blocks of a main content that are none: calls to share or subscribe, credits, dates,
 * links.
 */
import type { TextBlock } from "./TextBlocks.ts"

/** A longer block is contents, whatever it begins with. In UTF-16 code units. */
const lineCharsMax = 240
const creditCharsMax = 220
const linksCharsMax = 200
const linkShareMax = 0.75
/** The page's title is said again only at its top. */
const titleBlocksMax = 4

const lines = new RegExp(
  "^(?:" + [
    "advertise?ments?|sponsored(?: content)?|promoted",
    "share(?: (?:this|on|via|with)\\b.*)?|subscribe\\b.*|sign up\\b.*|log ?in\\b.*|register\\b.{0,40}",
    "(?:also )?read (?:more|also|next|the full)\\b.*|also read\\b.*|see also\\b.*|more (?:on|from|about)\\b.*|more:.*",
    "related(?: (?:articles?|stories|content|posts?|topics?|news|links?|coverage|reading))?:?|related:.*",
    "recommended\\b.*|you (?:may|might) also\\b.*|most (?:read|popular)\\b.*|trending\\b.*|watch(?: now)?:.*",
    "filed under\\b.*|tags?:.*|topics?:.*|categor(?:y|ies):.*|labels?:.*",
    "(?:first |originally |last )?(?:published|updated|posted|modified)\\b.{0,60}",
    "(?:photo(?:graph)?s?|images?|pictures?|video)(?: credits?)?(?: by)?:.*|credits?:.*|source:.{0,60}",
    "©.*|\\(c\\) .*|copyright\\b.*|all rights reserved.*|terms of (?:use|service)\\b.*|privacy (?:policy|notice)\\b.*",
    "follow (?:us|me|him|her|them|@).*|click (?:here|to)\\b.*|tap (?:here|to)\\b.*|contact .{0,30}",
    "(?:no |\\d+ |leave a |post a |add a |view |show )?comments?(?: \\(\\d+\\)| off)?|.{0,6}comments?",
    "view author\\b.*|get the latest\\b.*|download .{0,40} app\\b.*|learn more|home|news|caption|loading\\W*",
    "\\d{1,2}:\\d\\d\\s*(?:[ap]\\.?m\\.?)?.{0,20}",
    "(?:the )?(?:story|article|text) continues\\b.*|continue reading\\b.*|scroll .{0,30}|skip (?:to|ad)\\b.{0,30}",
    "print|e-?mail|facebook|twitter|whatsapp|linkedin|pinterest|reddit|telegram|copy link|listen to .{0,60}|write to .{0,60}",
    "\\[edit\\]|reply|report|like|edit|delete|quote|permalink|(?:older|newer|next|previous) (?:posts?|article|page)"
  ].join("|") + ")$",
  "iu"
)
const credit =
  /getty images|\/(?:afp|reuters|getty|epa|ap|shutterstock|alamy|istock)\b|\((?:image|photo|file|picture)[: ].{0,60}\)|\[(?:file|photo|image)[: ]|via (?:getty|ap|reuters)/i
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
