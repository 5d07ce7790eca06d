/** Stands in for js-tiktoken: Tavily's SDK asks for it when it loads, and calls it for a search context. */
exports.encodingForModel = () => {
  throw new Error("js-tiktoken is not installed here: ask Tavily without a search context")
}
