/** Asks without the client, by `fetch` alone: the least that a caller in any language has to do. */

const [address = "http://127.0.0.1:7420"] = process.argv.slice(2)

/** Of all tries together, in milliseconds. */
const timeoutMs = 30_000
const triesMax = 3

/** The same id again is answered from the log: a lost answer is not paid twice. */
const request = {
  method: "POST",
  headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
  body: JSON.stringify({
    session_id: `example-${crypto.randomUUID()}`,
    topic: "How much notice must a tenant give in Japan?",
    user_asked_for_facts: true
  }),
  signal: AbortSignal.timeout(timeoutMs)
}

const ask = async (tries: number): Promise<Response> => {
  const response = await fetch(`${address}/v1/groundings`, request)
  const seconds = Number(response.headers.get("retry-after") ?? 1)
  const isPassing = response.status === 429 || response.status === 503
  if (!isPassing || tries <= 1 || !Number.isFinite(seconds)) return response
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000))
  return ask(tries - 1)
}

const response = await ask(triesMax)
const answer: unknown = await response.json()
console.log(JSON.stringify(answer, undefined, 2))
if (!response.ok) process.exitCode = 1
