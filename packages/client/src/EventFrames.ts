/** Parser of server-sent events, by the HTML standard, for text in chunks of any size. */

export interface Frame {
  /** `message` if the sender names none. */
  readonly event: string
  readonly data: string
}

/** Returns the frames that a chunk completes. Throws `tooLarge` for a longer frame. */
export const reader = (
  frameCharsMax: number,
  tooLarge: () => Error
): (piece: string) => ReadonlyArray<Frame> => {
  let line: Array<string> = []
  let isAfterReturn = false
  let chars = 0
  let event = ""
  let data: Array<string> = []

  const taken = (text: string): Frame | undefined => {
    if (text === "") {
      const frame = data.length === 0
        ? undefined
        : { event: event === "" ? "message" : event, data: data.join("\n") }
      event = ""
      data = []
      chars = 0
      return frame
    }
    const at = text.indexOf(":")
    const field = at < 0 ? text : text.slice(0, at)
    const value = at < 0 ? "" : text.slice(at + 1).replace(/^ /, "")
    if (field === "event") event = value
    if (field === "data") data.push(value)
    if (field === "" && data.length === 0) chars = 0
    return undefined
  }

  return (piece) => {
    const frames: Array<Frame> = []
    let from = isAfterReturn && piece.startsWith("\n") ? 1 : 0
    if (piece !== "") isAfterReturn = false
    const ends = /\r\n|\n|\r/g
    ends.lastIndex = from
    for (let end = ends.exec(piece); end !== null; end = ends.exec(piece)) {
      const rest = piece.slice(from, end.index)
      from = end.index + end[0].length
      chars += rest.length
      if (chars > frameCharsMax) throw tooLarge()
      const frame = taken(line.length === 0 ? rest : [...line, rest].join(""))
      line = []
      if (frame !== undefined) frames.push(frame)
      isAfterReturn = end[0] === "\r" && from === piece.length
    }
    const rest = piece.slice(from)
    if (rest !== "") line.push(rest)
    chars += rest.length
    if (chars > frameCharsMax) throw tooLarge()
    return frames
  }
}
