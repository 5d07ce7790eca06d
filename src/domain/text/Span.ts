/** Part of a text: offsets are UTF-16 code-unit indices, what JavaScript slices; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}
