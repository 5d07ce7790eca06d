/** The two verifiers of `verifiers/`, run as strangers would: Python, and the script of the page. */
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** 10,000 receipts take some minutes. */
const pythonMsMax = 900_000

/** Whether there is a Python that is new enough. */
export const hasPython = spawnSync("python3", [
  "-c",
  "import sys; sys.exit(sys.version_info < (3, 9))"
], { timeout: 10_000 }).status === 0

/** Of one run: a whole receipt takes some 60 kB, and a file is one string here. */
const receiptsMax = 1_000

/** What it prints of each receipt, in their order: `ok`, or `refused: why`. */
export const byPython = (
  folder: string,
  receipts: ReadonlyArray<string>,
  pem: string
): ReadonlyArray<string> => {
  const [lines, key] = [join(folder, "receipts.jsonl"), join(folder, "public.pem")]
  writeFileSync(key, pem)
  return Array.from({ length: Math.ceil(receipts.length / receiptsMax) }, (_, run) => {
    writeFileSync(lines, receipts.slice(run * receiptsMax, (run + 1) * receiptsMax).join("\n"))
    const { stdout } = spawnSync(
      "python3",
      ["verifiers/verify.py", "--lines", lines, "--key", key],
      { encoding: "utf8", timeout: pythonMsMax, maxBuffer: 64 * 1_024 * 1_024 }
    )
    return stdout.trimEnd().split("\n")
  }).flat()
}

/** What a verifier prints of one file, by default of a proof between anchors, and its exit code. */
export const provenByPython = (folder: string, proof: string, pem: string, by = "consistency") => {
  const [file, key] = [join(folder, "proof.json"), join(folder, "public.pem")]
  writeFileSync(file, proof)
  writeFileSync(key, pem)
  const { status, stderr, stdout } = spawnSync(
    "python3",
    [`verifiers/${by}.py`, file, "--key", key],
    { encoding: "utf8", timeout: 60_000 }
  )
  return { status, told: `${stdout}${stderr}` }
}

const [, script = ""] = /<script>([^]*?)<\/script>/.exec(
  readFileSync("verifiers/verify.html", "utf8")
) ?? []

const verifyReceipt: unknown = new Function(`${script}; return verifyReceipt`)()

/** As Python reports it. */
export const byPage = async (
  receipts: ReadonlyArray<string>,
  pem: string
): Promise<ReadonlyArray<string>> => {
  const told: Array<string> = []
  if (typeof verifyReceipt !== "function") return told
  for (const receipt of receipts) {
    told.push(
      await verifyReceipt(receipt, pem).then(
        () => "ok",
        (refused: unknown) => `refused: ${String(refused)}`
      )
    )
  }
  return told
}
