import { type Browser, chromium } from 'playwright-core';
import { findChromium } from './tools.ts';

export type { Browser, Page } from 'playwright-core';

/** False on a machine without Chromium. Tests in a browser are skipped there. */
export const hasBrowser = async (): Promise<boolean> => (await findChromium()) !== undefined;

/** Starts the installed Chromium. */
export async function startBrowser(): Promise<Browser> {
  return await chromium.launch({
    executablePath: (await findChromium()) ?? 'chromium',
    // Containers and root have no sandbox.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
}
