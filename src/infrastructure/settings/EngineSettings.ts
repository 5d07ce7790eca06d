/** Settings of remote engines: Jina, models and embeddings. */
import * as Setting from "./Setting.ts"

export const table = {
  JINA_API_KEY: Setting.key(
    "Jina reads pages, ranks passages and makes vectors. Absent or blank: pages are fetched by this process and passages are ranked by their words"
  ),
  JINA_BASE_URL: Setting.httpUrl("https://api.jina.ai", "Where Jina's reranker and embeddings are"),
  JINA_READER_BASE_URL: Setting.httpUrl(
    "https://r.jina.ai",
    "Address of Jina's Reader. It gets addresses of public hosts only"
  ),
  JINA_RERANKER_MODEL: Setting.text(
    "jina-reranker-v2-base-multilingual",
    "Which of Jina's models ranks passages"
  ),
  JINA_RERANKER_TIMEOUT: Setting.seconds(
    { default: 8, maximum: 60 },
    "One attempt at ranking the passages"
  ),
  RERANKER_BASE_URL: Setting.optionalHttpUrl(
    "A server of one's own that ranks passages, before Jina, with Jina's time for an attempt"
  ),
  RERANKER_WIRE: Setting.choice(
    { of: ["jina", "tei"], default: "jina" },
    "What it speaks: `/v1/rerank` as Jina and vLLM do, or `/rerank` of Text Embeddings Inference"
  ),
  RERANKER_MODEL: Setting.optionalText("Its model, where it has several"),
  RERANKER_API_KEY: Setting.key("Its key. Absent or blank: none is sent"),
  JINA_EMBEDDING_MODEL: Setting.text("jina-embeddings-v3", "Which of Jina's models makes vectors"),
  JINA_EMBEDDING_DIMENSIONS: Setting.whole(
    { default: 1_024, minimum: 1, maximum: 8_192 },
    "Length of Jina's vectors, at most the model's own"
  ),
  OPENAI_EMBEDDING_MODEL: Setting.optionalText(
    "A model behind OpenAI's protocol. Set: it makes the vectors, and Jina's do not"
  ),
  OPENAI_EMBEDDING_DIMENSIONS: Setting.whole(
    { default: 1_536, minimum: 1, maximum: 8_192 },
    "Length of that model's vectors; asked for only of `text-embedding-3-…`, others must have it"
  ),
  OPENAI_EMBEDDING_BASE_URL: Setting.httpUrl(
    "https://api.openai.com/v1",
    "Where the server of `OPENAI_EMBEDDING_MODEL` is; `/embeddings` is added"
  ),
  OPENAI_EMBEDDING_API_KEY: Setting.key(
    "Key of that server. Absent or blank: none is sent, for a server that asks for none"
  ),
  LLM_MODEL: Setting.optionalText("Model for gate, writer and researcher. Absent: they go by rule"),
  LLM_GATE_MODEL: Setting.optionalText("Another model for the gate, with or without `LLM_MODEL`"),
  LLM_WRITER_MODEL: Setting.optionalText("Another model for the writer"),
  LLM_RESEARCHER_MODEL: Setting.optionalText(
    "Another model for the researcher, which reads a course's sources"
  ),
  LLM_JUDGE_MODEL: Setting.optionalText(
    "A model that judges the writer's claims by their quotes. Absent: the one of `LLM_MODEL`; `none`: no judge, and claims keep their sources' own words"
  ),
  LLM_BASE_URL: Setting.httpUrl(
    "https://api.openai.com/v1",
    "Server that speaks OpenAI's chat completions; `/chat/completions` lies below it"
  ),
  LLM_API_KEY: Setting.key("Key of that server. Absent: none is sent, as local servers want it"),
  LLM_PRICES: Setting.prices(
    "Prices model by model: `small=0.15/0.6,large=2.5/10` are US dollars for a million tokens of prompt and of answer"
  ),
  LLM_PROMPT_PRICE: Setting.price(
    "US dollars for a million tokens of prompt, of models that `LLM_PRICES` does not name"
  ),
  LLM_COMPLETION_PRICE: Setting.price(
    "US dollars for a million tokens of answer, likewise. With both, cost is recorded"
  )
}
