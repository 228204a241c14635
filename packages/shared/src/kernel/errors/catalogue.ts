/** Every error code of the wire contract with its HTTP status (spec 00 §3). A new error is one line here. */
export const errorCatalogue = {
  invalid_cursor: 400,
  unauthorized: 401,
  not_found: 404,
  scope_not_found: 404,
  source_not_found: 404,
  artifact_not_found: 404,
  memory_not_found: 404,
  job_not_found: 404,
  method_not_allowed: 405,
  scope_conflict: 409,
  source_conflict: 409,
  revision_conflict: 409,
  artifact_conflict: 409,
  memory_entry_inactive: 409,
  cursor_expired: 410,
  precondition_failed: 412,
  body_too_large: 413,
  unsupported_media_type: 415,
  invalid_request: 422,
  capability_not_supported: 422,
  source_not_eligible: 422,
  precondition_required: 428,
  rate_limited: 429,
  internal_error: 500,
  runtime_not_ready: 503,
  worker_unavailable: 503,
  database_unavailable: 503,
  queue_unavailable: 503,
  inference_unavailable: 503,
  inference_timeout: 503,
  job_timeout: 503,
} as const;

export type ErrorCode = keyof typeof errorCatalogue;

/** What any bearer operation can answer besides its own errors (spec 10 §1.1). */
export const commonErrors = [
  'unauthorized',
  'method_not_allowed',
  'body_too_large',
  'unsupported_media_type',
  'invalid_request',
  'rate_limited',
  'internal_error',
  'runtime_not_ready',
  'database_unavailable',
] as const satisfies readonly ErrorCode[];
