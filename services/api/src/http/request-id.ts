/** Header of every answer; the trace id of the request if OpenTelemetry is on (spec 00 §2). */
export const requestIdHeader = 'X-Service-Request-ID';
