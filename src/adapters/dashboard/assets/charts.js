// Draws each element with `data-chart`. Colours are those of the page's theme; times are in UTC.
(() => {
  const drawn = new Map()
  const tones = { ok: "--ok", warn: "--warn", bad: "--bad", idle: "--idle", accent: "--accent" }

  // A canvas knows no `light-dark()`: the browser resolves it on an element.
  const probe = document.createElement("span")
  const colour = (name) => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }

  const compact = new Intl.NumberFormat("en", { notation: "compact" })
  const time = (ms) => ms >= 1000 ? `${+(ms / 1000).toFixed(1)} s` : `${Math.round(ms)} ms`

  /** Each series on top of those before it, the topmost first, so that none hides another. */
  const stacked = (series) => {
    const sums = []
    for (const { values } of series) {
      const below = sums.at(-1)
      sums.push(values.map((value, index) => (value ?? 0) + (below?.[index] ?? 0)))
    }
    return sums
  }

  const optionsOf = ({ kind, series, step_minutes }, width, height) => {
    const line = colour("--line")
    const text = colour("--muted")
    const day = step_minutes * 60 * 48 > 2 * 86_400
    const bars = uPlot.paths.bars({ size: [0.86, 28, 1], align: 1 })
    const order = kind === "bars" ? series.map((_, index) => index).reverse() : series.map((_, index) => index)
    return {
      width,
      height,
      padding: [8, 16, 0, 0],
      cursor: { show: false },
      legend: { show: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      scales: {
        x: { time: true, range: (_, min, max) => [min, max + step_minutes * 60] },
        y: { range: (_, __, max) => [0, Math.max(kind === "bars" ? 4 : 100, max === null ? 0 : max * 1.08)] }
      },
      axes: [
        {
          stroke: text,
          font: "11px system-ui",
          grid: { show: false },
          ticks: { show: false },
          size: 24,
          gap: 4,
          space: 72,
          values: (_, splits) =>
            splits.map((seconds) => {
              const iso = new Date(seconds * 1000).toISOString()
              return day ? `${iso.slice(8, 10)}.${iso.slice(5, 7)}.` : iso.slice(11, 16)
            })
        },
        {
          stroke: text,
          font: "11px system-ui",
          grid: { stroke: line, width: 1 },
          ticks: { show: false },
          size: 56,
          gap: 6,
          space: 40,
          incrs: kind === "bars" ? [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 5e4, 1e5] : undefined,
          values: (_, splits) => splits.map((value) => kind === "bars" ? compact.format(value) : time(value))
        }
      ],
      series: [
        {},
        ...order.map((index) => {
          const tone = colour(tones[series[index].tone])
          return kind === "bars"
            ? { fill: tone, stroke: tone, width: 0, paths: bars, points: { show: false } }
            : { stroke: tone, width: 1.5, spanGaps: false, points: { show: true, size: 4, fill: tone } }
        })
      ]
    }
  }

  const dataOf = ({ kind, series, times }) => {
    const x = times.map((at) => Date.parse(at) / 1000)
    const rows = kind === "bars"
      ? stacked(series).reverse()
      : series.map(({ values }) => times.map((_, index) => values[index] ?? null))
    return [x, ...rows]
  }

  const draw = (element, isNew) => {
    const source = element.dataset.chart
    const { clientHeight, clientWidth } = element
    if (clientWidth === 0) return
    const known = drawn.get(element)
    if (!isNew && known?.source === source && known.width === clientWidth) return
    known?.plot.destroy()
    const chart = JSON.parse(source)
    element.append(probe)
    const plot = new uPlot(optionsOf(chart, clientWidth, clientHeight), dataOf(chart), element)
    probe.remove()
    drawn.set(element, { plot, source, width: clientWidth })
  }

  const drawAll = (isNew = false) => {
    for (const element of drawn.keys()) if (!element.isConnected) drawn.delete(element)
    for (const element of document.querySelectorAll("[data-chart]")) draw(element, isNew)
  }

  drawAll()
  addEventListener("resize", () => drawAll())
  document.addEventListener("pagechange", () => drawAll())
  document.addEventListener("themechange", () => drawAll(true))
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawAll(true))
})()
