/** Part of a text, by UTF-16 code-unit indices, as JavaScript slices; `end` is exclusive. */
export interface Span {
  readonly start: number
  readonly end: number
}
