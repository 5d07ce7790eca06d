/**
 * A thread's posts: elements of one make, the first of them right under the page's title.
 *
 * That is what tells a forum or a page of answers from an article with comments, whose own text
 * does not look like them.
 */
import type { PageElement } from "./PageNode.ts"
import { firstOpening, lineOf, type Prose } from "./Prose.ts"
import { blocksOf, type TextBlock } from "./TextBlocks.ts"

/** Least prose of a post, and of the first post. In UTF-16 code units. */
const postCharsMin = 20
const openingCharsMin = 40
const postsMin = 2
/** Share of a thread's text from which its longest post is an article and the others are not. */
const longestShareMax = 0.85
/** How many ancestors of the first text are looked at. */
const ancestorsMax = 40

/** Names of posts, in any of their forms or in the vocabulary of schema.org. */
const postName =
  /post|comment|comtr|commtext|repl(?:y|ies)|answer|question|message|msg|thread|topic|discuss|forum|prose|review/i

interface Posts {
  readonly elements: ReadonlyArray<PageElement>
  readonly chars: number
  readonly longest: number
}

/** Posts of a discussion, in order; empty when the page is no thread. */
export const readPosts = (
  prose: Prose,
  heading: PageElement | undefined
): ReadonlyArray<TextBlock> => {
  const first = firstOpening(prose, heading, openingCharsMin)
  if (first === undefined) return []
  const byMake = Map.groupBy(prose.keys(), makeOf)
  const candidates = lineOf(first).slice(0, ancestorsMax).flatMap((element) => {
    const make = makeOf(element)
    const posts = make === "" ? undefined : postsOf(byMake.get(make) ?? [], prose)
    return posts !== undefined && posts.longest <= longestShareMax * posts.chars ? [posts] : []
  })
  const most = candidates.reduce((most, { chars }) => Math.max(most, chars), 0)
  // Outside of the posts' text stand names and dates, inside are parts of one post.
  const innermost = candidates.find(({ chars }) => chars >= 0.8 * most)
  return innermost === undefined ? [] : innermost.elements.flatMap(blocksOf)
}

/**
 * Mark that elements of one make share: kind and class, or an id that counts. Empty for no post.
 */
const makeOf = (element: PageElement): string => {
  const { localName } = element
  if (localName === "p" || localName === "body") return ""
  const names = element.getAttribute("class")?.trim() ?? ""
  const id = element.getAttribute("id") ?? ""
  const type = `${element.getAttribute("itemtype") ?? ""} ${element.getAttribute("itemprop") ?? ""}`
  if (!postName.test(`${names} ${id} ${type}`)) return ""
  const named = names.split(/\s+/).find((name) => postName.test(name)) ?? ""
  const make = named === "" && /\d/.test(id) ? id : named === "" ? type : named
  return make === "" ? "" : `${localName} ${make.replace(/\d+/g, "0")}`
}

/** Posts stand beside each other; what lies in a post is a part of it. */
const postsOf = (alike: ReadonlyArray<PageElement>, prose: Prose): Posts | undefined => {
  const all = new Set(alike)
  const posts = alike.filter((element) =>
    (prose.get(element) ?? 0) >= postCharsMin &&
    !lineOf(element).some((above) => above !== element && all.has(above))
  )
  if (posts.length < postsMin) return undefined
  const lengths = posts.map((element) => prose.get(element) ?? 0)
  const chars = lengths.reduce((sum, length) => sum + length, 0)
  return { elements: posts, chars, longest: lengths.reduce((most, own) => Math.max(most, own), 0) }
}
