import { loadSettings, runUntilSignal } from '@continuity/shared/kernel';
import { startLocal } from './start-local.ts';
import { welcome } from './welcome.ts';

await runUntilSignal('continuity', async () => {
  // On a laptop the log is read by a person: only what is worth a look.
  const settings = loadSettings({ LOG_LEVEL: 'warn', ...process.env });
  const service = await startLocal(settings);
  const needsToken = settings.AUTH_TOKEN !== undefined || settings.AUTH_TOKENS_FILE !== undefined;
  process.stdout.write(welcome(service.url, needsToken));
  return { stop: service.stop, graceMs: settings.SHUTDOWN_GRACE_MS, logger: service.logger };
});
