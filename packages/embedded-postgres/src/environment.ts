/** Of PostgreSQL's programs: what they say is looked for in English. */
export const environment = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' });
