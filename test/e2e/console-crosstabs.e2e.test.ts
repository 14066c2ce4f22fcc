import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findBarriers,
  hasBrowser,
  NARROW,
  NO_BARRIERS,
  openPage,
  pageGateway,
  startBrowser,
  BROWSER_TIMEOUT_MS as TIMEOUT_MS,
  tabTo,
} from '../support/browser.ts';
import { createTenant, tokenFor } from '../support/platform.ts';

const HTML = '<img src=x onerror="window.hacked = 1">';
const definition = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Lunch',
    supported_languages: ['en', 'de'],
    pages: [
      {
        questions: [
          { id: 'drink', type: 'single_choice', title: 'Drink', options: ['Tea', { id: 'water', text: HTML }] },
          { id: 'meal', type: 'single_choice', title: 'Meal', options: ['Soup', 'Rice'] },
          { id: 'stars', type: 'rating', title: 'Stars', min: 1, max: 5 },
          { id: 'service', type: 'likert', title: 'Service', options: ['Bad', 'Good'], rows: ['Fast', 'Kind'] },
          { id: 'why', type: 'text', title: 'Why' },
        ],
      },
    ],
  },
};

let browser: Browser;
let token: string;
let surveyId: string;

const figure = (page: Page, title: string) =>
  page.locator('figure').filter({ has: page.locator('figcaption', { hasText: title }) });

/** 22 respondents: most of those with tea have soup, the others rice. */
function answersOf(number: number): object {
  const hasTea = number % 2 === 0;
  return {
    drink: hasTea ? 'Tea' : 'water',
    meal: hasTea === number < 20 ? 'Soup' : 'Rice',
    stars: hasTea ? 5 : (number % 3) + 1,
    service: { Fast: hasTea ? 'Good' : 'Bad' },
    ...(number === 0 ? { why: 'Hot' } : {}),
  };
}

describe.skipIf(!hasBrowser)('crosstabs in the console', { timeout: 6 * TIMEOUT_MS }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
    const tenant = await createTenant();
    token = await tokenFor(tenant.tenantId, tenant.userId);
    const created = await tenant.api('POST', '/v1/surveys', { body: definition });
    expect(created.status).toBe(201);
    surveyId = created.body.id;
    expect((await tenant.api('POST', `/v1/surveys/${surveyId}/publish`)).status).toBe(200);
    for (let number = 0; number < 22; number += 1) {
      const body = { data: answersOf(number), language: number === 0 ? 'de' : 'en' };
      expect((await tenant.api('POST', `/v1/surveys/${surveyId}/responses`, { body })).status).toBe(201);
    }
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  it('compare groups in bars, tables, words and CSV', async () => {
    const path = `/console/surveys/${surveyId}/results`;
    const { page, browserErrors, foreignRequests } = await openPage(browser, pageGateway(), `${path}#token=${token}`);
    await page.getByText('Answers of 22 completed responses.').waitFor();
    const compare = page.getByLabel('Compare by');
    await tabTo(page, compare);
    await compare.selectOption('Drink');
    const meal = figure(page, 'Meal');
    await meal.getByText('The groups differ significantly. The association is strong.').waitFor();
    await meal.scrollIntoViewIfNeeded();
    // Long names are cut in charts.
    await meal.locator('svg[role="img"]').getByText(/^<img/).first().waitFor();
    await figure(page, 'Drink').getByText('The groups are the answers to this question.').waitFor();
    await figure(page, 'Stars')
      .getByText(/^Mean 5 \(5 to 5\)$/)
      .waitFor();
    await figure(page, 'Service').getByText('Fast: The groups differ significantly.').waitFor();
    await figure(page, 'Why').getByText('1 · 100%').waitFor();

    await meal.getByRole('button', { name: 'Show table' }).click();
    await meal.getByRole('row', { name: 'Soup 10 90.9% 1 9.1% 11 50%' }).waitFor();
    const [csv] = await Promise.all([page.waitForEvent('download'), meal.getByRole('button', { name: 'CSV' }).click()]);
    const lines = (await readFile(await csv.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('\uFEFFRow,Answer,Group,Responses,Share of group,Share of answer');
    expect(lines[1]).toMatch(/^,Soup,Tea,10,0\.909\d*,0\.909\d*$/);

    await page.getByLabel('Hide counts').selectOption('Below 5');
    await meal.getByText('Not tested: small counts are hidden.').waitFor();
    await page.reload();
    await meal.getByText('Not tested: small counts are hidden.').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ by_question: 'drink', min_cell: '5' });
    await page.getByLabel('Compare by').selectOption('Language');
    await page.getByText('Counts below 5 are hidden, and others that reveal them.').waitFor();
    await page.getByLabel('Compare by').selectOption('Nothing');
    await meal.getByText('single choice').waitFor();
    expect(new URL(page.url()).search).toBe('');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it('have no barriers', async () => {
    const path = `/console/surveys/${surveyId}/results?by_question=drink`;
    const { page } = await openPage(browser, pageGateway(), `${path}#token=${token}`, NARROW);
    await figure(page, 'Meal').getByText('The groups differ significantly.').waitFor();
    await figure(page, 'Meal').scrollIntoViewIfNeeded();
    await figure(page, 'Meal').locator('svg[role="img"]').waitFor();
    await figure(page, 'Stars').getByRole('button', { name: 'Show table' }).click();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.close();
  });
});
