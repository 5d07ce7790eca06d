// Keeps a page up to date, brings more of a list, and sends what its forms and buttons are for.
(() => {
  /** Between two looks at a page that is live, in milliseconds; longer while nothing answers. */
  const lookMs = 4_000
  const lookMsMax = 30_000
  const typingMs = 200

  // Only answers of this service, which escapes every text, become elements.
  const policy = globalThis.trustedTypes?.createPolicy("dashboard", { createHTML: (text) => text })
  const parsed = (text) => new DOMParser().parseFromString(policy ? policy.createHTML(text) : text, "text/html")

  const banner = () => document.querySelector("[data-banner]")
  const say = (text) => {
    const element = banner()
    if (!element) return
    element.hidden = text === ""
    if (element.textContent !== text) element.textContent = text
  }
  const changed = () => document.dispatchEvent(new Event("pagechange"))

  /** What somebody opened stays open. */
  const openedIn = (part) => [...part.querySelectorAll("details")].map(({ open }) => open)
  const replace = (own, fresh) => {
    if (own.outerHTML === fresh.outerHTML || own.contains(document.activeElement?.closest("form"))) return
    const opened = openedIn(own)
    const scrolled = [...own.querySelectorAll(".scroll, .requests, pre")].map(({ scrollLeft, scrollTop }) => [scrollLeft, scrollTop])
    own.replaceChildren(...fresh.childNodes)
    const details = own.querySelectorAll("details")
    if (details.length === opened.length) opened.forEach((open, index) => details[index].open = open)
    own.querySelectorAll(".scroll, .requests, pre").forEach((element, index) => {
      const [left, top] = scrolled[index] ?? [0, 0]
      element.scrollLeft = left
      element.scrollTop = top
    })
  }

  const parts = (root) => new Map([...root.querySelectorAll("[data-part]")].map((part) => [part.dataset.part, part]))

  /** Takes over what another rendering of this page shows. */
  const take = (fresh) => {
    document.body.toggleAttribute("data-live", fresh.body.hasAttribute("data-live"))
    document.title = fresh.title
    const own = parts(document)
    const theirs = parts(fresh)
    const isSame = own.size === theirs.size && [...own.keys()].every((name) => theirs.has(name))
    if (isSame && own.size > 0) for (const [name, part] of own) replace(part, theirs.get(name))
    else {
      const main = fresh.querySelector("main")
      if (main) replace(document.querySelector("main"), main)
    }
    const views = fresh.querySelector(".views")
    if (views) replace(document.querySelector(".views"), views)
    changed()
  }

  const isSignIn = (answer) => answer.redirected && new URL(answer.url).pathname === "/sign-in"

  const pageOf = async (address) => {
    const answer = await fetch(address, { headers: { accept: "text/html" }, credentials: "same-origin" })
    if (isSignIn(answer)) location.assign(answer.url)
    return { status: answer.status, page: parsed(await answer.text()) }
  }

  let shownMs = lookMs
  let awayFrom = ""
  const sayAway = (why) => {
    awayFrom ||= new Date().toISOString().slice(11, 16)
    shownMs = Math.min(shownMs * 2, lookMsMax)
    say(`${why} since ${awayFrom} UTC: these are the figures of before. Trying again …`)
  }
  const look = async () => {
    const isWanted = document.body.hasAttribute("data-live") && document.visibilityState === "visible" && !hasMore
    if (isWanted) {
      try {
        const { page, status } = await pageOf(location.href)
        if (status >= 429 && parts(document).size > 0) {
          sayAway(status === 429 ? "The service is busy" : "The database cannot be reached")
        } else {
          shownMs = lookMs
          awayFrom = ""
          say("")
          take(page)
        }
      } catch {
        sayAway("The service does not answer")
      }
    }
    setTimeout(look, shownMs)
  }

  // More rows of a list, as the viewer comes to its end.
  let hasMore = false
  const nextOf = () => document.querySelector("[data-more] a.button")
  const more = async () => {
    const link = nextOf()
    if (!link || link.dataset.busy) return
    link.dataset.busy = "yes"
    try {
      const { page, status } = await pageOf(link.href)
      if (status !== 200) throw new Error(String(status))
      hasMore = true
      document.querySelector("[data-rows]").append(...page.querySelectorAll("[data-rows] > tr"))
      document.querySelector("[data-more]").replaceChildren(...page.querySelector("[data-more]").childNodes)
      watch()
    } catch {
      delete link.dataset.busy
      say("More could not be read. Try again.")
    }
  }
  const sight = new IntersectionObserver((seen) => seen.some(({ isIntersecting }) => isIntersecting) && more(), { rootMargin: "400px" })
  const watch = () => {
    sight.disconnect()
    const link = nextOf()
    if (link) sight.observe(link)
  }
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-more] a.button")) {
      event.preventDefault()
      more()
    }
  })

  // A filter answers while it is typed; its address is that of the form.
  let typing
  let asked = 0
  document.addEventListener("input", (event) => {
    const form = event.target.closest("form[data-filter]")
    if (!form) return
    clearTimeout(typing)
    typing = setTimeout(async () => {
      const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== "")).toString()
      const address = query === "" ? form.action : `${form.action}?${query}`
      const turn = ++asked
      try {
        const { page, status } = await pageOf(address)
        if (turn !== asked || status !== 200) return
        hasMore = false
        history.replaceState(null, "", address)
        replace(document.querySelector("[data-part=list]"), page.querySelector("[data-part=list]"))
        const range = page.querySelector("header .range")
        if (range) document.querySelector("header .range").replaceChildren(...range.childNodes)
        watch()
      } catch {
        say("The list could not be read. Try again.")
      }
    }, typingMs)
  })

  const post = (address, body) =>
    fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      credentials: "same-origin",
      body: JSON.stringify(body)
    })

  /** What a form holds: texts that are not empty, and which boxes are ticked. */
  const fieldsOf = (form) => {
    const texts = [...new FormData(form)].filter(([name, value]) => value !== "" && form.elements[name].type !== "checkbox")
    const boxes = [...form.querySelectorAll("input[type=checkbox]")].map(({ checked, name }) => [name, checked])
    return Object.fromEntries([...texts, ...boxes])
  }

  const send = async (element, body) => {
    const into = document.getElementById(element.dataset.into ?? "")
    const failure = element.querySelector?.("[data-failure]")
    const buttons = element.matches("form") ? element.querySelectorAll("button") : [element]
    for (const button of buttons) button.disabled = true
    into?.setAttribute("aria-busy", "true")
    try {
      const answer = await post(element.dataset.post, body)
      const { failed, html, to } = await answer.json()
      if (to) location.assign(element.dataset.to ?? to)
      if (html && into) into.replaceChildren(...parsed(html).body.childNodes)
      if (failure) {
        failure.hidden = !failed
        failure.textContent = failed ?? ""
      } else if (failed) say(failed)
    } catch {
      const told = "The service does not answer. Try again."
      if (failure) {
        failure.hidden = false
        failure.textContent = told
      } else say(told)
    }
    into?.removeAttribute("aria-busy")
    for (const button of buttons) button.disabled = false
  }

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[data-post]")
    if (button) send(button, {})
  })

  // A question, and its steps as they are recorded.
  const { html, render } = globalThis.htmPreact ?? {}
  const steps = ({ failed, running, steps }) =>
    html`<ol class="timeline">${
      steps.map(({ detail, duration_ms, title, tone }) =>
        html`<li><time>${duration_ms === undefined ? "" : `${duration_ms} ms`}</time><span class=${`mark ${tone}`} aria-hidden="true"></span><div class="told" dir="auto"><b>${title}</b> <span class="muted">${detail}</span></div></li>`
      )
    }</ol>${running ? html`<p class="muted small">Working …</p>` : ""}${failed ? html`<p class="bad">${failed}</p>` : ""}`

  const ask = async (form) => {
    const place = document.querySelector("[data-steps]")
    const button = form.querySelector("button")
    const shown = { steps: [], running: true, failed: "" }
    const show = () => render(steps(shown), place)
    place.replaceChildren()
    button.disabled = true
    show()
    const heard = (line) => {
      const { done, failed, step } = JSON.parse(line)
      if (step) shown.steps.push(step)
      if (failed) shown.failed = failed
      if (done) location.assign(done)
      shown.running = !done && !failed
      show()
    }
    try {
      const answer = await post("/try", fieldsOf(form))
      if (answer.status === 401) return location.assign("/sign-in?to=/try")
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
      let rest = ""
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        const lines = (rest + value).split("\n")
        rest = lines.pop()
        lines.filter((line) => line !== "").forEach(heard)
      }
      // A refusal is one object without a line's end.
      if (rest !== "") heard(rest)
      if (shown.running) shown.failed = "The answer broke off. The session keeps what was recorded."
    } catch {
      shown.failed = "The service does not answer. Try again."
    }
    shown.running = false
    button.disabled = false
    show()
  }

  document.addEventListener("submit", (event) => {
    const form = event.target
    if (form.matches("[data-try]")) {
      event.preventDefault()
      ask(form)
    } else if (form.matches("[data-post]")) {
      event.preventDefault()
      send(form, fieldsOf(form))
    } else if (form.matches("[data-filter]")) event.preventDefault()
  })

  watch()
  setTimeout(look, lookMs)
})()
