import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
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
  type View,
  WIDE,
} from '../support/browser.ts';
import { createTenant, type TestTenant, tokenFor } from '../support/platform.ts';

const HTML = '<img src=x onerror="window.hacked = 1"><script>window.hacked = 1</script>';
/** Characters that change the direction of the text after them. */
const BIDI = '\u202Egnp.exe\u202C \u2067\u05D0\u05D1';
const LONG_TEXT = 'w'.repeat(10_000);

const definition = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Lunch',
    supported_languages: ['en', 'de'],
    pages: [
      {
        title: { en: 'Food', de: 'Essen' },
        questions: [
          {
            id: 'drink',
            type: 'single_choice',
            title: { en: 'Your drink', de: 'Ihr Getränk' },
            options: [{ id: 'tea', text: { en: 'Tea', de: 'Tee' } }, 'Water', { id: 'long', text: LONG_TEXT }],
            allow_other: true,
          },
          {
            id: 'dishes',
            type: 'multiple_choice',
            title: `Dishes ${HTML}`,
            options: ['Soup', { id: 'rice', text: `=Rice ${HTML} ${BIDI}` }],
          },
          { id: 'name', type: 'text', title: 'Your name' },
          { id: 'comment', type: 'textarea', title: LONG_TEXT },
          { id: 'nps', type: 'rating', title: 'Would you recommend us?', min: 0, max: 10 },
          { id: 'stars', type: 'rating', title: 'Stars', min: 1, max: 5 },
        ],
      },
      {
        questions: [
          {
            id: 'service',
            type: 'likert',
            title: 'Service',
            options: ['Strongly disagree', 'Disagree', 'Neutral', 'Agree', 'Strongly agree'],
            rows: ['Fast', { id: 'kind', text: `Kind ${BIDI}` }],
          },
          {
            id: 'days',
            type: 'matrix',
            title: 'Days',
            rows: ['Monday', 'Tuesday'],
            columns: ['Breakfast', 'Dinner'],
            multiple: true,
          },
          { id: 'visit', type: 'date', title: 'Day of the visit' },
          { id: 'arrival', type: 'time', title: 'Time of the visit' },
          { id: 'receipt', type: 'file_upload', title: 'Receipt' },
          { id: 'brand', type: 'text', title: 'Brand of the tea' },
        ],
      },
    ],
    logic: [{ question_id: 'brand', conditions: [{ source_question: 'drink', operator: 'equals', value: 'tea' }] }],
  },
};

let browser: Browser;
let tenant: TestTenant;
let token: string;
let surveyId: string;

const resultsPath = (search = '') => `/console/surveys/${surveyId}/results${search}`;
const open = (path: string, view?: View, as = token) => openPage(browser, pageGateway(), `${path}#token=${as}`, view);

async function submit(body: object): Promise<void> {
  const reply = await tenant.api('POST', `/v1/surveys/${surveyId}/responses`, { body });
  expect(reply.body).toMatchObject({ survey_id: surveyId });
}

/** Answers to all questions, another set for each number. */
function answersOf(number: number): object {
  const agreement = ['Strongly disagree', 'Neutral', 'Agree', 'Agree', 'Strongly agree'][number % 5];
  return {
    drink: ['tea', 'Water', 'tea', 'long', { option: 'other', text: HTML }][number % 5],
    dishes: number % 2 === 0 ? ['Soup', 'rice'] : ['rice'],
    name: `${BIDI} ${HTML} ${number}`,
    comment: number === 0 ? LONG_TEXT : `Comment ${number}`,
    nps: [10, 9, 8, 3, 10][number % 5],
    stars: (number % 5) + 1,
    service: { Fast: agreement, kind: 'Agree' },
    days: { Monday: ['Breakfast', 'Dinner'], ...(number % 2 === 0 ? { Tuesday: ['Dinner'] } : {}) },
    visit: `2026-0${(number % 5) + 1}-1${number % 10}`,
    arrival: `1${number % 5}:30`,
    ...(number % 5 === 0 ? { brand: 'Green' } : {}),
  };
}

/** The chart of a question, by the beginning of its title. */
const figure = (page: Page, title: string) =>
  page.locator('figure').filter({ has: page.locator('figcaption', { hasText: title }) });

describe.skipIf(!hasBrowser)('results in the console', { timeout: 6 * TIMEOUT_MS }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
    tenant = await createTenant();
    token = await tokenFor(tenant.tenantId, tenant.userId);
    const created = await tenant.api('POST', '/v1/surveys', { body: definition });
    expect(created.status).toBe(201);
    surveyId = created.body.id;
    expect((await tenant.api('POST', `/v1/surveys/${surveyId}/publish`)).status).toBe(200);
    const query = new URLSearchParams({ question_id: 'receipt', filename: 'receipt.txt' });
    const file = await tenant.api('POST', `/v1/public/surveys/${surveyId}/files?${query}`, {
      body: new TextEncoder().encode('paid'),
      headers: { 'content-type': 'application/octet-stream' },
    });
    await submit({ data: { ...answersOf(0), receipt: [{ file_id: file.body.file_id }] }, language: 'en' });
    for (let number = 1; number < 10; number += 1)
      await submit({ data: answersOf(number), language: number % 2 === 0 ? 'en' : 'de' });
    const started = { data: { drink: 'Water' }, status: 'in_progress' };
    expect((await tenant.api('POST', `/v1/public/surveys/${surveyId}/responses`, { body: started })).status).toBe(201);
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  it('shows numbers, progress and a chart or list for each question', async () => {
    const { page, browserErrors, foreignRequests } = await open(resultsPath());
    const rate = page.locator('.facts > div', { hasText: 'Completion rate' });
    await rate.getByText('90.9%').waitFor();
    for (const title of [
      'Responses over time',
      'Reached pages',
      'Last answers before stopping',
      'Your drink',
      'Dishes',
      'Would you recommend us?',
      'Stars',
      'Service',
      'Days',
      'Day of the visit',
      'Time of the visit',
    ]) {
      await figure(page, title).scrollIntoViewIfNeeded();
      await figure(page, title).locator('svg[role="img"]').waitFor();
    }
    await figure(page, 'Would you recommend us?').getByText('Promoters').waitFor();
    await figure(page, 'Stars').getByText('Standard deviation').waitFor();
    await page.getByText(/text · .* were not shown it/).waitFor();

    await page.getByRole('button', { name: 'Show answers: Your name' }).click();
    await page.getByText(`${BIDI} ${HTML} 9`).waitFor();
    await page.getByRole('button', { name: 'Show answers: www' }).click();
    await page.getByText(LONG_TEXT, { exact: true }).last().waitFor();
    await page.getByRole('button', { name: 'Show files: Receipt' }).click();
    await page.getByText('receipt.txt').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it('keeps filters and languages in the address', async () => {
    const { page, browserErrors } = await open(resultsPath());
    await page.getByText('Answers of 10 completed responses.').waitFor();
    await page.getByLabel('Language of responses').selectOption('de');
    await page.getByText('Answers of 5 completed responses.').waitFor();
    await page.getByLabel('Language of texts').selectOption('de');
    await figure(page, 'Ihr Getränk').waitFor();
    await page.getByLabel('Over time by').selectOption('hour');
    await page.reload();
    await figure(page, 'Ihr Getränk').scrollIntoViewIfNeeded();
    await figure(page, 'Ihr Getränk').getByText('Tee').waitFor();
    await page.getByText('Answers of 5 completed responses.').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      language: 'de',
      display_language: 'de',
      interval: 'hour',
    });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByText('The address is copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(page.url());
    await page.getByLabel('Status').selectOption('abandoned');
    await page.getByText('No responses match the filters.').waitFor();
    await page.goto(`${pageGateway()}${resultsPath('?version=1&until=2020-01-01T00:00:00Z&interval=year')}`);
    await page.getByText('No responses match the filters.').waitFor();
    await page.getByLabel('Created before').fill('');
    await page.getByText('Answers of 10 completed responses.').waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ version: '1' });
    expect(await page.getByLabel('Version').inputValue()).toBe('1');
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('shows each chart as a table, and downloads it', async () => {
    const { page, browserErrors, foreignRequests } = await open(resultsPath(), { ...WIDE, colorScheme: 'dark' });
    const dishes = figure(page, 'Dishes');
    await dishes.getByRole('button', { name: 'Show table' }).click();
    await dishes.getByRole('row', { name: 'Soup 5 50%' }).waitFor();
    await dishes.getByRole('button', { name: 'Show chart' }).click();
    await dishes.locator('svg[role="img"]').waitFor();

    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      dishes.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = (await readFile(await csv.path(), 'utf8')).split('\r\n');
    expect(lines.slice(0, 2)).toEqual(['\uFEFFOption,Responses,Share', 'Soup,5,0.5']);
    expect(lines[2]).toMatch(/^"'=Rice <img.*",10,1$/);

    const [svg] = await Promise.all([
      page.waitForEvent('download'),
      dishes.getByRole('button', { name: 'SVG' }).click(),
    ]);
    expect(svg.suggestedFilename()).toMatch(/^Dishes .*\.svg$/);
    const xml = await readFile(await svg.path(), 'utf8');
    expect(xml).toContain('=Rice &lt;img');
    // Files are light, because they are for documents.
    expect(xml).toContain('fill="rgb(255, 255, 255)"');
    expect(xml).not.toMatch(/var\(|currentColor|<style|<script|<img/);
    // As a file of its own, without styles of the console.
    const image = await page.evaluate<number>(
      `(async (xml) => {
        const image = new Image();
        image.src = 'data:image/svg+xml,' + encodeURIComponent(xml);
        await image.decode();
        return image.naturalWidth;
      })(${JSON.stringify(xml)})`,
    );
    expect(image).toBeGreaterThan(800);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it('downloads texts and files as CSV', async () => {
    const { page, browserErrors } = await open(resultsPath('?language=de'));
    await page.evaluate('window.showSaveFilePicker = undefined');
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV: Your name' }).click(),
    ]);
    expect(csv.suggestedFilename()).toBe('Your name.csv');
    const [header, ...rows] = (await readFile(await csv.path(), 'utf8')).trimEnd().split('\r\n');
    expect(header).toBe('\uFEFFresponse_id,created_at,status,survey_version,answer');
    expect(rows.map((row) => row.slice(row.indexOf(',completed,1,')))).toEqual(
      [9, 7, 5, 3, 1].map((number) => `,completed,1,"${BIDI} ${HTML.replaceAll('"', '""')} ${number}"`),
    );
    await page.getByText(/B, 5 responses$/).waitFor();

    await page.getByLabel('Language of responses').selectOption('All');
    await page.getByText('Answers of 10 completed responses.').waitFor();
    const [files] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV: Receipt' }).click(),
    ]);
    expect((await readFile(await files.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(2);
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('waits while the platform is busy, and shows the results of before', async () => {
    const { page } = await open(resultsPath());
    await page.getByText('Answers of 10 completed responses.').waitFor();
    const statuses = [429, 503];
    await page.route('**/summary/query', (route) => {
      const isFiltered = route.request().postDataJSON().status === 'in_progress';
      const status = isFiltered ? statuses.shift() : undefined;
      if (status === undefined) return route.continue();
      // Longer than the client waits by itself.
      return route.fulfill({
        status,
        headers: { 'retry-after': '60' },
        contentType: 'application/problem+json',
        body: JSON.stringify({ status, code: status === 429 ? 'RATE_LIMITED' : 'UNAVAILABLE', detail: 'busy' }),
      });
    });
    await page.getByLabel('Status').selectOption('in_progress');
    await page.getByText('The platform is busy. This page tries again in some seconds.').waitFor();
    await page.getByText('Answers of 10 completed responses.').waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.getByText('Answers of 1 in progress response.').waitFor();
    expect(statuses).toEqual([]);
    expect(await page.getByText('The platform is busy.').count()).toBe(0);
    await page.close();
  });

  it('prints only the results', async () => {
    const { page } = await open(resultsPath());
    await figure(page, 'Responses over time').locator('svg[role="img"]').waitFor();
    // Printing draws all charts, including those that were never near the screen.
    const undrawn = await page.evaluate(`(() => {
      dispatchEvent(new Event('beforeprint'));
      return document.querySelectorAll('.chart-region:not(:has(svg[role="img"]))').length;
    })()`);
    expect(undrawn).toBe(0);
    await page.emulateMedia({ media: 'print' });
    await page.getByText('All responses', { exact: true }).waitFor();
    for (const hidden of [page.getByLabel('Status'), page.getByRole('button', { name: 'SVG' }).first()])
      expect(await hidden.isVisible()).toBe(false);
    await page.close();
  });

  it.each(barrierViews(inject('testScope')))('has no barriers: %s', async (_case, view) => {
    const { page } = await open(resultsPath(), view);
    await figure(page, 'Time of the visit').scrollIntoViewIfNeeded();
    await figure(page, 'Time of the visit').locator('svg[role="img"]').waitFor();
    await page.getByRole('button', { name: 'Show answers: Your name' }).click();
    await page.getByText(`${BIDI} ${HTML} 9`).waitFor();
    await figure(page, 'Service').getByRole('button', { name: 'Show table' }).click();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.close();
  });
});
