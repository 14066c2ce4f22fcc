import { findOnPath } from '@survey/local/process/find-on-path';
import { type Browser, chromium } from 'playwright-core';

const command = ['chromium', 'chromium-browser', 'google-chrome']
  .map((name) => findOnPath(name, process.env))
  .find((path) => path !== undefined);
if (command === undefined) console.warn('no Chromium on the PATH: tests with a browser are skipped');

/** Long, because a browser is slow on a machine that also runs the platform. */
export const BROWSER_TIMEOUT_MS = 90_000;

export const hasBrowser = command !== undefined;

/** Starts the Chromium of this machine. */
export function startBrowser(): Promise<Browser> {
  if (command === undefined) throw new Error('no Chromium on the PATH');
  return chromium.launch({ executablePath: command });
}
