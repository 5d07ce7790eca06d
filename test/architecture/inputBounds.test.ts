/** Every text that a caller may send has a longest length: it is recorded, logged and sent on. */
import { assert, describe, it } from "@effect/vitest"
import { Schema, SchemaAST } from "effect"
import { serviceOperations } from "../../src/contract/ServiceOperations.ts"

/** A pattern that ends by itself: nothing in it is repeated without a bound. */
const isEnding = (pattern: string) =>
  !/[*+]|\{\d+,\}/.test(pattern.replace(/\[(?:\\.|[^\]\\])*\]/g, "x").replace(/\\./g, "x"))

const isBounded = (checks: SchemaAST.AST["checks"]): boolean =>
  checks?.some((check): boolean => {
    if (check._tag === "FilterGroup") return isBounded(check.checks)
    const { maxLength, patterns = [] }: Constraint = {
      ...check.annotations?.["arbitraryConstraint"] ?? {}
    }
    return maxLength !== undefined || patterns.some(({ source }) => isEnding(source))
  }) ?? false

interface Constraint {
  readonly maxLength?: number | undefined
  readonly patterns?: ReadonlyArray<{ readonly source: string }> | undefined
}

/** Places of a schema at which a text has no bound. */
const unbounded = (ast: SchemaAST.AST, place: string): ReadonlyArray<string> => {
  if (SchemaAST.isString(ast)) return isBounded(ast.checks) ? [] : [place]
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => unbounded(type, place))
  if (SchemaAST.isArrays(ast)) {
    return [...ast.elements, ...ast.rest].flatMap((type) => unbounded(type, place))
  }
  if (!SchemaAST.isObjects(ast)) return []
  return [
    ...ast.propertySignatures.flatMap(({ name, type }) =>
      unbounded(type, `${place}.${String(name)}`)
    ),
    ...ast.indexSignatures.flatMap(({ parameter, type }) => [
      ...unbounded(parameter, place),
      ...unbounded(type, place)
    ])
  ]
}

describe("the input of an operation", () => {
  it("has no text without a longest length", () => {
    const found = Object.entries(serviceOperations).flatMap(([name, { input }]) =>
      unbounded(input.ast, name)
    )
    assert.deepStrictEqual(found, [])
  })

  it("is searched to the depth of lists and choices", () => {
    const text = Schema.Struct({ list: Schema.Array(Schema.Union([Schema.String, Schema.Int])) })
    assert.lengthOf(unbounded(text.ast, "x"), 1)
    const tag = Schema.String.check(Schema.isPattern(/^[a-z]{2,3}$/))
    assert.lengthOf(unbounded(tag.ast, "x"), 0)
  })
})
