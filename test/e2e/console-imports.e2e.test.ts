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

/** Enough for an import that runs until it is found again and cancelled. Playwright takes files of up to 50 MB. */
const RESPONSES = inject('testScope') === 'all' ? 180_000 : 60_000;

const HOSTILE = `<img src=x onerror="document.title='hacked'">`;
const SURVEY = [
  'question_id,question_type,question_title,question_required,question_options,logic_conditions,extra',
  `ate,single_choice,"${HOSTILE.replaceAll('"', '""')}",yes,Yes|No,,x`,
  'taste,rating,How was it?,no,1-5,,',
].join('\n');
const ANSWERS = [
  'id,submitted_at,ate,taste,unknown',
  '1,2026-03-02T12:10:00Z,Yes,4,x',
  `2,2026-03-02T12:10:00Z,Yes,"${HOSTILE.replaceAll('"', '""')}",x`,
  '3,2026-03-02T12:10:00Z,Perhaps,4,x',
  '4,yesterday,No,,x',
].join('\n');

let browser: Browser;
let tenant: TestTenant;
let token: string;

const open = (path: string, view: View = WIDE) =>
  openPage(browser, pageGateway(), `/console${path}#token=${token}`, view);

async function choose(page: Page, name: string, content: string): Promise<void> {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
}

/** A file of responses, 250 bytes each. */
function toLines(count: number): string {
  const line = (index: number) => `{"id":"${index}","data":{"ate":"Yes"},"metadata":{"note":"${'x'.repeat(200)}"}}`;
  return Array.from({ length: count }, (_, index) => line(index)).join('\n');
}

async function createSurvey(): Promise<string> {
  const { body } = await tenant.api('POST', '/v1/surveys/import?source=custom&format=csv&title=Lunch', {
    body: SURVEY,
  });
  return body.id;
}

describe.skipIf(!hasBrowser)('imports in the console', { timeout: 4 * TIMEOUT_MS }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
    tenant = await createTenant();
    token = await tokenFor(tenant.tenantId, tenant.userId);
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  it('create a survey, then check and add its responses, with a report', async () => {
    const { page, browserErrors, foreignRequests } = await open('/imports');
    await page.getByText('There are no imports').waitFor();
    await page.getByRole('link', { name: 'New import' }).click();
    await choose(page, 'lunch.csv', SURVEY);
    await page.getByText('Spreadsheet, or this platform, CSV').waitFor();
    await page.getByLabel('Title, if the file has none').fill('Lunch');
    await page.getByRole('button', { name: 'Check with a dry run' }).click();
    await page.getByText('The file can be imported.').waitFor();
    await page.getByText('The column extra').waitFor();
    expect((await tenant.api('GET', '/v1/surveys')).body).toEqual([]);
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText('completed', { exact: true }).waitFor();
    const [survey] = (await tenant.api('GET', '/v1/surveys')).body;
    expect(survey.definition.title).toBe('Lunch');

    await page.getByRole('link', { name: 'Imports' }).first().click();
    await page.getByRole('link', { name: 'New import' }).click();
    await page.getByLabel('Responses of an existing survey').click();
    await page.getByRole('combobox', { name: 'Survey' }).fill('Lun');
    await page.getByRole('option', { name: 'Lunch' }).click();
    await page.getByText('Into Lunch').waitFor();
    expect(page.url()).toContain(`survey=${survey.id}`);
    await choose(page, 'answers.csv', ANSWERS);
    await page.getByRole('button', { name: 'Check with a dry run' }).click();
    await page.getByText('1 of 4 responses can be imported, 1 of them in part.').waitFor();
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByRole('heading', { name: 'Import', exact: true }).waitFor();

    // The failed rows have their locations.
    await page.getByRole('region', { name: 'Rejected responses' }).first().waitFor();
    const rows = await page.getByRole('table', { name: 'Rejected responses' }).locator('tbody tr').allInnerTexts();
    expect(rows.map((row) => row.split('\t').slice(0, 3))).toEqual([
      ['row 3', 'taste', '2'],
      ['row 4', 'ate', '3'],
      ['row 5', 'submitted_at', '4'],
    ]);
    await page.getByText('The column unknown is not imported').waitFor();
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download all errors' }).click();
    const lines = (await readFile(await (await downloading).path(), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['2', '3', '4']);
    expect((await tenant.api('GET', `/v1/surveys/${survey.id}/responses/count`)).body.count).toBe(1);
    expect(await page.title()).toContain('Import');
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it('upload with progress, even while other pages are used', async () => {
    const surveyId = await createSurvey();
    const { page, browserErrors } = await open(`/imports/new?survey=${surveyId}`);
    await choose(page, 'slow.ndjson', toLines(10_000));
    await page.getByText('NDJSON').first().waitFor();
    // Slow enough to see the upload, leave it, find it again and stop it.
    const network = await page.context().newCDPSession(page);
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 50_000 };
    await network.send('Network.enable');
    await network.send('Network.emulateNetworkConditions', slow);
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText(/ of .* MB, \d+(\.\d)?%, about .* left/).waitFor();
    await page.getByRole('link', { name: 'Imports' }).first().click();
    const uploads = page.getByRole('region', { name: 'Uploads' });
    await uploads.getByText('Uploading: slow.ndjson').waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await uploads.getByRole('button', { name: 'Stop the upload' }).click();
    await uploads.waitFor({ state: 'detached' });
    expect((await tenant.api('GET', `/v1/surveys/${surveyId}/responses/count`)).body.count).toBe(0);
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('run on when their page is left, and can be found again and cancelled', async () => {
    const surveyId = await createSurvey();
    const { page, browserErrors } = await open(`/imports/new?survey=${surveyId}`);
    await choose(page, 'many.ndjson', toLines(RESPONSES));
    await page.getByText('NDJSON').first().waitFor();
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText(/responses\/s/).waitFor();
    await page.getByRole('link', { name: 'Imports' }).first().click();
    const running = page.getByRole('row', { name: 'running' });
    await running.getByRole('progressbar').waitFor();
    await running.getByRole('link').first().click();
    await page.getByText(/left/).waitFor();
    await page.getByRole('button', { name: 'Cancel the import' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the import' }).click();
    await page.getByText('The import was cancelled.').waitFor();
    await page.getByText('cancelled', { exact: true }).waitFor();
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('show the columns of a table, and change their targets', async () => {
    const surveyId = await createSurvey();
    const { page, browserErrors } = await open(`/imports/new?survey=${surveyId}`);
    await choose(page, 'answers.csv', 'When,How was it?,ate,Note\n2026-03-02T12:10:00Z,4,Yes,x\n');
    await page.getByRole('table', { name: 'Columns of the file' }).waitFor();
    await page.getByText('the title, 90 %').waitFor();
    await page.getByLabel('Target of When').selectOption('submitted_at');
    await page.getByText('you, 100 %').waitFor();
    await page.getByRole('button', { name: 'Start the import' }).click();
    await page.getByText('completed', { exact: true }).waitFor();
    const { body } = await tenant.api('GET', `/v1/surveys/${surveyId}/responses`);
    expect(body).toMatchObject([{ completed_at: '2026-03-02T12:10:00.000Z', data: { ate: 'Yes', taste: 4 } }]);
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('plan again for another survey or language', async () => {
    const surveyId = await createSurvey();
    const { body: other } = await tenant.api('POST', '/v1/surveys/import?source=custom&format=csv&title=Dinner', {
      body: SURVEY.replaceAll('taste', 'smell'),
    });
    const { page, browserErrors } = await open(`/imports/new?survey=${surveyId}`);
    await choose(page, 'answers.csv', 'When,taste\n2026-03-02T12:10:00Z,4\n');
    await page.getByLabel('Target of When').selectOption('taste');
    await page.getByText('you, 100 %').waitFor();
    await page.getByRole('combobox', { name: 'Another survey' }).fill('Din');
    await page.getByRole('option', { name: 'Dinner' }).click();
    await page.getByText('Into Dinner').waitFor();
    expect(page.url()).toContain(`survey=${other.id}`);
    // The column that the user has mapped to a question of the first survey is found as if it were new.
    await page.getByLabel('Target of When').locator('option[value=smell]').waitFor({ state: 'attached' });
    expect(await page.getByLabel('Target of When').inputValue()).not.toBe('taste');
    expect(await page.getByText('you, 100 %').count()).toBe(0);

    await page.getByLabel('A new survey').click();
    const planned = page.waitForRequest((request) => request.url().includes('language=de'));
    await page.getByLabel('Language, if the file has none').fill(' de ');
    await planned;
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('report the problem of a file that cannot be read', async () => {
    const surveyId = await createSurvey();
    const { page } = await open(`/imports/new?survey=${surveyId}`);
    await choose(page, 'broken.csv', 'id,ate\n1,"Yes\n');
    await page.getByRole('button', { name: 'Check with a dry run' }).click();
    await page.getByText('This file cannot be imported as it is.').waitFor();
    await page.getByText('a quoted cell does not end').first().waitFor();
    await page.close();
  });

  it.each(barrierViews(inject('testScope')))('have no barriers: %s', async (_case, view) => {
    const surveyId = await createSurvey();
    const { page, browserErrors, foreignRequests } = await open(`/imports/new?survey=${surveyId}`, view);
    await choose(page, `${'long'.repeat(50)}.csv`, ANSWERS);
    await page.getByRole('button', { name: 'Check with a dry run' }).click();
    await page.getByRole('table', { name: 'Rejected responses' }).waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.getByRole('link', { name: 'Imports' }).first().click();
    await page.getByRole('table', { name: 'Imports' }).waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it('offer nothing to a viewer', async () => {
    const viewer = await tenant.userWith('viewer');
    const { user_id } = (await viewer('GET', '/v1/me')).body;
    const { page } = await openPage(
      browser,
      pageGateway(),
      `/console/imports#token=${await tokenFor(tenant.tenantId, user_id)}`,
    );
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('link', { name: 'New import' }).count()).toBe(0);
    await page.goto(`${pageGateway()}/console/imports/new`);
    await page.getByText('You may not import anything.').waitFor();
    await page.close();
  });
});
