import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { hasBrowser, startBrowser, BROWSER_TIMEOUT_MS as TIMEOUT_MS } from '../support/browser.ts';
import { createTenant, tokenFor } from '../support/platform.ts';

/** Console messages and requests to other hosts, which the page must not cause. */
interface Watched {
  readonly page: Page;
  readonly complaints: string[];
  readonly strangers: string[];
}

const gateway = () => inject('stack').gateway;

let browser: Browser;

async function openDocs(): Promise<Watched> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  const complaints: string[] = [];
  const strangers: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== gateway() && protocol !== 'data:') strangers.push(request.url());
  });
  // Some policy violations are not reported as console errors.
  await page.addInitScript({
    content: `addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error('policy', violatedDirective, blockedURI), { capture: true });`,
  });
  page.setDefaultTimeout(TIMEOUT_MS);
  await page.goto(`${gateway()}/docs`);
  await page.locator('#operations-tag-Surveys').waitFor();
  return { page, complaints, strangers };
}

async function authorize(page: Page, token: string): Promise<void> {
  await page.locator('.auth-wrapper .authorize').click();
  await page.locator('.modal-ux input').fill(token);
  await page.locator('.modal-ux button.authorize').click();
  await page.locator('.modal-ux button.btn-done').click();
}

/** Opens an operation, sends its example, and returns the displayed reply status. */
async function tryOut(page: Page, tag: string, operationId: string): Promise<string> {
  const block = page.locator(`#operations-${tag}-${operationId}`);
  if (!(await block.isVisible())) await page.locator(`#operations-tag-${tag}`).click();
  await block.locator('.opblock-summary-control').click();
  await block.locator('.try-out__btn').click();
  await block.locator('button.execute').click();
  const status = await block.locator('.live-responses-table tbody .response-col_status').first().textContent();
  return status?.trim().slice(0, 3) ?? '';
}

describe.skipIf(!hasBrowser)('the documentation in a browser', () => {
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it(
    'authorizes, runs calls with the examples as they are, and has nothing to do with anybody else',
    async () => {
      const { tenantId, userId } = await createTenant();
      const { page, complaints, strangers } = await openDocs();
      expect(await page.locator('.opblock-tag').count()).toBeGreaterThan(10);

      await authorize(page, await tokenFor(tenantId, userId));
      expect(await tryOut(page, 'Account', 'getMe')).toBe('200');
      expect(await page.locator('#operations-Account-getMe .live-responses-table').textContent()).toContain(tenantId);
      expect(await tryOut(page, 'Surveys', 'createSurvey')).toBe('201');
      expect(await tryOut(page, 'Surveys', 'listSurveys')).toBe('200');

      const picture = process.env['DOCS_PICTURE'];
      if (picture !== undefined) await page.screenshot({ path: picture });
      expect(strangers).toEqual([]);
      expect(complaints).toEqual([]);
    },
    4 * TIMEOUT_MS,
  );

  it(
    'tells a caller without a token that it takes one',
    async () => {
      const { page, strangers } = await openDocs();
      expect(await tryOut(page, 'Account', 'getMe')).toBe('401');
      expect(strangers).toEqual([]);
    },
    4 * TIMEOUT_MS,
  );
});
