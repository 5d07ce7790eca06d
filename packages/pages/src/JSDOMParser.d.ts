/** The small tree that Readability brings along and is tested with. Its package gives no types. */
declare class JSDOMParser<Document> {
  parse(html: string): Document
}

export { JSDOMParser as default }
