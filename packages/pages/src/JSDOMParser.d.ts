/** The small DOM that Readability includes and is tested with. Its package has no types. */
declare class JSDOMParser<Document> {
  parse(html: string): Document
}

export { JSDOMParser as default }
