/** Faults that follow from the syntax of a source: one expression or statement changed, types left alone. */
import { parseAst } from "rolldown/parseAst"

/** A deliberate fault in a source file. */
export interface Fault {
  readonly operator: string
  readonly start: number
  readonly end: number
  readonly replacement: string
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && "start" in value

const nodeOf = (value: unknown): Node | undefined => isNode(value) ? value : undefined
const nodesOf = (value: unknown): ReadonlyArray<Node> =>
  Array.isArray(value) ? value.filter(isNode) : []

/** Expressions with a type behind them; every other node of this name is a type. */
const typed = new Set(["TSAsExpression", "TSNonNullExpression", "TSSatisfiesExpression"])

/** Texts for people and names of spans: no test has to know them word by word. */
const wordyCall =
  /^(?:Effect\.(?:log\w*|fn|withSpan|annotate\w*)|Console\.\w+|Metric\.\w+|\w+\.annotate)$/
const wordyField = new Set(["description", "documentation", "identifier", "message", "title"])

const exchanged: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "/",
  "&&": "||",
  "||": "&&",
  some: "every",
  every: "some",
  min: "max",
  max: "min"
}

const isText = (node: Node | undefined): boolean =>
  node?.type === "TemplateLiteral" ||
  node?.type === "Literal" && typeof node["value"] === "string" ||
  node?.type === "BinaryExpression" &&
    (isText(nodeOf(node["left"])) || isText(nodeOf(node["right"])))

/** Every fault of a source, in the order of its text. */
export const faultsOf = (source: string): ReadonlyArray<Fault> => {
  const faults: Array<Fault> = []
  const textOf = ({ end, start }: Node) => source.slice(start, end)
  const add = (
    operator: string,
    { end, start }: Pick<Node, "start" | "end">,
    replacement: string
  ) => {
    faults.push({ operator, start, end, replacement })
  }
  /** The operator's sign, between two operands. */
  const signOf = (left: Node, right: Node, sign: string) => {
    const start = source.indexOf(sign, left.end)
    return { start, end: Math.min(start + sign.length, right.start) }
  }

  const ofCondition = (test: Node | undefined) => {
    if (test === undefined) return
    add("condition negated", test, `!(${textOf(test)})`)
    add("condition always true", test, "true")
    add("condition always false", test, "false")
  }

  const operators: Readonly<Record<string, (node: Node) => void>> = {
    IfStatement: (node) => ofCondition(nodeOf(node["test"])),
    ConditionalExpression: ({ alternate, consequent, ...node }) => {
      const [yes, no] = [nodeOf(consequent), nodeOf(alternate)]
      if (yes === undefined || no === undefined) return
      const test = nodeOf(node["test"])
      add("branches swapped", { start: yes.start, end: no.end }, `${textOf(no)} : ${textOf(yes)}`)
      if (test !== undefined) add("condition always false", test, "false")
      if (test !== undefined) add("condition always true", test, "true")
    },
    BinaryExpression: (node) => {
      const [left, right, sign] = [
        nodeOf(node["left"]),
        nodeOf(node["right"]),
        String(node["operator"])
      ]
      const other = exchanged[sign]
      if (left === undefined || right === undefined || other === undefined) return
      if (sign === "+" && isText(node)) return
      add(
        /[<>=]/.test(sign) ? "comparison changed" : "arithmetic changed",
        signOf(left, right, sign),
        other
      )
    },
    LogicalExpression: (node) => {
      const [left, right, sign] = [
        nodeOf(node["left"]),
        nodeOf(node["right"]),
        String(node["operator"])
      ]
      if (left === undefined || right === undefined) return
      if (sign === "??") add("fallback dropped", node, `(${textOf(left)})`)
      else add("and for or", signOf(left, right, sign), exchanged[sign] ?? sign)
    },
    UnaryExpression: (node) => {
      const argument = nodeOf(node["argument"])
      if (node["operator"] === "!" && argument !== undefined) {
        add("negation dropped", node, textOf(argument))
      }
    },
    ExpressionStatement: (node) => {
      const expression = nodeOf(node["expression"])
      if (expression?.type === "CallExpression") add("call removed", node, ";")
      if (expression?.type === "YieldExpression") add("yield removed", node, ";")
      if (expression?.type === "AssignmentExpression") add("assignment removed", node, ";")
    },
    Literal: (node) => {
      const { value } = node
      if (typeof value === "string" && value !== "") add("text emptied", node, `""`)
      if (typeof value !== "number") return
      add("number raised", node, `(${textOf(node)} + 1)`)
      if (value > 0) add("number lowered", node, `(${textOf(node)} - 1)`)
      if (value > 1) add("number doubled", node, `(${textOf(node)} * 2)`)
    },
    TemplateLiteral: (node) => {
      if (textOf(node) !== "``") add("text emptied", node, "``")
    },
    ArrayExpression: (node) => {
      if (nodesOf(node["elements"]).length > 0) add("list emptied", node, "[]")
    },
    ObjectExpression: (node) => {
      if (nodesOf(node["properties"]).length > 0) add("record emptied", node, "({})")
    },
    CallExpression: (node) => {
      const callee = nodeOf(node["callee"])
      const property = nodeOf(callee?.["property"])
      const object = nodeOf(callee?.["object"])
      if (property === undefined || object === undefined || callee?.["computed"] === true) return
      const name = textOf(property)
      const other = exchanged[name]
      if (other !== undefined) add(`${name} for ${other}`, property, other)
      if (name === "filter" && !/^[A-Z]\w*$/.test(textOf(object))) {
        add("filter dropped", { start: object.end, end: node.end }, "")
      }
    }
  }

  const isWordy = (node: Node, field: string): boolean => {
    const key = nodeOf(node["key"])
    if (key === undefined) return false
    return field === "key" ? node["computed"] !== true : wordyField.has(textOf(key))
  }

  /** Behaviour that is given to a call which else takes words. */
  const isWork = ({ type }: Node) => /Function/.test(type)

  const walk = (node: Node): void => {
    if (/^(?:Import|ExportAll)/.test(node.type) && node.type !== "ImportExpression") return
    if (node.type.startsWith("TS") && !typed.has(node.type)) return
    // A statement that only logs is no behaviour.
    if (node.type === "ExpressionStatement" && /^(?:yield\* )?Effect\.log/.test(textOf(node))) {
      return
    }
    operators[node.type]?.(node)
    const callee = nodeOf(node["callee"])
    const isWords = callee !== undefined && wordyCall.test(textOf(callee))
    for (const [field, value] of Object.entries(node)) {
      if (field === "typeAnnotation" || field === "typeArguments" || field === "directive") continue
      if (isWordy(node, field)) continue
      if (node.type === "TaggedTemplateExpression" && field === "quasi") {
        nodesOf(nodeOf(value)?.["expressions"]).forEach(walk)
      } else if (node.type === "ExportNamedDeclaration" && field === "source") continue
      else if (Array.isArray(value)) {
        nodesOf(value).filter((one) => !isWords || isWork(one)).forEach(walk)
      } else if (isNode(value)) walk(value)
    }
  }

  walk(parseAst(source, { lang: "ts" }) as unknown as Node)
  return faults.sort((left, right) => left.start - right.start)
}

/** The source with the fault in it. */
export const withFault = (source: string, { end, replacement, start }: Fault): string =>
  source.slice(0, start) + replacement + source.slice(end)

/** Numbers from 0 to 1, the same for the same seed. */
export const randomOf = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = state + 0x6D2B79F5 >>> 0
    let mixed = Math.imul(state ^ state >>> 15, state | 1)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) / 4_294_967_296
  }
}

/** `count` of them, by chance: each operator has its turn, however often its place occurs. */
export const drawn = <A extends { readonly fault: Fault }>(
  all: ReadonlyArray<A>,
  count: number,
  random: () => number
): ReadonlyArray<A> => {
  const byOperator = [...Map.groupBy(all, ({ fault }) => fault.operator)]
    .sort(([left], [right]) => left < right ? -1 : 1)
    .map(([, some]) => some.map((one) => ({ one, at: random() })).sort((a, b) => a.at - b.at))
  const chosen: Array<A> = []
  for (let turn = 0; chosen.length < Math.min(count, all.length); turn++) {
    const some = byOperator[turn % byOperator.length]?.pop()
    if (some !== undefined) chosen.push(some.one)
  }
  return chosen
}
