import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page } from 'playwright-core';
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
  type View,
  WIDE,
} from '../support/browser.ts';
import { createTenant, type TestTenant, tokenFor } from '../support/platform.ts';

/** An answer that must be in no URL that the browser requests. */
const MARKER = 'marker-4711';
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
          {
            id: 'drink',
            type: 'single_choice',
            title: { en: `Your drink ${HTML}`, de: 'Ihr Getränk' },
            options: [{ id: 'tea', text: { en: `Tea ${HTML}`, de: 'Tee' } }, 'Water'],
            allow_other: true,
          },
          { id: 'dishes', type: 'multiple_choice', title: 'Dishes', options: ['Soup', 'Rice'] },
          { id: 'nps', type: 'rating', title: 'Would you recommend us?', min: 0, max: 10 },
          { id: 'weight', type: 'text', format: 'number', title: 'Weight' },
          { id: 'comment', type: 'textarea', title: 'Comment' },
          { id: 'visit', type: 'date', title: 'Day of the visit' },
          { id: 'arrival', type: 'time', title: 'Time of the visit' },
          { id: 'days', type: 'matrix', title: 'Days', rows: ['Monday'], columns: ['Breakfast', 'Dinner'] },
        ],
      },
    ],
  },
};

let browser: Browser;
let tenant: TestTenant;
let token: string;
let surveyId: string;

const pathOf = (tab: 'results' | 'responses') => `/console/surveys/${surveyId}/${tab}`;
/** Opens a page. A fragment can follow the path. */
const open = (path: string, view?: View, as = token) =>
  openPage(browser, pageGateway(), `${path.split('#')[0]}#token=${as}&${path.split('#')[1] ?? ''}`, view);
const section = (page: Page) => page.getByRole('region', { name: 'Conditions', exact: true });
const rows = (page: Page) => page.getByRole('table', { name: 'Responses' }).locator('tbody tr');
const matches = (page: Page, text: string) => section(page).getByText(text, { exact: true }).waitFor();
const area = (page: Page, question: string, label: string) =>
  page.getByRole('toolbar', { name: `Select answers: ${question}` }).getByRole('button', { name: label });

/** Returns the area of a bar after scrolling to its chart: charts are drawn when they are near. */
async function showArea(page: Page, question: string, label: string): Promise<Locator> {
  await page.getByRole('figure').filter({ hasText: question }).first().scrollIntoViewIfNeeded();
  const found = area(page, question, label);
  await found.waitFor();
  return found;
}

/** The conditions in the address of the page. */
function whereOf(page: Page): unknown {
  const { hash } = new URL(page.url());
  return hash === '' ? undefined : JSON.parse(decodeURIComponent(hash.replace('#where=', '')));
}

async function chooseCondition(page: Page, question: string, comparison: string): Promise<void> {
  await page.getByRole('dialog').getByLabel('Question or other part of a response').selectOption(question);
  await page.getByRole('dialog').getByLabel('Comparison').selectOption(comparison);
}

async function submit(data: object, members: object = {}): Promise<void> {
  const body = { data, ...members };
  expect((await tenant.api('POST', `/v1/surveys/${surveyId}/responses`, { body })).status).toBe(201);
}

describe.skipIf(!hasBrowser)('conditions in the console', { timeout: 6 * TIMEOUT_MS }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
    tenant = await createTenant();
    token = await tokenFor(tenant.tenantId, tenant.userId);
    const settings = { metadata_fields: [{ name: 'branch', type: 'string', from: ['api'] }] };
    const created = await tenant.api('POST', '/v1/surveys', { body: { ...definition, settings } });
    expect(created.status).toBe(201);
    surveyId = created.body.id;
    expect((await tenant.api('POST', `/v1/surveys/${surveyId}/publish`)).status).toBe(200);
    for (let number = 0; number < 12; number += 1) {
      await submit(
        {
          ...(number === 11 ? {} : { drink: number % 3 === 0 ? 'tea' : 'Water' }),
          dishes: number % 2 === 0 ? ['Soup', 'Rice'] : ['Rice'],
          nps: [10, 9, 7, 2][number % 4],
          weight: String(number * 100 + 0.5),
          comment: number === 3 ? `${MARKER} 100% "a&b"` : `Comment ${number}`,
          visit: `2026-03-${String(number + 1).padStart(2, '0')}`,
          arrival: `${10 + (number % 3)}:30`,
          days: { Monday: 'Dinner' },
        },
        { language: number % 2 === 0 ? 'en' : 'de', metadata: { branch: number < 4 ? 'north' : 'south' } },
      );
    }
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  it('lead from a bar to its responses, an export, and an address to share', async () => {
    const { page, browserErrors, foreignRequests } = await open(pathOf('results'));
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    await page.getByText('Answers of 12 completed responses.').waitFor();
    await (await showArea(page, 'Your drink', 'Tea')).click();
    await page.getByText('Condition added: Your drink').waitFor();
    await matches(page, '4 of 12 responses match.');
    await page.getByText('Answers of 4 completed responses.').waitFor();
    await section(page).getByText(`Your drink ${HTML} is Tea ${HTML}`).waitFor();

    await page.getByRole('link', { name: 'Responses', exact: true }).click();
    await matches(page, '4 of 12 responses match.');
    await rows(page).nth(3).waitFor();
    expect(await rows(page).count()).toBe(4);

    await section(page).getByRole('button', { name: 'Add a condition' }).click();
    await chooseCondition(page, 'Comment', 'contains');
    await page.getByLabel('Value').fill(MARKER);
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await matches(page, '1 of 12 responses match.');

    await page.evaluate('window.showSaveFilePicker = undefined');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('dialog').getByText(`Comment contains “${MARKER}”`).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('button', { name: 'Export' }).click(),
    ]);
    // The digits tell exports with different conditions apart.
    expect(download.suggestedFilename()).toMatch(/^Lunch [0-9a-f]{8}\.csv$/);
    const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(MARKER);

    await page.getByRole('button', { name: 'Export' }).click();
    const [codebook] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download only the codebook' }).click(),
    ]);
    expect(await readFile(await codebook.path(), 'utf8')).toMatch(
      /conditions [0-9a-f]{8},,.*is “Tea.*” and Comment contains “marker-4711”/,
    );

    await section(page).getByLabel('Show responses for which').selectOption('any');
    await matches(page, '4 of 12 responses match.');
    const where = {
      match: 'any',
      conditions: [
        { source_question: 'drink', operator: 'equals', value: 'tea' },
        { source_question: 'comment', operator: 'contains', value: MARKER },
      ],
    };
    expect(whereOf(page)).toEqual(where);
    await page.getByLabel('Language').selectOption('de');
    await matches(page, '2 of 6 responses match.');
    expect(whereOf(page)).toEqual(where);
    const address = page.url();
    await page.reload();
    await matches(page, '2 of 6 responses match.');
    // The conditions are only in the fragment, which browsers do not send.
    expect(requested.filter((url) => url.split('#')[0]?.includes(MARKER))).toEqual([]);
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();

    const shared = await openPage(
      browser,
      pageGateway(),
      `${address.slice(pageGateway().length).replace('#', `#token=${token}&`)}`,
    );
    await matches(shared.page, '2 of 6 responses match.');
    expect(whereOf(shared.page)).toEqual(where);
    expect(shared.page.url()).not.toContain(token);
    await section(shared.page)
      .getByRole('button', { name: /^Remove: Comment/ })
      .click();
    await section(shared.page).and(shared.page.locator(':focus')).waitFor();
    await section(shared.page).getByRole('button', { name: 'Clear the conditions' }).click();
    await shared.page.getByText('6 responses match the filters').waitFor();
    expect(whereOf(shared.page)).toBeUndefined();
    expect(shared.browserErrors).toEqual([]);
    await shared.page.close();
  });

  it('select ranges, days and groups of the net promoter score, and deselect them', async () => {
    const { page } = await open(pathOf('results'));
    await page.getByRole('button', { name: 'Promoters', exact: true }).click();
    await matches(page, '6 of 12 responses match.');
    await page.getByRole('button', { name: 'Promoters', exact: true, pressed: true }).click();
    await page.getByText('Answers of 12 completed responses.').waitFor();
    for (const [question, label, found, count] of [
      ['Would you recommend us?', '7', 'Would you recommend us? is 7', 3],
      ['Dishes', 'Soup', 'Dishes includes Soup', 6],
      ['Day of the visit', 'March 2, 2026', 'Day of the visit is 2026-03-02', 1],
      ['Time of the visit', '11:00', 'Time of the visit is from 11:00', 4],
    ] as const) {
      await (await showArea(page, question, label)).click();
      await matches(page, `${count} of 12 responses match.`);
      await section(page).getByText(found, { exact: true }).waitFor();
      await expect.poll(async () => (await showArea(page, question, label)).getAttribute('aria-pressed')).toBe('true');
      await (await showArea(page, question, label)).click();
      await page.getByText('Answers of 12 completed responses.').waitFor();
    }
    expect(whereOf(page)).toBeUndefined();
    await page.close();
  });

  it('say that negative operators match unanswered questions, and offer to exclude them', async () => {
    const { page } = await open(pathOf('responses'));
    const add = section(page).getByRole('button', { name: 'Add a condition' });
    await add.click();
    await chooseCondition(page, `Your drink ${HTML}`, 'is not, or not answered');
    await page.getByLabel('Value').selectOption(`Tea ${HTML}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await matches(page, '8 of 12 responses match.');
    await section(page).getByText('or not answered').waitFor();
    await section(page)
      .getByRole('button', { name: /^and answered/ })
      .click();
    await matches(page, '7 of 12 responses match.');
    expect(await section(page).getByText('or not answered').count()).toBe(0);

    await section(page).getByRole('button', { name: 'Clear the conditions' }).click();
    await add.click();
    await chooseCondition(page, `Your drink ${HTML}`, 'is none of, or not answered');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByText('Choose at least one value.').waitFor();
    await page.getByRole('dialog').getByLabel('Water').check();
    await page.getByRole('dialog').getByLabel('and answered').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await matches(page, '4 of 12 responses match.');

    await section(page)
      .getByRole('button', { name: /^Change: Your drink .* is none of/ })
      .click();
    expect(await page.getByRole('dialog').getByLabel('Water').isChecked()).toBe(true);
    await chooseCondition(page, `Your drink ${HTML}`, 'is');
    await page.getByLabel('Value').selectOption('Water');
    await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click();
    await matches(page, '7 of 12 responses match.');
    await page.close();
  });

  it('test other parts of responses, and apply to random samples', async () => {
    const { page } = await open(pathOf('responses'));
    await section(page).getByRole('button', { name: 'Add a condition' }).click();
    await chooseCondition(page, 'Metadata branch', 'is');
    await page.getByLabel('Value').fill('north');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await matches(page, '4 of 12 responses match.');
    await section(page).getByRole('button', { name: 'Add a condition' }).click();
    await chooseCondition(page, 'Language', 'is');
    await page.getByLabel('Value').selectOption('de');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await matches(page, '2 of 12 responses match.');
    await page.getByRole('button', { name: 'Random sample' }).click();
    await page.getByText('A random sample of at most 20.').waitFor();
    await rows(page).nth(1).waitFor();
    expect(await rows(page).count()).toBe(2);

    await section(page).getByRole('button', { name: 'Add a condition' }).click();
    await page.getByRole('dialog').getByLabel('Question or other part').selectOption('Other metadata');
    await page.getByLabel('Name in the metadata').fill('campaign');
    await page.getByRole('dialog').getByLabel('Comparison').selectOption('is answered');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await matches(page, '0 of 12 responses match.');
    await page.getByText('No responses match.').waitFor();
    await page.getByRole('button', { name: 'Remove the filters' }).click();
    expect(whereOf(page)).toBeUndefined();
    await page.goto(`${pageGateway()}${pathOf('responses')}#where=%7B%22conditions%22:7%7D`);
    await page.getByText('The conditions in the address cannot be read').waitFor();
    await page.close();
  });

  it('work with the keyboard alone', async () => {
    const { page } = await open(pathOf('results'));
    await page.getByText('Answers of 12 completed responses.').waitFor();
    await page.keyboard.press('Tab');
    await tabAndPress(page, page.getByRole('button', { name: 'Skip to the content' }));
    // One stop for each chart: arrow keys move between its bars.
    await tabTo(page, area(page, 'Your drink', 'Tea'));
    await page.keyboard.press('ArrowDown');
    await area(page, 'Your drink', 'Water').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await matches(page, '7 of 12 responses match.');
    await area(page, 'Your drink', 'Water').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("[role=toolbar]")')).toBeNull();
    expect(whereOf(page)).toBeDefined();
    await page.close();
  });

  it('delete responses after a dry run', async () => {
    for (const comment of ['spam 1', 'spam 2']) await submit({ comment });
    const { page, browserErrors } = await open(pathOf('responses'));
    await section(page).getByRole('button', { name: 'Add a condition' }).click();
    await chooseCondition(page, 'Comment', 'contains');
    await page.getByLabel('Value').fill('spam');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await matches(page, '2 of 14 responses match.');
    await page.getByRole('button', { name: 'Delete…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Comment contains “spam”').waitFor();
    await dialog.getByRole('button', { name: 'Count them' }).click();
    await page.getByRole('heading', { name: 'Delete 2 responses?' }).waitFor();
    await dialog.getByText('These responses').click();
    expect(await dialog.getByRole('link').count()).toBe(2);
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await dialog.getByLabel('Number of responses').fill('3');
    await dialog.getByRole('button', { name: 'Delete 2 responses' }).click();
    await dialog.getByText('This is not the number of responses.').waitFor();
    await dialog.getByLabel('Number of responses').fill('2');
    await dialog.getByRole('button', { name: 'Delete 2 responses' }).click();
    await dialog.getByText('2 responses are deleted.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await matches(page, '0 of 12 responses match.');
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('offer deletions only to users who may delete', async () => {
    const { body } = await tenant.api('POST', '/v1/users', { body: { email: 'viewer@example.org', role: 'viewer' } });
    const { page } = await open(pathOf('responses'), WIDE, await tokenFor(tenant.tenantId, body.id));
    await page.getByText('12 responses').waitFor();
    expect(await page.getByRole('button', { name: 'Delete…' }).count()).toBe(0);
    await page.close();
  });

  it.each(barrierViews(inject('testScope')))('has no barriers: %s', async (_case, view) => {
    const conditions = [
      { source_question: 'drink', operator: 'not_in', value: ['tea', 'Water'] },
      { source_question: 'visit', operator: 'greater_than', value: '2026-01-31' },
    ];
    const fragment = `where=${encodeURIComponent(JSON.stringify({ conditions }))}`;
    for (const tab of ['results', 'responses'] as const) {
      const { page } = await open(`${pathOf(tab)}#${fragment}`, view);
      await matches(page, '1 of 12 responses match.');
      if (tab === 'results') await showArea(page, 'Dishes', 'Rice');
      expect(await findBarriers(page)).toEqual(NO_BARRIERS);
      await section(page).getByRole('button', { name: 'Change: Your drink' }).click();
      await page.getByRole('dialog').getByLabel('Water').waitFor();
      expect(await findBarriers(page)).toEqual(NO_BARRIERS);
      await page.close();
    }
  });
});
