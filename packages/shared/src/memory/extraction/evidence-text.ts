/** The text of canonical JSON for a model or a query: of a string itself, else the JSON. */
export function textOf(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}
