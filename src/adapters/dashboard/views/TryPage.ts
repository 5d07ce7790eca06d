/** A question asked from the browser: the steps as they are recorded, then the pack. */
import { type Html, html } from "./Html.ts"
import { card, empty, header, type Viewer } from "./Shell.ts"

export const body = (viewer: Viewer): Html => [
  header("Try it"),
  viewer.canGround
    ? html`<div class="grid same">
      ${
      card(
        "Question",
        html`<form data-try>
          <label class="field">What is to be known<textarea name="topic" required maxlength="2000"
            rows="3" dir="auto" placeholder="How much notice must a tenant give in Japan?"></textarea></label>
          <label class="check"><input type="checkbox" name="user_asked_for_facts" checked /> The user asked to look it up</label>
          <label class="check"><input type="checkbox" name="consent_raw_content" checked /> Keep the texts of pages with the record</label>
          <label class="field">Session<input name="session_id" maxlength="200" autocomplete="off" placeholder="a new one" /></label>
          <button class="button main" type="submit">Ask</button>
        </form>`,
        viewer.isSandbox
          ? "sandbox: answers come from made-up pages"
          : "searches the web and counts against the tenant's budget"
      )
    }
      ${
      card(
        "Steps",
        html`<div data-steps aria-live="polite">${
          empty("Nothing was asked yet.", "Each step appears here as it is recorded.")
        }</div>`
      )
    }
    </div>`
    : empty("This token may not ask.", "It takes the scope ground.")
]
