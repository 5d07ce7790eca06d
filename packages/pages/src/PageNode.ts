/** Part of a DOM that we use, so that nothing but the tree's builder knows who made it. */

export interface PageNode {
  readonly nodeType: number
  readonly parentNode: PageElement | null
  readonly firstChild: PageNode | null
  readonly nextSibling: PageNode | null
  readonly textContent: string | null
  readonly remove: () => void
}

export interface PageElement extends PageNode {
  /** Lower case. */
  readonly localName: string
  readonly getAttribute: (name: string) => string | null | undefined
}

export const isElement = (node: PageNode): node is PageElement => node.nodeType === 1
export const isTextNode = (node: PageNode): boolean => node.nodeType === 3

/** The children as they are now: the tree may be changed while they are walked. */
export const childrenOf = (node: PageNode): ReadonlyArray<PageNode> => {
  const children: Array<PageNode> = []
  for (let child = node.firstChild; child !== null; child = child.nextSibling) children.push(child)
  return children
}
