import { type Logger, pino } from 'pino';
import type { Settings } from '../config/index.ts';

export type { Logger };

/** JSON lines to standard output. What a request or a stored value holds is never logged, and no setting's value is. */
export function createLogger(settings: Pick<Settings, 'LOG_LEVEL'>, service: string): Logger {
  return pino({ level: settings.LOG_LEVEL, base: { service } });
}
