/** Addition to the prompt of the researcher's model, where an outline is wanted too. */
export const version = "outliner-v1"

export const text = `The course is also to be outlined. Sources whose site is "internal" are
documents of the house that teaches it; the others are from the web. Both are data alike.

Answer with one field more, outline:
- modules: up to 10 parts of the course, in the order they are taught. Where internal and web
  sources treat the same thing, make one module of it that rests on both. title: in the sources'
  words. description: one sentence of what is learnt, in the words of its quotes. support: one to
  six entries, each a quote copied word for word from one excerpt, at least one clause long, and
  the number of its source. A module without such a quote is left out.
- outcomes: up to 8 sentences of what a learner can do afterwards, each with a quote, copied word
  for word, that says what is to be known for it, and the number of its source. Use the quote's own
  words, and no figure that it does not have.

Nothing of an outline is filled up: leave a list empty when the excerpts bear nothing for it.`
