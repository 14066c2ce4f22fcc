import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  findBarriers,
  hasBrowser,
  NARROW,
  NO_BARRIERS,
  openPage,
  startBrowser,
  BROWSER_TIMEOUT_MS as TIMEOUT_MS,
  type View,
  type WatchedPage,
  WIDE,
} from '../support/browser.ts';
import { createTenant, tokenFor } from '../support/platform.ts';

/** The reference at an operation. */
const CREATE_SURVEY = '/docs#tag/surveys/POST/v1/surveys';
const GET_ME = '/docs#tag/account/GET/v1/me';
const GUIDE = '/docs/guides/definitions';

/** The folder for pictures of the pages. */
const pictures = process.env['DOCS_PICTURES'];
/** Whether to look at all pages in both widths, which takes a minute of CPU. The short tests look at one guide. */
const isComplete = inject('testScope') === 'all' || pictures !== undefined;

const gateway = () => inject('stack').gateway;

let browser: Browser;

async function open(path: string, view?: View): Promise<WatchedPage> {
  const watched = await openPage(browser, gateway(), path, view);
  await untilShown(watched.page);
  return watched;
}

async function untilShown(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const { hash } = new URL(page.url());
  if (hash !== '')
    await page
      .locator(`[id$="${hash.slice(1)}"]`)
      .first()
      .waitFor();
}

/** Opens the form of an operation, sends its example, and returns the displayed reply status. */
async function tryOut(page: Page, operation: string): Promise<string> {
  // The address of the page changes when it scrolls.
  const { hash } = new URL(operation, gateway());
  await page
    .locator(`[id$="${hash.slice(1)}"]`)
    .getByRole('button', { name: 'Test Request' })
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('button:visible', { hasText: 'Send' }).first().click();
  const status = dialog.getByText(/^\d{3} \w/).first();
  await status.waitFor();
  return (await status.textContent())?.trim().slice(0, 3) ?? '';
}

async function takePicture(page: Page, name: string, { width }: View): Promise<void> {
  if (pictures !== undefined) await page.screenshot({ path: join(pictures, `${name}-${width}.png`) });
}

/** The element that has the focus, as its text or tag. */
const focused = (page: Page) =>
  page.locator(':focus').evaluate((element) => ({
    tag: element.tagName,
    text: element.textContent.trim(),
    outline: element.ownerDocument.defaultView?.getComputedStyle(element).outlineStyle,
  }));

describe.skipIf(!hasBrowser)('the documentation in a browser', { timeout: 4 * TIMEOUT_MS }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  describe('after a token was entered', () => {
    let tenantId: string;
    let token: string;
    let watched: WatchedPage;
    beforeAll(async () => {
      const tenant = await createTenant();
      tenantId = tenant.tenantId;
      token = await tokenFor(tenantId, tenant.userId);
      watched = await open(GET_ME);
      await watched.page.getByPlaceholder('Token').first().fill(token);
    }, TIMEOUT_MS);
    afterAll(() => watched.page.close());

    it('shows samples in several languages', async () => {
      for (const language of ['Shell', 'Ruby', 'Node.js', 'PHP', 'Python'])
        await watched.page.getByRole('tab', { name: language }).first().waitFor();
    });

    it('authorizes calls', async () => {
      const { page } = watched;
      expect(await tryOut(page, GET_ME)).toBe('200');
      await page.getByRole('dialog').getByText(tenantId).first().waitFor();
    });

    it('keeps the token for a reload of the tab, in nothing that outlives it', async () => {
      const { page } = watched;
      await page.goto(`${gateway()}${CREATE_SURVEY}`);
      await page.reload();
      await untilShown(page);
      expect(await page.getByPlaceholder('Token').first().inputValue()).toBe(token);
      expect(await page.evaluate<string>('JSON.stringify({ ...localStorage })')).not.toContain(token);
    });

    it('runs calls with the unchanged examples, and sends requests only to the gateway', async () => {
      expect(await tryOut(watched.page, CREATE_SURVEY)).toBe('201');
      expect(watched.foreignRequests).toEqual([]);
      expect(watched.browserErrors).toEqual([]);
    });
  });

  describe('at an operation, without a token, on a narrow screen', () => {
    let watched: WatchedPage;
    beforeAll(async () => {
      watched = await open(CREATE_SURVEY, NARROW);
    }, TIMEOUT_MS);
    afterAll(() => watched.page.close());

    it('has a line for the statuses of replies, which buttons do not cover', async () => {
      const operation = watched.page.locator('[id$="tag/surveys/POST/v1/surveys"]');
      const [statuses, buttons] = await operation
        .locator('.scalar-card-header:has([role="tablist"])')
        .first()
        .evaluate(({ children }) => [...children].map((child) => child.getBoundingClientRect().toJSON()));
      expect(statuses.bottom).toBeLessThanOrEqual(buttons.top);
    });

    it('asks the caller for a token', async () => {
      expect(await tryOut(watched.page, CREATE_SURVEY)).toBe('401');
      expect(watched.foreignRequests).toEqual([]);
    });
  });

  it('stores no token if DOCS_KEEP_TOKEN is off', async () => {
    const { page } = await open('/docs');
    expect(await page.locator('[data-keep-token]').count()).toBe(1);
    // The stack has it on: change the page to that of a gateway that has it off, before its deferred scripts run.
    await page.addInitScript({
      content: `document.addEventListener('readystatechange', () => {
        delete document.getElementById('reference').dataset.keepToken;
      });`,
    });
    await page.reload();
    await untilShown(page);
    await page.getByPlaceholder('Token').first().fill('a-token');
    await page.reload();
    await untilShown(page);
    expect(await page.getByPlaceholder('Token').first().inputValue()).toBe('');
    const stored = await page.evaluate<string>('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])');
    expect(stored).not.toContain('a-token');
    await page.close();
  });

  describe.each(isComplete ? [WIDE, NARROW] : [NARROW])('$width px wide, $colorScheme', (view) => {
    // The reference is a package; a search takes seconds of CPU for each of its large pages.
    it.runIf(isComplete)('has no barriers in the reference, at an operation and in its form', async () => {
      const { page, browserErrors, foreignRequests } = await open('/docs', view);
      expect(await findBarriers(page)).toEqual(NO_BARRIERS);
      await takePicture(page, 'reference', view);
      await page.goto(`${gateway()}${CREATE_SURVEY}`);
      await untilShown(page);
      expect(await findBarriers(page)).toEqual(NO_BARRIERS);
      await takePicture(page, 'operation', view);
      expect(browserErrors).toEqual([]);
      expect(await tryOut(page, CREATE_SURVEY)).toBe('401');
      expect(await findBarriers(page)).toEqual(NO_BARRIERS);
      await takePicture(page, 'form', view);
      expect(foreignRequests).toEqual([]);
      await page.close();
    });

    it('has no barriers in the guides', async () => {
      const { page, browserErrors, foreignRequests } = await open('/docs/guides', view);
      await page.locator('summary').click();
      const paths = await page
        .locator('.menu a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      expect(paths.length).toBeGreaterThan(7);
      expect(await findBarriers(page)).toEqual(NO_BARRIERS);
      for (const path of isComplete ? paths : [GUIDE]) {
        await page.goto(`${gateway()}${path}`);
        expect([path, await findBarriers(page)]).toEqual([path, NO_BARRIERS]);
        if (path === GUIDE) await takePicture(page, 'guide', view);
      }
      expect([foreignRequests, browserErrors]).toEqual([[], []]);
      await page.close();
    });
  });

  it('scrolls wide tables in their own box, and lets the keyboard reach it', async () => {
    const { page } = await open(GUIDE, NARROW);
    const boxes = page.locator('.scroll[tabindex="0"]');
    await boxes.first().waitFor();
    const widths = await boxes.first().evaluate((box) => [box.scrollWidth, box.clientWidth]);
    expect(widths[0]).toBeGreaterThan(widths[1] ?? 0);
    await boxes.first().focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => boxes.first().evaluate((box) => box.scrollLeft)).toBeGreaterThan(0);
    await page.close();
  });

  it.each([GUIDE, '/docs'])('can be used with the keyboard alone: %s', async (path) => {
    const { page } = await open(path);
    await page.keyboard.press('Tab');
    expect(await focused(page)).toEqual({ tag: 'A', text: 'Skip to content', outline: 'solid' });
    await page.keyboard.press('Enter');
    expect((await focused(page)).tag).toBe('MAIN');
    await page.locator('.brand').focus();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toEqual({ tag: 'A', text: 'API reference', outline: 'solid' });
    await page.keyboard.press('Tab');
    expect(await focused(page)).toEqual({ tag: 'SUMMARY', text: 'Guides', outline: 'solid' });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    expect(await focused(page)).toMatchObject({ text: 'Quick start', outline: 'solid' });
    await page.keyboard.press('Escape');
    expect(await focused(page)).toMatchObject({ tag: 'SUMMARY' });
    expect(await page.locator('.menu ul').isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${gateway()}/docs/guides/quick-start`);
    await page.close();
  });

  it('reaches the operations and their forms with the keyboard', async () => {
    const { page } = await open(GET_ME);
    const section = page.locator('[id$="tag/account/GET/v1/me"]');
    await section.getByRole('button', { name: 'Test Request' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').getByText(/^401 /).first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.close();
  });
});
