/**
 * A real headless browser. It and its driver are in `test/browser`, with their own lock file, and
 * are installed by the first test that needs them.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"

const folder = resolve("test/browser")
const { resolve: resolveFrom } = createRequire(join(folder, "package.json"))

/** To be installed and unpacked. */
const installMsMax = 180_000

/** Why there is no browser here; `undefined`: there is one. */
export const missing = process.platform === "linux" && process.arch === "x64"
  ? undefined
  : "the browser of these tests runs on Linux x64 alone"

const installed = () => {
  if (existsSync(join(folder, "node_modules/axe-core/axe.min.js"))) return
  const { status, stderr } = spawnSync(
    "npm",
    ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
    { cwd: folder, encoding: "utf8", timeout: installMsMax }
  )
  if (status !== 0) throw new Error(`The browser was not installed: ${stderr.slice(-500)}`)
}

export interface Met {
  /** Messages of the console, and uncaught errors. */
  readonly messages: Array<string>
  /** Addresses beyond the service. */
  readonly outside: Array<string>
}

/** Loose on purpose: its types are installed with it. */
export type Page = any

export interface Browser {
  readonly open: (options?: {
    readonly width?: number
    readonly theme?: "light" | "dark"
    /** Whether the page's scripts run. */
    readonly scripts?: boolean
  }) => Promise<{ readonly page: Page; readonly met: Met }>
  /** Findings of axe-core: rule and element. */
  readonly audit: (page: Page) => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

/** Fonts that show Korean and Arabic, for screenshots. */
const fonts = [
  ["noto-sans-kr", "korean", "Noto Sans KR"],
  ["noto-sans-arabic", "arabic", "Noto Sans Arabic"],
  ["noto-sans", "latin", "Noto Sans"]
] as const

export const fontFaces = (): ReadonlyArray<
  { readonly family: string; readonly weight: string; readonly data: string }
> =>
  fonts.flatMap(([name, subset, family]) =>
    ["400", "600"].map((weight) => ({
      family,
      weight,
      data: readFileSync(
        join(
          folder,
          `node_modules/@fontsource/${name}/files`,
          `${name}-${subset}-${weight}-normal.woff2`
        )
      ).toString("base64")
    }))
  )

/** Unpacked once: it takes some four seconds of a processor. */
const unpacked = resolve("node_modules/.cache/web-grounding/browser")

/** The browser's file. Its package unpacks it where the system keeps what is temporary. */
const executable = async (): Promise<string> => {
  const { version } = JSON.parse(
    readFileSync(join(folder, "node_modules/@sparticuz/chromium/package.json"), "utf8")
  )
  const place = join(unpacked, version)
  if (existsSync(place)) return join(place, "chromium")
  mkdirSync(unpacked, { recursive: true })
  const [making, before] = [mkdtempSync(join(unpacked, "making-")), process.env["TMPDIR"]]
  process.env["TMPDIR"] = making
  try {
    const { default: chromium } = await import(resolveFrom("@sparticuz/chromium"))
    await chromium.executablePath()
  } finally {
    if (before === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = before
  }
  // Whole, or not there; another run may have been faster.
  if (existsSync(place)) rmSync(making, { recursive: true, force: true })
  else renameSync(making, place)
  return join(place, "chromium")
}

/** `base`: where the service is; everything else counts as outside. */
export const launch = async (base: string): Promise<Browser> => {
  installed()
  const { default: chromium } = await import(resolveFrom("@sparticuz/chromium"))
  const { default: puppeteer } = await import(resolveFrom("puppeteer-core"))
  const axe = readFileSync(resolveFrom("axe-core/axe.min.js"), "utf8")
  const browser = await puppeteer.launch({
    executablePath: await executable(),
    args: [...chromium.args, "--no-sandbox", "--disable-background-networking"],
    headless: "shell",
    // A browser of a machine without a language names none that exists.
    env: { ...process.env, LANG: "en_US.UTF-8", LC_ALL: "en_US.UTF-8" }
  })
  return {
    open: async ({ scripts = true, theme = "light", width = 1_280 } = {}) => {
      const page = await browser.newPage()
      const met: Met = { messages: [], outside: [] }
      page.on("console", (message: any) => met.messages.push(message.text()))
      page.on("pageerror", (error: Error) => met.messages.push(error.message))
      page.on("request", (request: any) => {
        if (!request.url().startsWith(base)) met.outside.push(request.url())
      })
      await page.setJavaScriptEnabled(scripts)
      await page.setViewport({ width, height: 860 })
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }])
      return { page, met }
    },
    audit: async (page) => {
      // By the debugger: the page's own policy lets nothing in.
      await page.evaluate(axe)
      const { violations } = await page.evaluate("axe.run()")
      return violations.flatMap(({ id, nodes }: any) =>
        nodes.map(({ html }: any) => `${id}: ${html.slice(0, 160)}`)
      )
    },
    close: () => browser.close()
  }
}
