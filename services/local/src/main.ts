import { loadSettings, runUntilSignal } from '@continuity/shared/kernel';
import { startLocal } from './start-local.ts';
import { welcome } from './welcome.ts';

await runUntilSignal('continuity', async () => {
  // A person reads this log, so it holds warnings and errors alone.
  const environment = { LOG_LEVEL: 'warn', ...process.env };
  const settings = loadSettings(environment);
  const service = await startLocal(settings, environment);
  const needsToken = settings.AUTH_TOKEN !== undefined || settings.AUTH_TOKENS_FILE !== undefined;
  process.stdout.write(welcome(service.url, needsToken));
  return { stop: service.stop, graceMs: settings.SHUTDOWN_GRACE_MS, logger: service.logger };
});
