/** A saboteur: work that nobody watches. It hears of its parent's end only when it is done. */
import { Socket } from "node:net"

const spinMs = 8_000

const channel = new Socket({ fd: 3 })
channel.on("data", () => {
  const end = performance.now() + spinMs
  while (performance.now() < end);
})
channel.on("end", () => process.exit())
channel.on("error", () => process.exit())
channel.write(Buffer.alloc(4))
