import { z } from 'zod';
import { headerSecret } from './secrets.ts';
import { milliseconds, onOff, prefix, text, whole } from './value-types.ts';

/** Settings of features: Memory, models, search, reports, remote targets, generation, External Skills. */
export const featureSettings = {
  MEMORY_SOURCE_WINDOW_LIMIT: whole(1, 1000).default(100).describe('Maximum Sources of one flush.'),
  MEMORY_EXTRACTION_PROFILE: z
    .enum(['coding', 'conversation'])
    .default('coding')
    .describe(
      'Statements that extraction selects: `coding` for software work, `conversation` also for personal facts.',
    ),
  MEMORY_AUTO_FLUSH: onOff
    .default(true)
    .describe('`on` flushes in the background after captures, `off` on request only.'),
  MEMORY_AUTO_FLUSH_DEBOUNCE_MS: milliseconds
    .default(10_000)
    .describe('Wait after the last capture before a background flush.'),
  MEMORY_AUTO_FLUSH_MAX_DELAY_MS: milliseconds
    .default(60_000)
    .describe('Maximum wait of a captured Source for its background flush.'),
  MEMORY_SWEEP_INTERVAL_MS: milliseconds
    .default(60_000)
    .describe('Interval of the search for Scopes whose background flush was missed.'),
  RECALL_ESTIMATION: onOff
    .default(true)
    .describe('`on` estimates the tokens that prepared contexts save, `off` only counts the contexts.'),
  INFERENCE_GENERATION_MODEL: text
    .optional()
    .describe(
      'Model that extracts Memory, drafts Handoffs and generates Experiences and Skills. Without a model, built-in rules do this.',
    ),
  INFERENCE_PROVIDER: z
    .enum(['openai-compatible', 'anthropic'])
    .default('openai-compatible')
    .describe('API of the endpoint of the model. `anthropic` requires `INFERENCE_API_KEY`.'),
  INFERENCE_BASE_URL: z
    .url()
    .optional()
    .describe(
      'Endpoint of the model, including the version (`https://host/v1`). Required, except for `anthropic`: then it defaults to `https://api.anthropic.com/v1`.',
    ),
  INFERENCE_API_KEY: headerSecret.optional().describe('API key of that endpoint.'),
  INFERENCE_GENERATION_TIMEOUT_MS: milliseconds
    .default(30_000)
    .describe('Timeout of one request to the generation model.'),
  INFERENCE_GENERATION_MAX_REQUESTS: whole(1, 10)
    .default(2)
    .describe(
      'Maximum requests to the model for one extraction, retries included. The same limit holds for one draft or generation if the endpoint does not answer.',
    ),
  INFERENCE_EMBEDDING_MODEL: text
    .max(256)
    .optional()
    .describe(
      'Model that embeds entries and queries, for search by meaning. Requires the next two settings as well.',
    ),
  INFERENCE_EMBEDDING_PROFILE_ID: text
    .max(128)
    .optional()
    .describe(
      'Your name for the vectors of that model. If the name, the model or the dimension changes, workers embed all entries again.',
    ),
  INFERENCE_EMBEDDING_DIMENSION: whole(1, 16_000).optional().describe('Dimension of its vectors.'),
  INFERENCE_EMBEDDING_QUERY_PREFIX: prefix.describe(
    'Text that the service puts before each query, for models that expect one, such as `query: `.',
  ),
  INFERENCE_EMBEDDING_PASSAGE_PREFIX: prefix.describe(
    'Text that the service puts before each entry, such as `passage: `. If you change it, change `INFERENCE_EMBEDDING_PROFILE_ID` too.',
  ),
  INFERENCE_EMBEDDING_BASE_URL: z
    .url()
    .optional()
    .describe(
      'OpenAI-compatible endpoint of the embedding model. The default is `INFERENCE_BASE_URL`, if that endpoint is OpenAI-compatible.',
    ),
  INFERENCE_EMBEDDING_API_KEY: headerSecret
    .optional()
    .describe(
      'API key of that endpoint. The service sends `INFERENCE_API_KEY` only to `INFERENCE_BASE_URL`.',
    ),
  INFERENCE_EMBEDDING_TIMEOUT_MS: milliseconds.default(30_000).describe('Timeout of one embedding request.'),
  INFERENCE_EMBEDDING_BATCH_SIZE: whole(1, 2048)
    .default(64)
    .describe('Maximum entries of one embedding request.'),
  EMBEDDER: onOff
    .default(true)
    .describe(
      '`on` uses the built-in embedder for search by meaning, if no `INFERENCE_EMBEDDING_MODEL` is set: `npm start` starts one, other deployments set `EMBEDDER_URL`. With `off`, search is by words.',
    ),
  EMBEDDER_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Address of the built-in embedder (`http://host:port`). Gateways and workers need the same. `npm start` sets it.',
    ),
  EMBEDDER_FAILED: onOff
    .default(false)
    .describe(
      '`npm start` sets `on` if its embedder did not start. Readiness and `continuity doctor` say so.',
    ),
  EMBEDDER_THREADS: whole(1, 16).default(1).describe('Threads with which the embedder computes.'),
  INFERENCE_TRACE_CONTEXT: onOff
    .default(false)
    .describe(
      '`on` sends `traceparent` with the requests to models. Use it only for endpoints of your own: it shows a provider which requests belong to one trace.',
    ),
  MEMORY_RERANK_ENABLED: onOff
    .default(false)
    .describe('`on` lets the generation model reorder the best hits of a search.'),
  MEMORY_RERANK_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'Whole address of an endpoint that scores the best hits of a search, such as `http://localhost:8080/rerank`. Its scores count half. Not together with `MEMORY_RERANK_ENABLED`.',
    ),
  MEMORY_RERANK_FORMAT: z
    .enum(['cohere', 'tei'])
    .default('cohere')
    .describe(
      'Form of its requests. `cohere`: Cohere, Jina, vLLM, llama.cpp, Infinity, OpenVINO, LiteLLM. `tei`: Text Embeddings Inference.',
    ),
  MEMORY_RERANK_MODEL: text.optional().describe('Its model, if the endpoint has several.'),
  MEMORY_RERANK_API_KEY: headerSecret.optional().describe('API key of that endpoint.'),
  MEMORY_RERANK_TIMEOUT_MS: whole(100, 60_000)
    .default(3_000)
    .describe('Timeout of one request to that endpoint.'),
  MEMORY_RERANK_CANDIDATE_LIMIT: whole(1, 100)
    .optional()
    .describe(
      'Hits that the model reorders, by default 30, or that the endpoint scores, by default 50. For a request with a higher `limit`, that many.',
    ),
  REPORT_ACTIVITY_DAYS: whole(1, 365)
    .default(90)
    .describe(
      'Days after `observed_at` for which the service keeps activities of Projects. Workers delete older ones.',
    ),
  REPORT_CONCURRENCY: whole(1, 64)
    .default(2)
    .describe(
      'Concurrent reports of a report worker. Each can take memory of up to 16 times `REPORT_OUTPUT_LIMIT_BYTES`.',
    ),
  REPORT_OUTPUT_LIMIT_BYTES: whole(1024, 67_108_864)
    .default(10_485_760)
    .describe('Maximum size of a report. A larger one is 413 `handoff_report_too_large`.'),
  REPORT_MAX_SCOPES: whole(1, 10_000)
    .default(1000)
    .describe('Maximum Scopes of a report that selects Scopes instead of a Project.'),
  REPORT_EVIDENCE_BUDGET_MS: whole(0, 60_000)
    .default(10_000)
    .describe('Maximum time for the evidence checks of one report. With 0, reports check no evidence.'),
  REPORT_RENDERING_TTL_MS: whole(0, 604_800_000)
    .default(86_400_000)
    .describe(
      'Time for which the service returns a stored report again if nothing in it has changed. With 0, it renders each report anew.',
    ),
  REPORT_RENDERING_BYTES: whole(0, 2 ** 40)
    .default(268_435_456)
    .describe(
      'Maximum size of the stored reports of a tenant. Report workers delete the oldest first, at the earliest ten minutes after they were made. The result of an asynchronous job stays for a day in any case.',
    ),
  REMOTE_ENROLLMENT_TTL_MS: milliseconds
    .default(600_000)
    .describe('Validity of the enrollment code of a remote Skill target.'),
  REMOTE_OFFLINE_MS: milliseconds
    .default(300_000)
    .describe(
      'Time without a request of its Receiver after which a remote Skill target is shown as `offline`.',
    ),
  REMOTE_SWEEP_INTERVAL_MS: milliseconds
    .default(30_000)
    .describe('Interval of the search for remote Skill targets whose enrollment code has expired.'),
  REMOTE_REQUIRE_HTTPS: onOff
    .default(false)
    .describe(
      '`on` refuses requests of Receivers without `X-Forwarded-Proto: https`, except requests without this header from the machine of the gateway. Put a proxy that sets the header in front of the gateway.',
    ),
  HANDOFF_GENERATION: onOff
    .default(true)
    .describe('`on` drafts Handoffs, `off` answers 503 `handoff_generation_unavailable`.'),
  EXPERIENCE_GENERATION: onOff
    .default(true)
    .describe('`on` generates Experiences, `off` answers 503 `generation_unavailable`.'),
  EXPERIENCE_INCUBATION: onOff
    .default(false)
    .describe('`on` generates Experience Candidates from task outcomes in the background.'),
  EXPERIENCE_INCUBATION_INTERVAL_MS: milliseconds
    .default(60_000)
    .describe('Interval of the search for new task outcomes.'),
  SKILL_GENERATION: onOff
    .default(true)
    .describe('`on` generates Skills, `off` answers 503 `generation_unavailable`.'),
  EXTERNAL_SKILLS_FILE: text
    .optional()
    .describe(
      'JSON file that lists hosts and their folders of External Skills. All gateways and workers read the same file. Without it, there are no External Skills. See [external Skills](external-skills.md).',
    ),
  EXTERNAL_SKILLS_HOST_ID: text
    .optional()
    .describe(
      'The host of `EXTERNAL_SKILLS_FILE` on which this process runs. Needed only if the file has several hosts. A worker without a host takes no jobs on External Skills.',
    ),
};
