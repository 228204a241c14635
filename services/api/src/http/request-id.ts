/** On every answer; behind OpenTelemetry it is the trace id of the request (spec 00 §2). */
export const requestIdHeader = 'X-Service-Request-ID';
