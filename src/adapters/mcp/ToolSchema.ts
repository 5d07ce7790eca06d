/** A tool as it is listed: its JSON Schemas, and hints of what a call does. */
import { Schema } from "effect"
import * as McpSchema from "effect/ai/McpSchema"
import { type AgentTool, agentTools } from "../../contract/AgentTools.ts"

export type ToolName = keyof typeof agentTools

const hints = {
  spends: { readOnlyHint: false, idempotentHint: false, openWorldHint: true },
  reads: { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
}

export const toolListing = (name: ToolName) => {
  const { description, effect, fields, input, output, title }: AgentTool = agentTools[name]
  return new McpSchema.Tool({
    name,
    title,
    description,
    inputSchema: described(schemaOf(input, "error"), fields),
    outputSchema: schemaOf(output, "ignore"),
    // Nothing is destroyed: what is recorded is added.
    annotations: { title, destructiveHint: false, ...hints[effect] }
  })
}

type JsonObject = McpSchema.ToolJson

/** Clients need an object at the root; all of the table's are structs. */
const schemaOf = (
  schema: Schema.Codec<unknown, unknown>,
  onExcessProperty: "error" | "ignore"
): JsonObject => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema, { onExcessProperty })
  return {
    ...root,
    type: "object",
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions })
  }
}

const described = (schema: JsonObject, fields: AgentTool["fields"]): JsonObject => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      typeof property === "boolean" || fields[name] === undefined
        ? property
        : { ...property, description: fields[name] }
    ])
  )
})
