// Before anything is painted: the theme that the viewer chose, else the system's.
(() => {
  // A browser of a machine without a language names one that does not exist, and no chart is drawn.
  try {
    new Intl.NumberFormat(navigator.language)
  } catch {
    Object.defineProperty(navigator, "language", { value: "en" })
  }
  const themes = ["light", "dark"]
  const root = document.documentElement
  const stored = () => {
    try {
      return localStorage.getItem("theme")
    } catch {
      return null
    }
  }
  const apply = (theme) => {
    if (themes.includes(theme)) root.dataset.theme = theme
    else delete root.dataset.theme
  }
  apply(stored())
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-theme-button]")) return
    const isDark = root.dataset.theme === "dark" ||
      (root.dataset.theme === undefined && matchMedia("(prefers-color-scheme: dark)").matches)
    const next = isDark ? "light" : "dark"
    try {
      localStorage.setItem("theme", next)
    } catch {
      // A browser that keeps nothing forgets it with the page.
    }
    apply(next)
    document.dispatchEvent(new Event("themechange"))
  })
})()
