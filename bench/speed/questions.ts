/** A provider that answers at once with prose, and the questions that are asked of it. */
import { listen, type Listening } from "../load/listening.ts"
import { fact } from "../load/services.ts"

/** As long as a provider's snippets are, from different sites, with a number that differs. */
const results = [
  [
    "https://halvern.example/tram",
    "Trams of Halvern",
    `${fact} The ticket is valid for ninety minutes on all lines of the inner city, changes ` +
    "included. Children under the age of six ride free of charge, and dogs need a child's ticket."
  ],
  [
    "https://visit.example/halvern/transport",
    "Getting around Halvern",
    "Visitors reach most sights of Halvern by tram. A single tram ticket in Halvern costs 2.80 " +
    "crowns at the machines and in the app. Since March 2026 drivers sell no tickets any more."
  ],
  [
    "https://news.example/2026/fares",
    "Fares rise in spring",
    "The city council decided in January to raise the fares of the tram. A single ticket went " +
    "from 2.60 to 2.80 crowns, a day ticket from 6.50 to 7.00 crowns. The opposition voted against it."
  ],
  [
    "https://forum.example/t/trams",
    "Tram prices?",
    "When I was there last year I paid 2.60 crowns for a tram ticket in Halvern. Inspectors come " +
    "often, and whoever rides without a ticket pays a fine of 60 crowns on the spot."
  ],
  [
    "https://lake.example/ferry",
    "Ferries",
    "The ferry across Lake Halvern runs every twenty minutes until ten at night. A crossing costs " +
    "4.20 crowns, and a tram ticket of the city of Halvern is not accepted on board."
  ]
].map(([url, title, content], index) => ({ url, title, content, score: 0.9 - index / 10 }))

/** `answerMs`: how long it takes to answer a search. */
export const startProvider = (answerMs = 0): Promise<Listening> => {
  const body = JSON.stringify({ results, usage: { credits: 1 } })
  return listen((request, response) => {
    request.resume()
    const answer = () => response.setHeader("Content-Type", "application/json").end(body)
    if (answerMs === 0) answer()
    else setTimeout(answer, answerMs)
  })
}

const topic = "What does a tram ticket in Halvern cost?"

/** `about`: makes the question, and so its searches, another one. Default: the same for all. */
export const questionAbout = (session: string, about = "") => ({
  session_id: session,
  request_id: "r",
  topic: about === "" ? topic : `What does a tram ticket in Halvern cost on route ${about}?`,
  phase: "mid_chat",
  user_asked_for_facts: true,
  deadline_ms: 20_000,
  overrides: { max_queries: 1 }
})
