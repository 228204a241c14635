import { loadSettings } from '@continuity/kernel/config';
import { runUntilSignal } from '@continuity/kernel/process';
import { isAuthenticationOn } from '@continuity/shared/tenants';
import { startLocal } from './start-local.ts';
import { welcome } from './welcome.ts';

await runUntilSignal('continuity', async () => {
  // A person reads this log, so it holds warnings and errors alone.
  const environment = { LOG_LEVEL: 'warn', ...process.env };
  const settings = loadSettings(environment);
  const service = await startLocal(settings, environment);
  // Without a tokens file, SIGHUP means that the terminal was closed.
  process.on('SIGHUP', () =>
    settings.AUTH_TOKENS_FILE === undefined ? process.kill(process.pid, 'SIGTERM') : service.reloadTokens(),
  );
  process.stdout.write(
    welcome(service.url, { needsToken: isAuthenticationOn(settings), hasConsole: settings.CONSOLE }),
  );
  return { resources: service.resources, logger: service.logger };
});
