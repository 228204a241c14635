/**
 * Processor time in milliseconds that this process uses until `run` has ended. Unlike elapsed time, it does not grow
 * while other processes use the machine.
 */
export async function cpuTimeOf(run: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
