import { gzipSync } from 'node:zlib';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  barrierViews,
  findBarriers,
  hasBrowser,
  NO_BARRIERS,
  openPage,
  pageGateway,
  startBrowser,
  BROWSER_TIMEOUT_MS as TIMEOUT_MS,
  tabAndPress,
  tabTo,
} from '../support/browser.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createTenant, tokenFor } from '../support/platform.ts';

const MAX_FIRST_LOAD_BYTES = 250_000;

let browser: Browser;
let token: string;

describe.skipIf(!hasBrowser)('the console', { timeout: 4 * TIMEOUT_MS }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
    const { tenantId, userId } = await createTenant();
    token = await tokenFor(tenantId, userId);
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  it('signs in by the link of the local stack, and keeps nothing after signing out', async () => {
    const { page, browserErrors, foreignRequests } = await openPage(browser, pageGateway(), `/console/#token=${token}`);
    await page.getByRole('heading', { name: 'Surveys' }).waitFor();
    expect(page.url()).toBe(`${pageGateway()}/console/surveys`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    expect(await page.evaluate('[sessionStorage.length, localStorage.length, document.cookie]')).toEqual([0, 0, '']);
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it('rejects a wrong API key, and leads back to signing in when a token is not accepted any more', async () => {
    const { page } = await openPage(browser, pageGateway(), '/console/');
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('API key').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Surveys' }).waitFor();
    await page.evaluate("sessionStorage.setItem('survey-console-token', 'expired')");
    await page.reload();
    await page.getByText('did not accept your token').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
    await page.close();
  });

  it('loads at most 250 kB at first', async () => {
    const { page } = await openPage(browser, pageGateway(), `/console/#token=${token}`);
    await page.getByText('There are no surveys yet.').waitFor();
    const paths = await page.evaluate<readonly string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
        .filter((path) => path.includes('/assets/'))`,
    );
    expect(paths.length).toBeGreaterThan(2);
    const files = await Promise.all(
      [...new Set(paths)].map(async (path) => (await fetch(inject('stack').gateway + path)).arrayBuffer()),
    );
    const size = files.reduce((sum, file) => sum + gzipSync(new Uint8Array(file)).length, 0);
    expect(size).toBeLessThan(MAX_FIRST_LOAD_BYTES);
    await page.close();
  });

  it('leads to signing in when an action is not accepted, and loads the page anew', async () => {
    const { page } = await openPage(browser, pageGateway(), `/console/#token=${token}`);
    await page.getByRole('link', { name: 'Tenant' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name').fill('rejected');
    await page.evaluate("sessionStorage.setItem('survey-console-token', 'expired'); window.isOldPage = true");
    await page.evaluate("sessionStorage.setItem('survey-respond /s/staff', 'answers')");
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('did not accept your token').waitFor();
    expect(await page.evaluate('[window.isOldPage, Object.keys(sessionStorage)]')).toEqual([
      undefined,
      ['survey-respond /s/staff'],
    ]);
    await page.reload();
    await page.getByLabel('API key').waitFor();
    expect(await page.getByText('did not accept your token').count()).toBe(0);
    await page.close();
  });

  it('keeps a dialog open while its request runs, and shows the secret of the reply', async () => {
    const { page } = await openPage(browser, pageGateway(), `/console/#token=${token}`);
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/v1/api-keys', async (route) => {
      if (route.request().method() === 'POST') await isReleased;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Tenant' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New API key' }).click();
    await page.getByLabel('Name').fill('slow');
    await page.getByLabel('surveys:read').check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('button', { name: 'Cancel', disabled: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.mouse.click(2, 2);
    release();
    await page.getByLabel('Secret').waitFor();
    await page.close();
  });

  it('can be used with the keyboard alone', async () => {
    const { tenantId, userId, api } = await createTenant();
    const { body: survey } = await api('POST', '/v1/surveys', { body: lunchSurvey });
    await api('POST', `/v1/surveys/${survey.id}/publish`);
    await api('POST', `/v1/public/surveys/${survey.id}/responses`, {
      body: { status: 'completed', data: lunchAnswers },
    });
    const { page } = await openPage(browser, pageGateway(), '/console/');
    const press = (element: Locator, key?: string) => tabAndPress(page, element, key);
    await tabTo(page, page.getByLabel('API key'));
    await page.keyboard.insertText(await tokenFor(tenantId, userId));
    await press(page.getByRole('button', { name: 'Sign in' }));

    // A survey and its tabs.
    await press(page.getByRole('link', { name: lunchSurvey.survey.title }));
    await press(page.getByRole('link', { name: 'Results', exact: true }));
    await page.getByRole('heading', { name: lunchSurvey.survey.title }).waitFor();
    await press(page.getByRole('link', { name: 'Responses', exact: true }));

    // A dialog keeps the focus, and gives it back.
    const columns = page.getByRole('button', { name: 'Columns' });
    await press(columns);
    const dialog = page.getByRole('dialog');
    await press(dialog.getByRole('checkbox', { name: 'Language' }), 'Space');
    await press(dialog.getByRole('button', { name: 'Show these' }));
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('columnheader', { name: 'Language' }).waitFor();
    expect(await columns.evaluate((one) => one === one.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // A row and its response.
    await press(page.getByRole('table').getByRole('link').first());
    await page.getByRole('heading', { name: 'Answers' }).waitFor();
    await press(page.getByRole('button', { name: 'Sign out' }));
    await page.getByLabel('API key').waitFor();
    await page.close();
  });

  it.each(barrierViews(inject('testScope')))('has no barriers: %s', async (_case, view) => {
    const { page } = await openPage(browser, pageGateway(), `/console/#token=${token}`, view);
    await page.getByText('There are no surveys yet.').waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.close();
  });
});
