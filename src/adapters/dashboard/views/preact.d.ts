/**
 * Types of `htm/preact` and `preact-render-to-string`: the packages' own bring a browser's types.
 */
declare const element: unique symbol

export interface Element {
  readonly [element]: never
}

export type Html =
  | Element
  | string
  | number
  | false
  | undefined
  | ReadonlyArray<Html>

/** A tagged template. Texts and attributes are escaped when rendered. */
export declare const html: (
  strings: TemplateStringsArray,
  ...values: ReadonlyArray<unknown>
) => Html

export declare const renderToString: (tree: Html) => string
