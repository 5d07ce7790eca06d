/** Asks for a token, where the service asks its callers for one; and says what went wrong. */
import { type Html, html } from "./Html.ts"
import { barePage, header } from "./Shell.ts"

export const signIn = (to: string): string =>
  barePage(
    "Sign in",
    html`<section class="card"><div class="head"><h1>Sign in</h1></div>
      <form data-post="/sign-in" data-to=${to}>
        <label class="field">Token<input type="password" name="token" required maxlength="4000"
          autocomplete="current-password" /></label>
        <p class="bad small" role="alert" data-failure hidden></p>
        <button class="button main" type="submit">Sign in</button>
      </form>
      <p class="muted small">Make one with <code>web-grounding tokens create --name me</code>. What it allows decides what is shown.</p>
      <noscript><p class="warn">This form needs the page's script.</p></noscript></section>`
  )

/** A page that could not be shown: in place of its content, or on its own. */
export const problem = (title: string, detail: Html): Html => [
  header(title),
  html`<section class="card" role="alert"><p>${detail}</p></section>`
]
