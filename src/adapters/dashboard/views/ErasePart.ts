/** The erasure of a session: the form on its page, and what came of it. */
import type { ErasureReport } from "../../../contract/Erasure.ts"
import { counted, moment } from "./Figures.ts"
import { type Html, html } from "./Html.ts"

/** Form that erases a session. Nothing brings the session back, so its id has to be typed. */
export const form = (sessionId: string): Html =>
  html`<details class="card">
    <summary>Erase this session for good</summary>
    <form class="filters" data-post=${`/sessions/${encodeURIComponent(sessionId)}/erase`}
      data-into="verdict">
      <label class="field">The session's id, to confirm<input name="confirmed"
        autocomplete="off" spellcheck="false" required /></label>
      <button class="button" type="submit">Erase</button>
    </form></details>`

export const answer = ({ erased_at, recorded, removed }: ErasureReport): Html =>
  html`<div class="notice info"><span class="ok">Erased</span><div>
    <p>${moment(erased_at)}: the content of ${counted(removed.payloads, "event")} is gone, with
      what was copied from it. The chain stays, and event ${recorded.position} of the log says
      so.</p></div></div>`
