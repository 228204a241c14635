/** Environment of PostgreSQL's programs. The locale makes their messages English, because this package parses them. */
export const environment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' });
