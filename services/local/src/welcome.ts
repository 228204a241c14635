/** Text after the first start: the addresses and a first command. The command reads a token from the variable TOKEN. */
export function welcome(
  url: string,
  { needsToken, hasConsole }: { needsToken: boolean; hasConsole: boolean },
): string {
  const token = needsToken ? ` -H "authorization: Bearer $TOKEN"` : '';
  return `
The Context Continuity Service runs on ${url}
${hasConsole ? `  Console                    ${url}/console/\n` : ''}  Interactive documentation  ${url}/docs
  Health                     ${url}/health/ready

Try it:
  curl -s ${url}/v1/memory/remember -H 'content-type: application/json'${token} \\
    -d '{"scope_id":"my-project","kind":"decision","text":"Use Postgres for every environment."}'

Press Ctrl-C to stop. Every answered write is durable.
`;
}
