/** Sealed work that does to its process what a question says. */
import { Effect } from "effect"
import * as SealedWork from "../../src/sealed/SealedWork.ts"

const spinMs = 8_000

const spin = (): string => {
  const end = performance.now() + spinMs
  while (performance.now() < end);
  return "done"
}

/** 512 MiB, a little at a time. */
const grow = (make: () => unknown): string => {
  const kept = Array.from({ length: 512 }, make)
  return String(kept.length)
}

const does: Readonly<Record<string, () => string>> = {
  environment: () => Object.keys(process.env).join(),
  spin,
  heap: () => grow(() => Array.from({ length: 131_072 }, (_, place) => place / 3)),
  buffers: () => grow(() => Buffer.alloc(1_048_576, 1)),
  flood: () => "x".repeat(200_000),
  exit: () => process.exit(3),
  die: () => JSON.parse("{")
}

SealedWork.serve(100_000, (question) =>
  Effect.sync(() => {
    const text = new TextDecoder().decode(question)
    return new TextEncoder().encode(does[text]?.() ?? text)
  }))
