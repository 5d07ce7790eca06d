/**
 * Version of what derives an answer from recorded facts: gate, plan, reading, ranking, checks,
 * confidence, evidence block. The language package has its own. Raise it with any change that may
 * derive another answer. Replay compares a request of another version as far as the two agree, and
 * names the rest.
 */

/**
 * - 1: all releases before it was recorded.
 * - 2: titles are cleaned of markup.
 * - 3: hits of equal rank are ordered by address.
 * - 4: the gate is fitted.
 * - 5: claims are quotations first.
 * - 6: a set-up without findings stays open; confidence is fitted.
 * - 7: the answer has sources and passages as data.
 * - 8: answers of the store and failed searches are reported as such.
 * - 9: translated claims; a generalised single case is quoted.
 * - 10: private statements stay only if the question needs them.
 * - 11: names are found by a fitted tagger; quotations join sources.
 * - 12: exact sums stay; fewer names after relations leave.
 * - 13: newer decisions overtake; no answer without the requested number or date.
 * - 14: private numbers are found by the tagger; numbers in words answer.
 * - 15: long snippets are compared in part.
 * - 16: a topic may ask; sources are numbered; claims below 0.3 are left out.
 * - 17: the block begins with quotations; unjudged claims are no surer than without a model.
 * - 18: sources count by origin; primary and known ones decide.
 * - 19: claims whose figures no source gives together are split.
 * - 20: a newer page of no class leaves a primary source's claim as it is.
 * - 21: pages that strangers publish have not their site's class.
 * - 22: a model's question is asked where a passage has its words.
 * - 23: what is only later silences no better source.
 * - 24: agreement without a class is confirmed from 0.6; agreement in other words counts.
 * - 25: what a lesser page adds to a better source's words is compared with them.
 * - 26: lines that agree with a claim are not disputed, those that a newer page of an official site
 *   overtakes are; a request without a search left says so; what has no word is no question.
 * - 27: a reported change without a figure overtakes nothing; fields of an address are no line.
 */
export const rulesVersion = 27

export const rulesVersionUnrecorded = 1

export const languageVersionUnrecorded = "1.0.0"
