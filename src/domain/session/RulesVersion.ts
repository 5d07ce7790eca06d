/**
 * The version of what derives an answer from recorded facts: gate, plan, reading, ranking, checks,
 * confidence, evidence block. What texts alone say has the version of the language package.
 *
 * A change that may derive another answer from the same facts raises one of them. Replay recomputes
 * a request of another version as far as the two agree, and names the rest.
 */

/**
 * - 1: all releases before it was recorded.
 * - 2: titles of sources are cleaned of markup.
 * - 3: hits of the same ranks are ordered by address alone.
 * - 4: the gate is a fitted model.
 * - 5: claims are quotations first; the evidence block is chosen by sentence; parts of a request
 *   that leave are chosen.
 * - 6: a set-up without findings stays open; the first request fixes the tier; the context begins
 *   with what happened; confidence is fitted, and refusal is a bound on it.
 * - 7: the answer has its sources and passages as data.
 * - 8: an answer from the store, asked first, says so, as does a search without budget; where every
 *   search failed, entries of the store are not reported as search results.
 * - 9: a claim in another language than its quotations is their translation, one generalised from a
 *   single case its quotation; a country in a course's title is no word of its subject.
 * - 10: statements of a private text stay only if the question needs them; short forms and ordinals
 *   end no sentence; a rounded number and another weekday contradict nothing.
 * - 11: private names are found by a fitted tagger; an overtaking page's days count; sources of one
 *   statement are joined by their quotations.
 * - 12: exact sums of the user stay, and fewer names after relations leave.
 * - 13: a newer decision or end overtakes drafts and earlier states; figures that an authority
 *   confirms are kept; without the requested number or date there is no answer; one plain word is
 *   asked back; the gate is fitted to more texts.
 * - 14: private numbers are found by the tagger of names, which is fitted to four times as many
 *   requests; numbers in words answer; statements around a question weigh little, and a second
 *   query omits them.
 * - 15: a bounded part of many or long snippets is compared.
 * - 16: a topic asks by question marks of all scripts; a user's request is searched in either
 *   phase, a lost query once more, and a call that no provider could take is not spent; sources are
 *   numbered; claims below 0.3 are left out, and an authority's words state what it confirms.
 * - 17: the evidence block begins with the pack's quotations; a quotation is looked up in all pages
 *   and assigned to the sentence that it means; one claim of several quotations stays one; an
 *   unjudged claim is no surer than without a model.
 * - 18: two denials are none, and the question's own counts join no claims; sources represent
 *   origins, and primary and known ones decide disputes, confidence, and the end of searching.
 * - 19: a claim whose figures no source gives together is split; queries that a gate proposed are
 *   planned before those of the rules.
 * - 20: a newer page of no class leaves a primary source's claim as it is; a topic may ask without
 *   a question mark; pages that give an answer in other words are cited for it.
 * - 21: claims of sources of different classes stay apart, and a primary page's words confirm
 *   no other's; one passage is of the best class; pages that strangers publish on a site have
 *   not its class.
 * - 22: a model's question is asked where a passage has its words; what a source calls unchecked
 *   disputes no claim of another.
 * - 23: what is only later silences no better source; what strangers publish on a site is compared
 *   with the site's own; advice with a name of its own agrees with no other.
 */
export const rulesVersion = 23

export const rulesVersionUnrecorded = 1

export const languageVersionUnrecorded = "1.0.0"
