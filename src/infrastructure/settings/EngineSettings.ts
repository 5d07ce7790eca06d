/** Settings of remote engines: Jina, models and embeddings. */
import * as Setting from "./Setting.ts"

export const table = {
  JINA_API_KEY: Setting.key(
    "Key of Jina, which then reads pages, ranks passages and makes vectors. Absent or blank: this process fetches pages and ranks passages by words"
  ),
  JINA_BASE_URL: Setting.httpUrl("https://api.jina.ai", "URL of Jina's reranker and embeddings"),
  JINA_READER_BASE_URL: Setting.httpUrl(
    "https://r.jina.ai",
    "URL of Jina's Reader, which gets URLs of public hosts only"
  ),
  JINA_RERANKER_MODEL: Setting.text(
    "jina-reranker-v2-base-multilingual",
    "Jina's model for ranking passages"
  ),
  JINA_RERANKER_TIMEOUT: Setting.seconds(
    { default: 8, maximum: 60 },
    "Timeout of one attempt at ranking"
  ),
  RERANKER_BASE_URL: Setting.optionalHttpUrl(
    "Your own reranker, asked before Jina, with Jina's timeout"
  ),
  RERANKER_WIRE: Setting.choice(
    { of: ["jina", "tei"], default: "jina" },
    "Its protocol: `/v1/rerank` of Jina and vLLM, or `/rerank` of Text Embeddings Inference"
  ),
  RERANKER_MODEL: Setting.optionalText("Its model, if it has several"),
  RERANKER_API_KEY: Setting.key("Its key. Absent or blank: none is sent"),
  JINA_EMBEDDING_MODEL: Setting.text("jina-embeddings-v3", "Jina's model for vectors"),
  JINA_EMBEDDING_DIMENSIONS: Setting.whole(
    { default: 1_024, minimum: 1, maximum: 8_192 },
    "Length of Jina's vectors, at most the model's own"
  ),
  OPENAI_EMBEDDING_MODEL: Setting.optionalText(
    "Model for vectors with OpenAI's protocol, instead of Jina's"
  ),
  OPENAI_EMBEDDING_DIMENSIONS: Setting.whole(
    { default: 1_536, minimum: 1, maximum: 8_192 },
    "Length of that model's vectors; requested only of `text-embedding-3-…`, others must have it"
  ),
  OPENAI_EMBEDDING_BASE_URL: Setting.httpUrl(
    "https://api.openai.com/v1",
    "URL of the server of `OPENAI_EMBEDDING_MODEL`; `/embeddings` is added"
  ),
  OPENAI_EMBEDDING_API_KEY: Setting.key(
    "Key of that server. Absent or blank: none is sent"
  ),
  LLM_MODEL: Setting.optionalText("Model for gate, writer and researcher. Absent: local rules"),
  LLM_GATE_MODEL: Setting.optionalText("Another model for the gate, with or without `LLM_MODEL`"),
  LLM_WRITER_MODEL: Setting.optionalText("Another model for the writer"),
  LLM_RESEARCHER_MODEL: Setting.optionalText(
    "Another model for the researcher, which reads a course's sources"
  ),
  LLM_JUDGE_MODEL: Setting.optionalText(
    "Model that judges the writer's claims by their quotes. Absent: that of `LLM_MODEL`; `none`: no judge, and claims keep their sources' own words"
  ),
  LLM_BASE_URL: Setting.httpUrl(
    "https://api.openai.com/v1",
    "Server with OpenAI's chat completions; `/chat/completions` is added"
  ),
  LLM_API_KEY: Setting.key("Key of that server. Absent: none is sent, as for local servers"),
  LLM_PRICES: Setting.prices(
    "Prices by model: `small=0.15/0.6,large=2.5/10` are US dollars for a million tokens of prompt and of answer"
  ),
  LLM_PROMPT_PRICE: Setting.price(
    "US dollars for a million tokens of prompt, for models that `LLM_PRICES` does not name"
  ),
  LLM_COMPLETION_PRICE: Setting.price(
    "US dollars for a million tokens of answer, likewise. With both, cost is recorded"
  )
}
