/**
 * Scripts and styles of the pages. Each address holds a fingerprint of the content, so that a
 * browser may keep it for ever.
 */
import { Record } from "effect"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

const { resolve } = createRequire(import.meta.url)
const own = (name: string) => fileURLToPath(new URL(`../assets/${name}`, import.meta.url))

const script = "text/javascript; charset=utf-8"
const style = "text/css; charset=utf-8"

const files = {
  "style.css": { path: own("style.css"), type: style },
  "icon.svg": { path: own("icon.svg"), type: "image/svg+xml" },
  "theme.js": { path: own("theme.js"), type: script },
  "charts.js": { path: own("charts.js"), type: script },
  "dashboard.js": { path: own("dashboard.js"), type: script },
  "uplot.js": { path: resolve("uplot/dist/uPlot.iife.min.js"), type: script },
  "uplot.css": { path: resolve("uplot/dist/uPlot.min.css"), type: style },
  "htm-preact.js": {
    path: join(dirname(resolve("htm")), "../preact/standalone.umd.js"),
    type: script
  }
} as const satisfies Readonly<Record<string, { readonly path: string; readonly type: string }>>

export type AssetName = keyof typeof files

export interface Asset {
  readonly type: string
  readonly bytes: Uint8Array
  readonly gzipped: Uint8Array
}

/** Characters of the fingerprint in an address. */
const hashChars = 12

const read = (name: AssetName) => {
  const bytes = readFileSync(files[name].path)
  const hash = createHash("sha256").update(bytes).digest("hex").slice(0, hashChars)
  return { url: `/assets/${hash}/${name}`, asset: { type: files[name].type, bytes } }
}

const loaded = new Map(Record.keys(files).map((name) => [name, read(name)]))
const byUrl: ReadonlyMap<string, Asset> = new Map(
  [...loaded.values()].map(({ asset, url }) => [
    url,
    { ...asset, gzipped: gzipSync(asset.bytes) }
  ])
)

export const assetUrl = (name: AssetName): string => loaded.get(name)?.url ?? "/"

/** Asset at an address; none for an address of another release. */
export const assetAt = (url: string): Asset | undefined => byUrl.get(url)
