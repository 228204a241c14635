/** Message and details of a 409 for a record that is not at the expected version. `record` is its noun in the message. */
export function staleVersion(record: string, expected: number, current: number) {
  return {
    message: `Version ${expected} was expected, but ${current} is current. Read the ${record} and decide again.`,
    details: { expected_version: expected, current_version: current },
  };
}
