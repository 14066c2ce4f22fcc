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
const LONG_WORD = 'w'.repeat(10_000);
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC',
  'base64',
);
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

const definition = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: `Lunch ${HTML}`,
    supported_languages: ['de', 'en'],
    pages: [
      {
        title: `Food ${HTML}`,
        questions: [
          {
            id: 'drink',
            type: 'single_choice',
            title: { en: 'Your drink', de: 'Ihr Getränk' },
            required: true,
            options: [{ id: 'tea', text: { en: 'Tea', de: 'Tee' } }, 'Water'],
            allow_other: true,
          },
          {
            id: 'dishes',
            type: 'multiple_choice',
            title: 'Your dishes',
            options: ['Soup', { id: 'rice', text: `Rice ${HTML}` }],
            allow_other: true,
          },
          { id: 'name', type: 'text', title: `Your name ${BIDI}` },
          { id: 'comment', type: 'textarea', title: LONG_WORD },
          { id: 'nps', type: 'rating', title: 'Your rating', min: 0, max: 10, labels: { 10: 'Certainly' } },
        ],
      },
      {
        questions: [
          { id: 'service', type: 'likert', title: 'Service', options: ['no', 'yes'], rows: ['Fast', 'Kind'] },
          { id: 'mood', type: 'likert', title: 'Mood', options: ['bad', 'good'] },
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

const hostileAnswers = {
  drink: { option: 'other', text: HTML },
  dishes: { options: ['Soup', 'rice'], other: `Cake ${BIDI}` },
  name: `${BIDI} ${HTML}`,
  comment: `${LONG_WORD}\n${HTML}`,
  nps: 10,
  service: { Fast: 'yes', Kind: 'no' },
  mood: 'good',
  days: { Monday: ['Breakfast', 'Dinner'] },
  visit: '2026-02-28',
  arrival: '12:05',
};

let browser: Browser;
let tenant: TestTenant;
let token: string;
let surveyId: string;
/** A response with answers of all types. */
let hostileId: string;
/** A response that tests may change. */
let plainId: string;

const listPath = (search = '') => `/console/surveys/${surveyId}/responses${search}`;
const open = (path: string, view?: View, as = token) => openPage(browser, pageGateway(), `${path}#token=${as}`, view);

async function upload(filename: string, bytes: Uint8Array): Promise<{ file_id: string }> {
  const query = new URLSearchParams({ question_id: 'receipt', filename });
  const { body } = await tenant.api('POST', `/v1/public/surveys/${surveyId}/files?${query}`, {
    body: bytes,
    headers: { 'content-type': 'application/octet-stream' },
  });
  return { file_id: body.file_id };
}

async function submit(body: object): Promise<string> {
  const reply = await tenant.api('POST', `/v1/surveys/${surveyId}/responses`, { body });
  expect(reply.status).toBe(201);
  return reply.body.id;
}

/** Replies with errors are logged by the browser. The others must not be there. */
function unexpected(browserErrors: readonly string[]): readonly string[] {
  return browserErrors.filter((complaint) => !/status of 4(12|22)/.test(complaint));
}

const answerTo = (page: Page, title: string) =>
  page
    .locator('.answers > div')
    .filter({ has: page.locator('dt', { hasText: title }) })
    .locator('dd');

describe.skipIf(!hasBrowser)('responses in the console', { timeout: 6 * TIMEOUT_MS }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
    tenant = await createTenant();
    token = await tokenFor(tenant.tenantId, tenant.userId);
    surveyId = (await tenant.api('POST', '/v1/surveys', { body: definition })).body.id;
    expect((await tenant.api('POST', `/v1/surveys/${surveyId}/publish`)).status).toBe(200);
    const receipt = [await upload('receipt.png', PNG), await upload('drawing.svg', SVG)];
    hostileId = await submit({ data: { ...hostileAnswers, receipt }, language: 'en', metadata: { source: HTML } });
    plainId = await submit({ data: { drink: 'tea', nps: 3, brand: 'Green' }, language: 'de' });
    await submit({ data: { drink: 'Water', nps: 7 }, language: 'de' });
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  it('lists them with chosen columns and filters, which the address keeps', async () => {
    const { page, browserErrors, foreignRequests } = await open(listPath());
    await page.getByText('3 responses').waitFor();
    const table = page.getByRole('table');
    await table.getByRole('columnheader', { name: 'Your drink' }).waitFor();
    await table.getByRole('cell', { name: 'Tea', exact: true }).waitFor();
    await table.getByRole('cell', { name: `Other: ${HTML}` }).waitFor();

    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'Your drink' }).uncheck();
    await page.getByRole('checkbox', { name: 'Your rating' }).check();
    await page.getByRole('checkbox', { name: 'Language' }).check();
    await page.getByRole('button', { name: 'Show these' }).click();
    await table.getByRole('columnheader', { name: 'Your rating' }).waitFor();
    expect(await table.getByRole('columnheader', { name: 'Your drink' }).count()).toBe(0);
    await page.getByLabel('Language', { exact: true }).selectOption('de');
    await page.getByText('2 responses match the filters').waitFor();

    await page.reload();
    await page.getByText('2 responses match the filters').waitFor();
    await table.getByRole('columnheader', { name: 'Your rating' }).waitFor();
    expect(await table.getByRole('cell', { name: '10 (Certainly)' }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('language')).toBe('de');

    await page.getByRole('button', { name: 'Random sample' }).click();
    await page.getByText('A random sample of at most 20').waitFor();
    await page.getByLabel('Sample size').fill('1');
    await page.getByText('A random sample of at most 1.').waitFor();
    await expect.poll(() => table.locator('tbody tr').count()).toBe(1);
    await page.getByLabel('Status').selectOption('abandoned');
    await page.getByRole('button', { name: 'Remove the filters' }).click();
    await page.getByText('3 responses').waitFor();
    await page.goto(`${pageGateway()}${listPath('?version=2')}`);
    await page.getByText('No responses match.').waitFor();
    await page.getByLabel('Version').selectOption('All');
    await page.getByText('3 responses').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it('shows one with answers of all types, which do nothing but show', async () => {
    const { page, browserErrors, foreignRequests } = await open(listPath(`/${hostileId}`));
    await page.getByRole('heading', { name: 'Answers' }).waitFor();
    const shown: readonly (readonly [title: string, text: string])[] = [
      ['Your drink', `Other: ${HTML}`],
      ['Your dishes', `Rice ${HTML}`],
      ['Your dishes', `Other: Cake ${BIDI}`],
      [`Your name ${BIDI}`, HTML],
      [LONG_WORD, LONG_WORD],
      ['Your rating', '10 (Certainly)'],
      ['Service', 'Fast: yes'],
      ['Mood', 'good'],
      ['Days', 'Monday: Breakfast, Dinner'],
      ['Day of the visit', 'February 28, 2026'],
      ['Time of the visit', '12:05'],
      ['Receipt', 'receipt.png'],
    ];
    for (const [title, text] of shown) await answerTo(page, title).getByText(text).first().waitFor();
    await page.getByText('Questions that were not shown (1)').click();
    await page.getByText('Brand of the tea').waitFor();
    await page.getByText('Metadata').click();
    await page.locator('pre', { hasText: 'onerror' }).waitFor();

    await page.getByLabel('Language').selectOption('de');
    await answerTo(page, 'Ihr Getränk').waitFor();
    await answerTo(page, 'Day of the visit').getByText('28. Februar 2026').waitFor();

    // Only the image can be shown: the drawing could contain a script.
    expect(await page.getByRole('button', { name: /^Show / }).count()).toBe(1);
    await page.getByRole('button', { name: 'Show receipt.png' }).click();
    await page.getByRole('img', { name: 'receipt.png' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download drawing.svg' }).click(),
    ]);
    expect([download.suggestedFilename(), await readFile(await download.path())]).toEqual(['drawing.svg', SVG]);
    await page.getByText('Downloaded: drawing.svg').waitFor();
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it('corrects one, with the errors of the server beside the answers', async () => {
    const { page, browserErrors } = await open(listPath(`/${plainId}`));
    await page.getByRole('link', { name: 'Correct' }).click();
    const rating = page.getByLabel('Your rating');
    await rating.fill('11');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('One answer is invalid.').waitFor();
    expect(await rating.getAttribute('aria-invalid')).toBe('true');
    await page.getByText('the answer must be from 0 to 10').waitFor();
    await rating.and(page.locator(':focus')).waitFor();

    await rating.fill('8');
    await page.getByLabel('Soup').check();
    await page.getByRole('group', { name: 'Monday' }).getByLabel('Dinner').check();
    await page.getByLabel('Fast', { exact: true }).selectOption('yes');
    const day = page.getByLabel('Day of the visit');
    await day.fill('2026-03-01');
    await day.press('Backspace');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The value is incomplete.').waitFor();
    await day.and(page.locator(':focus')).waitFor();
    await day.fill('2026-03-01');
    const metadata = page.getByLabel('Metadata');
    await metadata.fill('{"source":');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('This is not a JSON object').waitFor();
    await metadata.and(page.locator(':focus')).waitFor();
    await metadata.fill(JSON.stringify({ source: HTML }));
    await page.getByRole('button', { name: 'Save' }).click();
    await answerTo(page, 'Your rating').getByText('8').waitFor();
    await page.getByText('Corrected', { exact: true }).waitFor();
    await page.getByText('Answer to Your rating').waitFor();
    const { body: corrected } = await tenant.api('GET', `/v1/responses/${plainId}`);
    expect(corrected.metadata).toEqual({ source: HTML });
    expect(corrected.data).toEqual({
      drink: 'tea',
      brand: 'Green',
      nps: 8,
      dishes: ['Soup'],
      days: { Monday: ['Dinner'] },
      service: { Fast: 'yes' },
      visit: '2026-03-01',
    });
    expect(unexpected(browserErrors)).toEqual([]);
    await page.close();
  });

  it('does not overwrite a correction of somebody else', async () => {
    const id = await submit({ data: { drink: 'Water', nps: 1 } });
    const { page, browserErrors } = await open(listPath(`/${id}/correct`));
    await page.getByLabel('Your rating').fill('2');
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.getByText('Your changes of the response are lost.').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await tenant.api('PATCH', `/v1/responses/${id}`, { body: { data: { nps: 3 } } })).status).toBe(200);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The response has changed meanwhile').waitFor();
    await page.getByRole('button', { name: 'Load it again' }).click();
    await page.getByText('The response has changed meanwhile').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Your rating').inputValue()).toBe('3');
    expect(unexpected(browserErrors)).toEqual([]);
    await page.close();
    await tenant.api('DELETE', `/v1/responses/${id}`);
  });

  it('deletes one after asking', async () => {
    const id = await submit({ data: { drink: 'Water' } });
    const { page, browserErrors } = await open(listPath(`/${id}`));
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await tenant.api('GET', `/v1/responses/${id}`)).status).toBe(200);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('The response is deleted.').waitFor();
    expect((await tenant.api('GET', `/v1/responses/${id}`)).status).toBe(404);
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('exports them to memory, or to a file on disk, with progress', async () => {
    const { page, browserErrors } = await open(listPath('?language=de'));
    await page.evaluate('window.showSaveFilePicker = undefined');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByLabel('Names of questions and options').selectOption('texts');
    await page.getByLabel('Language of texts').selectOption('de');
    await page.getByLabel('Value for questions not shown').fill('-99');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^Lunch .*\.csv$/);
    const [header, ...rows] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(header).toContain('Ihr Getränk');
    expect(rows).toHaveLength(2);
    expect(rows.filter((row) => row.endsWith(',-99,'))).toHaveLength(1);
    await page.getByText(/B, 2 responses$/).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();

    await page.getByRole('button', { name: 'Export' }).click();
    const [codebook] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download only the codebook' }).click(),
    ]);
    expect(await readFile(await codebook.path(), 'utf8')).toContain('drink,Ihr Getränk,single_choice');
    await page.getByRole('button', { name: 'Dismiss' }).click();

    await page.evaluate(`window.showSaveFilePicker = async () =>
      (await navigator.storage.getDirectory()).getFileHandle('export', { create: true })`);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByLabel('Format').selectOption('ndjson');
    await page.getByText('Only responses that match the filters').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    await page.getByText(/B, 3 responses$/).waitFor();
    const text = await page.evaluate<string>(`navigator.storage.getDirectory()
      .then((folder) => folder.getFileHandle('export'))
      .then((file) => file.getFile())
      .then((file) => file.text())`);
    const ids = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    expect(ids).toHaveLength(3);
    expect(ids).toContain(hostileId);
    await page.getByRole('button', { name: 'Dismiss' }).click();

    await page.getByRole('button', { name: 'Export' }).click();
    // The dialog begins with the options of the last export.
    await page.getByLabel('Only responses that match the filters').check();
    await page.getByLabel('Format').selectOption('xlsx');
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    // The number of responses comes from the header of the reply.
    await page.getByText(/B, 2 responses$/).waitFor();

    // The address keeps the options.
    await page.reload();
    await page.getByText('Your last export was XLSX with the filters of the list.').waitFor();
    await page.evaluate('window.showSaveFilePicker = undefined');
    const [again] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export again' }).click(),
    ]);
    expect(again.suggestedFilename()).toMatch(/^Lunch .*\.xlsx$/);
    await page.getByText(/B, 2 responses$/).waitFor();
    expect(await page.getByRole('button', { name: 'Export again' }).count()).toBe(0);
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('warns of exports that may not fit into the memory', async () => {
    const { page } = await open(listPath());
    await page.evaluate('window.showSaveFilePicker = undefined');
    await page.route('**/responses/count/query', (route) => route.fulfill({ json: { count: 100_001 } }));
    await page.getByLabel('Status').selectOption('completed');
    await page.getByText('100,001 responses match the filters').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByText('100,001 responses may be too many.').waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.close();
  });

  it('lets an export be left, found again and cancelled', async () => {
    const { page } = await open(listPath());
    await page.evaluate('window.showSaveFilePicker = undefined');
    // The reply never begins.
    await page.route('**/responses/export/query', () => undefined);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('link', { name: 'Surveys' }).first().click();
    await page.getByRole('heading', { name: 'Surveys' }).waitFor();
    await page.goBack();
    await page.getByRole('progressbar').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText(/^Cancelled: Lunch/).waitFor();
    await page.close();
  });

  it('hides what the user may not do', async () => {
    const { body } = await tenant.api('POST', '/v1/users', { body: { email: 'viewer@example.org', role: 'viewer' } });
    const { page, browserErrors } = await open(listPath(), WIDE, await tokenFor(tenant.tenantId, body.id));
    await page.getByText('3 responses').waitFor();
    expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0);
    await page.getByRole('table').getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Answers' }).waitFor();
    expect(await page.getByRole('link', { name: 'Correct' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it.each(barrierViews(inject('testScope')))('has no barriers: %s', async (_case, view) => {
    const { page } = await open(listPath(), view);
    await page.getByRole('table').waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    for (const button of ['Columns', 'Export']) {
      await page.getByRole('button', { name: button }).click();
      await page.getByRole('dialog').waitFor();
      expect(await findBarriers(page)).toEqual(NO_BARRIERS);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: button }).and(page.locator(':focus')).waitFor();
    }
    await page.close();
    for (const path of [`/${hostileId}`, `/${hostileId}/correct`]) {
      const { page: other } = await open(listPath(path), view);
      await other.getByText('receipt.png').waitFor();
      expect(await findBarriers(other)).toEqual(NO_BARRIERS);
      await other.close();
    }
  });
});
