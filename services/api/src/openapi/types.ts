/** The parts of OpenAPI 3.1 that the document uses. Schemas are JSON Schema 2020-12. */
export type Schema = Record<string, unknown>;

export interface Reference {
  $ref: string;
}

export interface Example {
  summary?: string;
  value: unknown;
}

interface MediaType {
  schema: Schema;
  examples?: Record<string, Example>;
}

export type Content = Record<string, MediaType>;

export interface Header {
  description: string;
  required: boolean;
  schema: Schema;
  example?: string;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: Schema;
  example?: unknown;
}

export interface ApiResponse {
  description: string;
  headers: Record<string, Header | Reference>;
  content?: Content;
}

export interface ApiOperation {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  /** Largest request body in bytes. */
  'x-max-body-bytes'?: number;
  responses: Record<string, ApiResponse | Reference>;
}

interface Components {
  schemas: Record<string, Schema>;
  responses: Record<string, ApiResponse>;
  headers: Record<string, Header>;
  securitySchemes?: Record<string, Record<string, string>>;
}

export interface OpenApiDocument {
  openapi: string;
  info: {
    title: string;
    version: string;
    description: string;
    license: { name: string; identifier: string };
  };
  servers: { url: string }[];
  security?: Record<string, string[]>[];
  tags: { name: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components: Components;
}
