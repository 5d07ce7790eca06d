/** A curve as an SVG picture: sizes on a logarithmic axis, each point labelled with its value. */

export interface Curve {
  readonly title: string
  /** Name of the sizes, e.g. "events in the log". */
  readonly across: string
  /** Name and unit of the values. */
  readonly upwards: string
  readonly series: ReadonlyArray<{
    readonly name: string
    readonly points: ReadonlyArray<readonly [size: number, value: number]>
  }>
}

const width = 640
const height = 320
const margin = { left: 64, right: 24, top: 40, bottom: 56 }
/** Distinguishable in grey, too, by their dashes. */
const strokes = [
  { color: "#1f6feb", dashes: "" },
  { color: "#bf5b04", dashes: "6 4" },
  { color: "#2f8132", dashes: "2 4" }
]

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const text = (x: number, y: number, content: string, attributes = ""): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>${escaped(content)}</text>`

const shown = (value: number): string =>
  value >= 1_000
    ? Math.round(value).toLocaleString("en-US")
    : value >= 100
    ? value.toFixed(0)
    : value >= 10
    ? value.toFixed(1)
    : value.toFixed(2)

export const svgOf = ({ across, series, title, upwards }: Curve): string => {
  const points = series.flatMap(({ points }) => points)
  const sizes = [...new Set(points.map(([size]) => size))].toSorted((left, right) => left - right)
  const [least = 1] = sizes
  const most = sizes.at(-1) ?? least
  const highest = Math.max(...points.map(([, value]) => value)) * 1.15
  const span = Math.max(Math.log(most / least), Number.MIN_VALUE)
  const x = (size: number) =>
    margin.left + Math.log(size / least) / span * (width - margin.left - margin.right)
  const y = (value: number) =>
    height - margin.bottom - value / highest * (height - margin.top - margin.bottom)
  const lines = series.map(({ points }, index) => {
    const { color = "", dashes = "" } = strokes[index % strokes.length] ?? {}
    const path = points.map(([size, value]) => `${x(size).toFixed(1)},${y(value).toFixed(1)}`)
    return [
      `<polyline fill="none" stroke="${color}" stroke-width="2" stroke-dasharray="${dashes}" ` +
      `points="${path.join(" ")}"/>`,
      ...points.flatMap(([size, value]) => [
        `<circle cx="${x(size).toFixed(1)}" cy="${y(value).toFixed(1)}" r="3" fill="${color}"/>`,
        text(x(size), y(value) - 8, shown(value), `text-anchor="middle" fill="${color}"`)
      ])
    ].join("\n")
  })
  const names = series.map(({ name }, index) => {
    const { color = "", dashes = "" } = strokes[index % strokes.length] ?? {}
    const from = margin.left + index * 200
    return [
      `<line x1="${from}" y1="${height - 10}" x2="${from + 24}" y2="${height - 10}" ` +
      `stroke="${color}" stroke-width="2" stroke-dasharray="${dashes}"/>`,
      text(from + 30, height - 6, name, `fill="#333"`)
    ].join("\n")
  })
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
    `font-family="system-ui, sans-serif" font-size="11" role="img">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(margin.left, 18, title, `font-size="13" font-weight="600" fill="#111"`),
    text(margin.left, 32, upwards, `fill="#555"`),
    `<line x1="${margin.left}" y1="${y(0)}" x2="${width - margin.right}" y2="${y(0)}" ` +
    `stroke="#999"/>`,
    ...sizes.map((size) =>
      text(x(size), y(0) + 14, size.toLocaleString("en-US"), `text-anchor="middle" fill="#555"`)
    ),
    text((width + margin.left) / 2, y(0) + 28, across, `text-anchor="middle" fill="#555"`),
    ...lines,
    ...names,
    "</svg>",
    ""
  ].join("\n")
}
