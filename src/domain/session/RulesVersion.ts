/**
 * The version of what derives an answer from recorded facts: gate, plan, reading, ranking, checks,
 * confidence, evidence block. What texts alone say has the version of the language package.
 *
 * A change that may derive another answer from the same facts raises one of them. Replay recomputes
 * a request of another version as far as the two agree, and names the rest.
 */

/**
 * - 1: all releases before it was recorded. - 2: titles of sources are cleaned of markup. - 3: hits
 * of the same ranks are parted by address alone. - 4: the gate is a fitted model. - 5: claims are
 * quotations first, the evidence block is chosen by sentence, what leaves of a request is chosen.
 * - 6: a set-up that found nothing stays open, the first request fixes the tier, the context begins
 * with what happened; confidence is fitted, and refusal is a bound on it. - 7: the answer has its
 * sources and passages as data. - 8: an answer from the store, asked first, says so, and so does a
 * search that no budget was left for; where every search failed, what the evidence store holds is
 * not told as what a search found. - 9: a claim in another language than its quotations stands as
 * their translation, and one that a writer made of a single case as its quotation; a country in a
 * course's title is no word of its subject besides. - 10: of a private text,
 * sentences that only tell stay where the question says enough alone; short forms and ordinals end
 * no sentence; a rounded number and another day of the week contradict nothing. - 11: private names
 * are told by a fitted tagger; days are counted as days where one page overtakes another; sources
 * of one statement are joined by their quotations. - 12: exact sums of the asker stay, and fewer
 * names behind relations leave. - 13: a decision or an end that a newer source
 * tells overtakes drafts and what held before; figures that an authority bears out stand; what
 * lacks the number or date that was asked for is no answer; one plain word is asked back; the gate
 * is fitted to more texts. - 14: private numbers are told by the tagger of names, which is fitted
 * to four times as many requests; numbers in words answer; what the asker tells beside a question
 * counts little among its terms, and a second query goes without it. - 15: of many or long snippets
 * a bounded part is compared. - 16: a topic asks by the question marks of all scripts; what the
 * user asked for is searched in either phase, a lost query once more, and what nobody could be
 * asked for is not spent; sources are numbered; claims below 0.3 do not stand, and an authority's
 * words tell what it bears out. - 17: the evidence block begins with the pack's quotations;
 * a quotation is sought in all pages and taken for the sentence that it means; one
 * claim of several quotations stays one; what nobody judged is no surer than without a model. - 18:
 * two denials are none, and what a question counts itself joins no claims; sources speak for
 * origins, of which primary and known ones decide what is disputed, how sure a claim is, and when
 * searching ends. - 19: a claim whose figures no source gives together is parted; queries that a
 * gate proposed are planned before those of the rules.
 */
export const rulesVersion = 19

export const rulesVersionUnrecorded = 1

export const languageVersionUnrecorded = "1.0.0"
