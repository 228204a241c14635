/**
 * What a newcomer sees when the service is up: where it is, and what to try first. Where a token is needed, it is that of the
 * variable TOKEN: a secret is shown nowhere.
 */
export function welcome(url: string, needsToken: boolean): string {
  const token = needsToken ? ` -H "authorization: Bearer $TOKEN"` : '';
  return `
The Context Continuity Service runs on ${url}
  Interactive documentation  ${url}/docs
  Health                     ${url}/health/ready

Try it:
  curl -s ${url}/v1/memory/remember -H 'content-type: application/json'${token} \\
    -d '{"scope_id":"my-project","kind":"decision","text":"Use Postgres for every environment."}'

Press Ctrl-C to stop. What was answered is kept.
`;
}
