import { z } from 'zod';
import { citation, int } from '../notation/shapes.ts';
import { packageError } from '../skills/shapes.ts';
import { defineError, issues, noDetails } from './record.ts';

/** Errors of requests, independent of the area. */
export const requestErrors = {
  invalid_cursor: defineError({
    status: 400,
    message: 'This list did not issue the cursor. Start again without it.',
    details: noDetails,
    when: 'The cursor was altered or belongs to another query.',
    advice: 'Read the list from its start, without a cursor.',
  }),
  unauthorized: defineError({
    status: 401,
    message: 'Send a valid token as `Authorization: Bearer <token>`.',
    details: noDetails,
    when: 'Authentication is on, and the request has no valid token.',
    advice: 'Send a token of the tenant in the `Authorization` header.',
  }),
  forbidden: defineError({
    status: 403,
    message: 'This path needs a token of the role operator.',
    details: noDetails,
    when: 'Authentication is on, and a token of a tenant requests something of the whole service, such as `/metrics`.',
    advice: 'Send a token of the role `operator`. Ask the operator of the service for it.',
  }),
  not_found: defineError({
    status: 404,
    message: 'The service has no such path. See /openapi.json for the paths.',
    details: noDetails,
    when: 'The service has no such path.',
    advice: 'Correct the path. `/openapi.json` lists them.',
  }),
  method_not_allowed: defineError({
    status: 405,
    message: 'This path does not take the method. Use one that `Allow` names.',
    details: noDetails,
    when: 'The path does not take the method.',
    advice: 'Use a method that the `Allow` header names.',
    example: { message: 'Use POST here.', details: {} },
  }),
  cursor_expired: defineError({
    status: 410,
    message: 'The cursor is over an hour old. Start again without it.',
    details: noDetails,
    when: 'The cursor is more than 3600 s old.',
    advice: 'Read the list from its start, without a cursor.',
  }),
  body_too_large: defineError({
    status: 413,
    message: 'The body is too large. Send a smaller one.',
    details: z.strictObject({ limit_bytes: int(1) }),
    when: 'The body exceeds the limit of the operation (`x-max-body-bytes` in OpenAPI) or of the deployment (`BODY_LIMIT_BYTES`).',
    advice: 'Send at most `details.limit_bytes` bytes.',
    example: {
      message: 'The body exceeds 262144 bytes. Send a smaller one.',
      details: { limit_bytes: 262_144 },
    },
  }),
  unsupported_media_type: defineError({
    status: 415,
    message: 'Send the body as application/json, in UTF-8.',
    details: noDetails,
    when: 'The body is not sent as `application/json` in UTF-8.',
    advice: 'Send `Content-Type: application/json` and no `charset` other than UTF-8.',
  }),
  misdirected_request: defineError({
    status: 421,
    message:
      'Without authentication the service answers only to loopback names, to HOST and to ALLOWED_HOSTS. Use one of these names, ' +
      'or configure a token.',
    details: noDetails,
    when:
      'Authentication is off. The `Host` is neither a loopback name nor in `HOST` or `ALLOWED_HOSTS`, or a web page of ' +
      'another origin sends a write, or one of another site a read.',
    advice: 'Use a loopback name, add the name to `ALLOWED_HOSTS`, or configure a token.',
  }),
  invalid_request: defineError({
    status: 422,
    message: 'The request is not valid. Correct it as the issues say.',
    details: z.union([
      z.strictObject({ issues }),
      z.strictObject({ issues, package_error: packageError }),
      z.strictObject({
        reason: z.literal('handoff_evidence_unavailable'),
        citations: z.array(citation),
        issues,
      }),
    ]),
    when:
      'The request breaks a rule of the operation. `details.issues` lists the first 32 problems. If `details.reason` is ' +
      '`handoff_evidence_unavailable`, an accepted Handoff has unreadable evidence, which `details.citations` lists. For a ' +
      'refused Skill package, `details.package_error` has the reason.',
    advice: 'Correct each field that `details.issues` names, and send the request again.',
    example: {
      message: 'scope_id: is required',
      details: { issues: [{ path: 'scope_id', message: 'is required' }] },
    },
  }),
  precondition_required: defineError({
    status: 428,
    message: 'Send If-Match with the ETag of the revision that you have read.',
    details: noDetails,
    when: 'A write that needs `If-Match` lacks it.',
    advice: 'Read the value, and send its `ETag` as `If-Match`.',
  }),
  rate_limited: defineError({
    status: 429,
    message: 'Too many requests. Send this one again after the time in Retry-After.',
    details: z.strictObject({
      limit_per_minute: int(1)
        .optional()
        .meta({ description: 'Requests that the tenant may send in a minute.' }),
      concurrent_limit: int(1)
        .optional()
        .meta({ description: 'Requests of the tenant that a gateway serves at the same time.' }),
    }),
    when:
      'The tenant exceeds its limit of requests per minute (`RATE_LIMIT_PER_MINUTE`) or of concurrent requests ' +
      '(`CONCURRENT_REQUESTS_LIMIT`). `details` names the limit.',
    advice: 'Wait for the seconds in `Retry-After`.',
    retry: 'always',
    example: {
      message:
        'This tenant may send 600 requests a minute. Send this one again after the time in Retry-After.',
      details: { limit_per_minute: 600 },
    },
  }),
};
