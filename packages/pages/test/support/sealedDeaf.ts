/** A saboteur: work that nobody watches. It hears of its parent's end only when it is done. */
import { Socket } from "node:net"

const deafMs = 8_000
const cell = new Int32Array(new SharedArrayBuffer(4))

const channel = new Socket({ fd: 3 })
channel.on("data", () => void Atomics.wait(cell, 0, 0, deafMs))
channel.on("end", () => process.exit())
channel.on("error", () => process.exit())
channel.write(Buffer.alloc(4))
