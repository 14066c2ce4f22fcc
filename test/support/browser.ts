import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { findOnPath } from '@survey/local/process/find-on-path';
import type { StackInfo } from '@survey/local/stack/stack-file';
import { poll } from '@survey/runtime/testing/poll';
import type { AxeResults } from 'axe-core';
import { type Browser, chromium, type Locator, type Page } from 'playwright-core';
import { rolldown } from 'rolldown';
import { inject } from 'vitest';

// A browser without windows needs half of the CPU.
const command = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
  .map((name) => findOnPath(name, process.env))
  .find((path) => path !== undefined);
if (command === undefined) console.warn('no Chromium on the PATH: tests with a browser are skipped');

/** Long, because a browser is slow on a machine that also runs the platform. */
export const BROWSER_TIMEOUT_MS = 90_000;

/** Factor by which pages run slower. Races between a test and a page become visible with 6. */
const slowdown = Number(process.env['BROWSER_SLOWDOWN'] ?? 1);

/**
 * Name of the gateway for browsers. A page over HTTP has functions such as `navigator.storage` only if its host is this
 * machine or a name below `localhost`, and the gateway of a cluster is on another host.
 */
const GATEWAY_NAME = 'gateway.localhost';

/** URL of the gateway for pages in a browser. */
export function pageGateway(): string {
  const url = new URL(inject('stack').gateway);
  url.hostname = GATEWAY_NAME;
  return url.origin;
}

export const hasBrowser = command !== undefined;

/** Parts of a browser window that no test uses. Each would need a process of its own for each page. */
const UNUSED_FEATURES = [
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxPopup',
];

/** Starts the Chromium of this machine. */
export function startBrowser(): Promise<Browser> {
  if (command === undefined) throw new Error('no Chromium on the PATH');
  const args = [`--disable-features=${UNUSED_FEATURES.join()}`];
  // Tests of packages have no stack.
  const stack: StackInfo | undefined = inject('stack');
  if (stack !== undefined) args.push(`--host-resolver-rules=MAP ${GATEWAY_NAME} ${new URL(stack.gateway).hostname}`);
  return chromium.launch({ executablePath: command, args });
}

/** A page with records of what it must not cause. */
export interface WatchedPage {
  readonly page: Page;
  /** Uncaught errors, and errors and warnings in the console of the browser. */
  readonly browserErrors: readonly string[];
  /** URLs of requests to other hosts. */
  readonly foreignRequests: readonly string[];
}

export interface View {
  readonly width: number;
  readonly colorScheme: 'light' | 'dark';
}

export const WIDE: View = { width: 1280, colorScheme: 'light' };
export const NARROW: View = { width: 390, colorScheme: 'dark' };

const NARROW_AND_DARK = ['narrow and dark', NARROW] as const;

/** Views to test for barriers, with their names. The full tests use both widths in both colour schemes. */
export function barrierViews(scope: 'short' | 'all'): readonly (readonly [name: string, view: View])[] {
  if (scope === 'short') return [NARROW_AND_DARK];
  return [
    ['wide and light', WIDE],
    NARROW_AND_DARK,
    ['wide and dark', { ...WIDE, colorScheme: 'dark' }],
    ['narrow and light', { ...NARROW, colorScheme: 'light' }],
  ];
}

/** Opens a page of the gateway in a browser context of its own. */
export async function openPage(
  browser: Browser,
  gateway: string,
  path: string,
  { width, colorScheme }: View = WIDE,
): Promise<WatchedPage> {
  const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
  const browserErrors: string[] = [];
  const foreignRequests: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') browserErrors.push(message.text());
  });
  page.on('pageerror', (error) => browserErrors.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== gateway && !['data:', 'blob:'].includes(protocol)) foreignRequests.push(request.url());
  });
  // Some policy violations are not reported as console errors.
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('policy', violatedDirective, blockedURI), { capture: true });`,
  });
  page.setDefaultTimeout(BROWSER_TIMEOUT_MS);
  if (slowdown > 1) {
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  }
  await page.goto(`${gateway}${path}`);
  return { page, browserErrors, foreignRequests };
}

const MOST_TABS = 100;

/** Moves the focus to an element as a user without a mouse does. Throws if the key Tab does not reach it. */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    await page.keyboard.press('Tab');
    if (await element.evaluate((one) => one === one.ownerDocument.activeElement)) return;
  }
  throw new Error(`Tab does not reach ${element}`);
}

/** Moves the focus to an element, and presses a key there. */
export async function tabAndPress(page: Page, element: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, element);
  await page.keyboard.press(key);
}

/** Serious findings of axe, and the width by which the page is too wide. */
export async function findBarriers(page: Page): Promise<unknown> {
  // Colors in the middle of a transition have less contrast.
  await poll(() =>
    page.evaluate<boolean>("document.getAnimations().every(({ playState }) => playState !== 'running')"),
  );
  // Through the debugger, because the policy of the page forbids inline scripts.
  await page.evaluate(axe);
  // Describing what passes would take long on a large page.
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return {
    tooWide: await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
    findings: serious.map(({ id, nodes }) => [id, nodes.map(({ target }) => target.join(' '))]),
  };
}

export const NO_BARRIERS = { tooWide: 0, findings: [] };

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Bundles a file with all that it imports.
 *
 * @param external imports to leave as they are; those of other packages by default
 */
export async function bundleForBrowsers(file: string, external: RegExp | [] = /^[^./]/): Promise<string> {
  const build = await rolldown({ input: file, platform: 'browser', external, logLevel: 'silent' });
  try {
    const { output } = await build.generate({ format: 'esm', minify: true });
    return output[0].code;
  } finally {
    await build.close();
  }
}
