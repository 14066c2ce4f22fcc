import { readFile } from 'node:fs/promises';
import type { Browser, Locator, Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  barrierViews,
  findBarriers,
  hasBrowser,
  NARROW,
  NO_BARRIERS,
  openPage,
  pageGateway,
  startBrowser,
  BROWSER_TIMEOUT_MS as TIMEOUT_MS,
  type View,
  type WatchedPage,
} from '../support/browser.ts';
import { createApi, createTenant, type TestTenant, tokenFor } from '../support/platform.ts';

const isLong = inject('testScope') === 'all';

const question = (id: string, title: string) => ({ id, type: 'text', title });
const payload = (title: unknown, questions: readonly object[], more: object = {}) => ({
  schema_version: '1.0',
  version: 1,
  survey: { title, supported_languages: ['en', 'de'], pages: [{ questions }], ...more },
});

const HOSTILE = `<img src=x onerror=alert(1)>\u202Ereversed ${'W'.repeat(10_000)}`;

let browser: Browser;
let tenant: TestTenant;
let token: string;

/** Opens a page of the console as the owner of the tenant. */
async function openConsole(path: string, view?: View): Promise<WatchedPage> {
  const watched = await openPage(browser, pageGateway(), `/console/#token=${token}`, view);
  await watched.page.getByRole('heading', { name: 'Surveys' }).waitFor();
  await watched.page.goto(`${pageGateway()}/console${path}`);
  return watched;
}

async function createSurvey(body: unknown): Promise<string> {
  const { body: survey } = await tenant.api('POST', '/v1/surveys', { body });
  return survey.id;
}

/** Presses a button, and confirms in the dialog that it opens. */
async function confirm(page: Page, label: string, submitLabel = label): Promise<void> {
  await page.getByRole('button', { name: label, exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: submitLabel, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

async function download(page: Page, button: Locator): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return readFile(await file.path(), 'utf8');
}

describe.skipIf(!hasBrowser)('surveys in the console', { timeout: 4 * TIMEOUT_MS }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
    tenant = await createTenant();
    token = await tokenFor(tenant.tenantId, tenant.userId);
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  it('creates, corrects, publishes, edits and compares a survey', async () => {
    const { page, browserErrors, foreignRequests } = await openConsole('/surveys');
    await page.getByRole('link', { name: 'New survey' }).click();
    const text = page.getByRole('textbox', { name: 'Definition as JSON' });

    await text.fill('{\n"survey": ]');
    await page.getByText('This is not valid JSON').waitFor();
    const wrong = payload('Lunch', [question('a', 'First?')], { logic: [ruleFor('a', 'gone')] });
    await page
      .getByLabel('Read a JSON file')
      .setInputFiles({ name: 'survey.json', mimeType: 'application/json', buffer: toBuffer(wrong) });
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('The definition has 1 error').waitFor();
    expect(await page.getByRole('list', { name: 'Errors and warnings' }).textContent()).toContain('UNKNOWN_SOURCE');
    await page.getByRole('button', { name: 'Create with errors' }).waitFor();

    await text.fill(JSON.stringify(payload('Lunch', [question('a', 'First?'), question('b', 'Second?')])));
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Lunch' }).waitFor();
    await confirm(page, 'Publish');
    await page.getByText('The survey is published.').waitFor();

    await page.getByRole('link', { name: 'Definition', exact: true }).click();
    await page.getByText('This definition has no errors or warnings.').waitFor();

    // Screen readers read a message again if its element is new.
    const copy = page.getByRole('button', { name: 'Copy', exact: true });
    const message = page.locator('.toast').filter({ hasText: /copied|copying/ });
    await copy.click();
    await message.evaluate((element) => element.setAttribute('data-was-read', ''));
    await copy.click();
    await message.and(page.locator(':not([data-was-read])')).waitFor();

    await page.getByRole('link', { name: 'Edit' }).click();
    await text.fill(JSON.stringify(payload('Lunch', [question('a', 'Changed?'), question('c', 'Third?')])));
    // Unsaved changes are not lost by following a link.
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByRole('link', { name: 'Edit' }).waitFor();
    await page.getByText('"Third?"').waitFor();

    // The end of a save does not navigate away from a page that the user opened meanwhile.
    await page.getByRole('link', { name: 'Edit' }).click();
    await text.fill(JSON.stringify(payload('Lunch', [question('a', 'Altered?'), question('c', 'Third?')])));
    const reading = Promise.withResolvers<void>();
    await page.route('**/v1/surveys/*', async (route) => {
      if (route.request().method() === 'GET') await reading.promise;
      await route.fallback();
    });
    const saved = page.waitForResponse((response) => response.request().method() === 'PUT');
    await page.getByRole('button', { name: 'Save draft' }).click();
    await saved;
    await page.getByRole('link', { name: 'Versions' }).click();
    await page.getByRole('link', { name: 'Version 1', exact: true }).waitFor();
    reading.resolve();
    await page.getByText('Altered?', { exact: true }).first().waitFor();
    const changes = page.getByRole('listitem').filter({ has: page.getByText(/^(added|removed|changed)$/) });
    expect((await changes.allTextContents()).map((change) => change.replace(/text.*/, ''))).toEqual([
      'changedAltered?a ',
      'addedThird?c ',
      'removedSecond?b ',
    ]);
    await page.getByText('Changes of the JSON').click();
    await page.getByRole('deletion').filter({ hasText: '"id": "b"' }).waitFor();
    await confirm(page, 'Publish the draft', 'Publish');
    await page.getByRole('link', { name: 'Version 2', exact: true }).waitFor();
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it('shows findings at their lines', async () => {
    const id = await createSurvey(payload('Findings', [question('a', 'A?')], { logic: [ruleFor('a', 'gone')] }));
    const { page, browserErrors } = await openConsole(`/surveys/${id}/definition`);
    await page.getByText('This definition has 1 error.').waitFor();
    const button = page.getByRole('list', { name: 'Errors and warnings' }).getByRole('button');
    await button.click();
    const line = page.locator('.code-line:focus');
    expect(`Line ${await line.getAttribute('data-line')}`).toBe(await button.textContent());
    // The rule of the logic begins there.
    expect(await line.locator('xpath=../following-sibling::div').first().textContent()).toContain('"gone"');
    await page.getByLabel('Definition as JSON').getByText('UNKNOWN_SOURCE').waitFor();
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('changes settings, closes, duplicates, deletes and restores a survey', async () => {
    const { body: project } = await tenant.api('POST', '/v1/projects', { body: { name: 'Canteen' } });
    const id = await createSurvey(payload('Life', [question('a', 'A?')]));
    await tenant.api('POST', `/v1/surveys/${id}/publish`);
    const { page, browserErrors } = await openConsole(`/surveys/${id}`);

    await page.getByRole('button', { name: 'Change' }).click();
    await page.getByLabel('Respondents').selectOption('Only with a link');
    await page.getByLabel('Response limit').fill('-1');
    await page.getByLabel('Project').selectOption('Canteen');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'response_limit' }).waitFor();
    await page.getByLabel('Response limit').fill('100');
    await page.getByLabel('Closes').fill('2099-05-06T07:08');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    const { body: changed } = await tenant.api('GET', `/v1/surveys/${id}`);
    expect(changed).toMatchObject({ project_id: project.id, settings: { access: 'links_only', response_limit: 100 } });

    await confirm(page, 'Close');
    await page.getByText('closed', { exact: true }).waitFor();
    await confirm(page, 'Duplicate');
    await page.getByText('You see the copy.').waitFor();
    await page.getByText('draft', { exact: true }).waitFor();
    expect(page.url()).not.toContain(id);
    await confirm(page, 'Delete');
    await page.getByRole('heading', { name: 'Surveys' }).waitFor();
    await page.getByLabel('Status').selectOption('Deleted');
    await confirm(page, 'Restore');
    await page.getByText('No surveys match.').waitFor();

    await page.getByLabel('Status').selectOption('Closed');
    await page.getByLabel('Project').selectOption('Canteen');
    await page.getByLabel('Search titles').fill('lif');
    await expect.poll(() => page.url()).toContain(`status=closed&project_id=${project.id}&q=lif`);
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    // Browsers report the rejected limit.
    expect(browserErrors).toEqual([expect.stringContaining('status of 422')]);
    await page.close();
  });

  it('creates links, with tokens that are shown once, and QR codes', async () => {
    const id = await createSurvey(payload('Links', [question('a', 'A?')]));
    const { page, browserErrors } = await openConsole(`/surveys/${id}/links`);
    const slug = `party-${Date.now()}`;

    await page.getByRole('button', { name: 'New link' }).click();
    await page.getByLabel('Access').selectOption('One token for each response');
    await page.getByLabel('Number of tokens').fill('3');
    await page.getByLabel('Slug (last part of the address)').fill(slug);
    await page.getByLabel('Response limit').fill('50');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const tokens = page.getByRole('dialog', { name: 'Tokens' });
    await page.keyboard.press('Escape');
    const file = await download(page, tokens.getByRole('button', { name: 'Download CSV' }));
    const [first = ''] = await tokens.getByRole('listitem').allTextContents();
    const [header, line = ''] = file.split('\r\n');
    expect(header).toBe('invitation_id,token,address');
    expect(line.slice(line.indexOf(',') + 1)).toBe(`${first},${pageGateway()}/s/${slug}#token=${first}`);
    expect(file.trim().split('\r\n')).toHaveLength(4);
    await tokens.getByRole('button', { name: 'Close' }).click();

    await page.getByRole('button', { name: `QR code of ${slug}` }).click();
    await page.getByRole('img', { name: `QR code of ${pageGateway()}/s/${slug}` }).waitFor();
    expect(await download(page, page.getByRole('button', { name: 'Download SVG' }))).toMatch(/^<svg .*<\/svg>$/s);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: `Change ${slug}` }).click();
    await page.getByLabel('The link is on').uncheck();
    await page.getByLabel('Expires').fill('2099-01-01T00:00');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The link is changed.').waitFor();
    const row = page.getByRole('row').filter({ hasText: slug });
    await row.getByText('off').waitFor();
    expect(await row.textContent()).toContain('50');

    await confirm(page, `Delete ${slug}`, 'Delete');
    await page.getByText('There are no links yet.').waitFor();
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('counts responses by survey and link', async () => {
    const id = await createSurvey(payload('Counted', [question('a', 'A?')]));
    await tenant.api('POST', `/v1/surveys/${id}/publish`);
    const { body: link } = await tenant.api('POST', `/v1/surveys/${id}/links`, { body: { max_responses: 5 } });
    const submit = () => createApi()('POST', `/v1/public/links/${link.slug}/responses`, { body: { data: { a: 'x' } } });
    expect([(await submit()).status, (await submit()).status]).toEqual([201, 201]);
    const { page, browserErrors } = await openConsole('/surveys?q=Counted');
    await page.getByRole('row').filter({ hasText: 'Counted' }).getByRole('cell', { name: '2', exact: true }).waitFor();
    await page.getByRole('link', { name: 'Counted' }).click();
    await page.getByText('Completed').waitFor();
    await page.getByRole('link', { name: 'Links', exact: true }).click();
    await page.getByRole('cell', { name: '2 of 5' }).waitFor();
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('reports that responses could not be counted, and counts them again', async () => {
    const id = await createSurvey(payload('Uncounted', [question('a', 'A?')]));
    await tenant.api('POST', `/v1/surveys/${id}/links`, { body: { max_responses: 5 } });
    const { page } = await openConsole('/surveys');
    const problem = { code: 'UNAVAILABLE', title: 'Try again later', status: 503 };
    const fail = (route: Route) => route.fulfill({ status: 503, json: problem });
    await page.route('**/v1/response-counts*', fail);
    await page.route('**/responses/counts-by-link*', fail);
    await page.goto(`${pageGateway()}/console/surveys/${id}/links`);
    await page.getByRole('cell', { name: 'not available of 5' }).waitFor();
    await page.getByRole('link', { name: 'Surveys', exact: true }).first().click();
    const row = page.getByRole('row').filter({ hasText: 'Uncounted' });
    await row.getByRole('cell', { name: 'not available' }).first().waitFor();
    await row.getByRole('link', { name: 'Uncounted' }).click();
    await page.getByRole('button', { name: 'Try again' }).waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Completed').waitFor();
    await page.close();
  });

  it.runIf(isLong)('keeps the text when somebody else changes the survey', async () => {
    const id = await createSurvey(payload('Shared', [question('a', 'A?')]));
    const { page } = await openConsole(`/surveys/${id}/edit`);
    await page.getByLabel('Definition as JSON').fill(JSON.stringify(payload('Mine', [question('a', 'A?')])));
    await tenant.api('PATCH', `/v1/surveys/${id}`, { body: { settings: { response_limit: 3 } } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Overwrite their change' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Mine' }).waitFor();
    const { body: saved } = await tenant.api('GET', `/v1/surveys/${id}`);
    expect(saved).toMatchObject({ version: 2, settings: { response_limit: 3 } });
    await page.close();
  });

  it('saves a draft if somebody else publishes the survey meanwhile', async () => {
    const id = await createSurvey(payload('Theirs', [question('a', 'A?')]));
    const { page } = await openConsole(`/surveys/${id}/edit`);
    await page.getByLabel('Definition as JSON').fill(JSON.stringify(payload('Mine', [question('a', 'A?')])));
    expect((await tenant.api('POST', `/v1/surveys/${id}/publish`)).status).toBe(200);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Overwrite their change' }).click();
    await page.getByText('When you save, your text replaces their change. The survey is active.').waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText('The draft is saved.').waitFor();
    const { body: saved } = await tenant.api('GET', `/v1/surveys/${id}`);
    expect(saved).toMatchObject({ version: 1, status: 'active', has_draft: true, definition: { title: 'Theirs' } });
    await page.close();
  });

  it('gives the preview the definition and the language', async () => {
    const id = await createSurvey(payload({ en: 'Preview', de: 'Vorschau' }, [question('a', 'A?')]));
    const { page, browserErrors } = await openConsole('/surveys');
    await page.route('**/s/preview', (route) => route.fulfill({ contentType: 'text/html', body: ECHO }));
    await page.goto(`${pageGateway()}/console/surveys/${id}/preview`);
    const preview = page.frameLocator('iframe');
    await preview.getByText('en Preview').waitFor();
    await page.getByLabel('Language').selectOption('de');
    await preview.getByText('de Vorschau').waitFor();
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('shows hostile titles only as text', async () => {
    const id = await createSurvey(payload(HOSTILE, [question('a', `<script>alert(2)</script>${'x'.repeat(5_000)}`)]));
    await tenant.api('PUT', `/v1/surveys/${id}`, { body: payload(`${HOSTILE}!`, [question('b', HOSTILE)]) });
    const { page, browserErrors } = await openConsole('/surveys', NARROW);
    await page.route('**/s/preview', (route) => route.fulfill({ contentType: 'text/html', body: ECHO }));
    let alerts = 0;
    page.on('dialog', (dialog) => {
      alerts += 1;
      void dialog.dismiss();
    });
    await page.getByRole('link', { name: '<img src=x' }).waitFor();
    const paths = ['', '/definition', '/edit', '/versions', '/links', '/preview'];
    for (const path of ['', ...paths.map((end) => `/${id}${end}`)]) {
      await page.goto(`${pageGateway()}/console/surveys${path}`);
      await page.getByText('<img src=x').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    }
    expect([alerts, browserErrors]).toEqual([0, []]);
    await page.close();
  });

  it('hides what a viewer may not do', async () => {
    const id = await createSurvey(payload('For viewers', [question('a', 'A?')]));
    const viewer = await tenant.userWith('viewer');
    const { body: me } = await viewer('GET', '/v1/me');
    const { page } = await openPage(
      browser,
      pageGateway(),
      `/console/#token=${await tokenFor(tenant.tenantId, me.user_id)}`,
    );
    await page.getByRole('link', { name: 'For viewers' }).click();
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await page.getByRole('link', { name: 'Definition', exact: true }).click();
    await page.getByText('This definition has').waitFor();
    await page.goto(`${pageGateway()}/console/surveys/${id}/links`);
    await page.getByText('There are no links yet.').waitFor();
    expect(await page.getByRole('button').allTextContents()).toEqual(['Skip to the content', 'Sign out']);
    await page.close();
  });

  it.each(barrierViews(inject('testScope')))('has no barriers: %s', async (_case, view) => {
    const id = await createSurvey(payload('Barriers', [question('a', 'A?')], { logic: [ruleFor('a', 'gone')] }));
    await tenant.api('PUT', `/v1/surveys/${id}`, { body: payload('Barriers', [question('b', 'B?')]) });
    await tenant.api('POST', `/v1/surveys/${id}/links`, { body: { single_use: true } });
    const { page } = await openConsole('/surveys', view);
    const short = [
      ['', 'History'],
      ['/versions', 'What changed'],
    ] as const;
    const long = [
      ['/definition', 'Copy'],
      ['/edit', 'Check'],
      ['/links', 'QR code'],
      ['/preview', 'Language'],
    ] as const;
    for (const [path, shown] of isLong ? [...short, ...long] : short) {
      await page.goto(`${pageGateway()}/console/surveys/${id}${path}`);
      await page.getByText(shown, { exact: true }).waitFor();
      expect([path, await findBarriers(page)]).toEqual([path, NO_BARRIERS]);
    }
    await page.goto(`${pageGateway()}/console/surveys/new`);
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('The definition has no errors').waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.close();
  });
});

function ruleFor(questionId: string, source: string): object {
  return {
    question_id: questionId,
    conditions: [{ source_question: source, operator: 'equals', value: 'x', action: 'show' }],
  };
}

function toBuffer(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value, null, 2));
}

/** In place of the page for respondents: shows the language and the title that it gets. */
const ECHO = `<!doctype html><title>Echo</title><p></p><script>
addEventListener('message', ({ data, origin }) => {
  if (origin !== location.origin || data.type !== 'survey-preview') return;
  document.querySelector('p').textContent = data.language + ' ' + data.definition.title[data.language];
});
parent.postMessage({ type: 'survey-preview-ready' }, location.origin);
</script>`;
