import { administer } from './database.ts';

/** Stand-in until the service's own migrations exist. */
export async function migrate(url: string): Promise<void> {
  await administer(url, 'CREATE TABLE IF NOT EXISTS stand_in (word text)');
}
