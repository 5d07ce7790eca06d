/** How the client of `@hey-api/openapi-ts` is made; Node runs it as it is written. */
export default {
  input: "./generated/openapi.json",
  output: { path: "generated/hey", module: { extension: ".ts" } },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"]
}
