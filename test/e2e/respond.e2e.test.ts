import { gzipSync } from 'node:zlib';
import { poll } from '@survey/runtime/testing/poll';
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
  tabAndPress,
  tabTo,
} from '../support/browser.ts';
import { type Api, createApi, createTenant } from '../support/platform.ts';
import { allTypesSurvey, HOSTILE, hostileSurvey, WAS_HACKED } from './respondent-surveys.ts';

const MAX_FIRST_LOAD_BYTES = 100_000;
const PICTURE = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

const isAll = inject('testScope') === 'all';

const gateway = () => inject('stack').gateway;
/** Sends a request as the page would, without giving the page the reply. */
const send = (route: Route) => route.fetch({ url: route.request().url().replace(pageGateway(), gateway()) });

let browser: Browser;
let api: Api;

async function publish(survey: object, settings: object = {}): Promise<string> {
  const { body } = await api('POST', '/v1/surveys', { body: { schema_version: '1.0', version: 1, survey, settings } });
  expect((await api('POST', `/v1/surveys/${body.id}/publish`)).status).toBe(200);
  return body.id;
}

/** A survey with one question on each of two pages. */
const shortSurvey = {
  title: 'Lunch',
  supported_languages: ['en'],
  pages: [
    { questions: [{ id: 'dish', type: 'text', title: 'What did you eat?', required: true }] },
    { questions: [{ id: 'taste', type: 'rating', title: 'How was it?' }] },
  ],
  thank_you_screen: { title: 'See you tomorrow' },
};

const openSurvey = (surveyId: string) => openPage(browser, pageGateway(), `/s/surveys/${surveyId}`);

const listResponses = async (surveyId: string) => (await api('GET', `/v1/surveys/${surveyId}/responses`)).body;

async function continueFrom(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Next' }).click();
}

async function submit(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Submit' }).click();
}

/** Answers the first page of the short survey. */
async function answerDish(page: Page, dish: string): Promise<void> {
  await page.getByLabel('What did you eat?').fill(dish);
  await continueFrom(page);
  await page.getByRole('radiogroup', { name: 'How was it?' }).waitFor();
}

/** Answers the first page of the survey with all types. */
async function answerChoices(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('radio', { name: 'Other' }).check();
  await page.getByLabel('Your own answer').fill('Lemonade');
  await page.getByRole('checkbox', { name: 'Nothing' }).check();
  await page.getByRole('checkbox', { name: 'Soup' }).check();
  await page.getByRole('checkbox', { name: 'Rice' }).check();
  await page.getByRole('radiogroup', { name: 'Would you recommend us?' }).getByText('9', { exact: true }).click();
}

const receiptOf = (page: Page) => page.locator('input[type=file]');

/** Holds uploads back. Returns a function that lets them continue. */
async function holdUploads(page: Page): Promise<() => Promise<void>> {
  const held: Route[] = [];
  await page.route('**/files?**', (route) => void held.push(route));
  return async () => {
    await Promise.all(held.map((route) => route.continue()));
    await page.unroute('**/files?**');
  };
}

const fileNamed = (name: string, buffer = PICTURE) => ({ name, mimeType: 'image/png', buffer });

describe.skipIf(!hasBrowser)('the page for respondents', { timeout: 4 * TIMEOUT_MS }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
    ({ api } = await createTenant());
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  it('asks questions of all types on several pages, and submits the answers', async () => {
    const surveyId = await publish(allTypesSurvey);
    const { page, browserErrors, foreignRequests } = await openSurvey(surveyId);
    await page.getByRole('heading', { name: 'Welcome to lunch' }).waitFor();
    await answerChoices(page);
    await continueFrom(page);

    await page.getByRole('heading', { name: 'Details' }).waitFor();
    await page.getByRole('group', { name: 'Service was fast' }).getByLabel('agree', { exact: true }).check();
    await page.getByRole('group', { name: 'Staff were kind' }).getByLabel('neutral').check();
    await page.getByRole('radiogroup', { name: 'I feel well today' }).getByLabel('agree', { exact: true }).check();
    await page.getByRole('group', { name: 'Monday' }).getByLabel('lunch').check();
    await page.getByRole('group', { name: 'Monday' }).getByLabel('breakfast').check();
    await continueFrom(page);

    await page.getByLabel('Badge number').fill('AB1');
    await page.getByLabel('Anything else?').fill('More salad, please.\nThank you!');
    await page.getByLabel('When were you here?').fill('2026-02-28');
    await page.getByLabel('At what time did you arrive?').fill('12:05');
    await receiptOf(page).setInputFiles(fileNamed('receipt.png'));
    await page.getByText('receipt.png is uploaded').waitFor({ state: 'attached' });
    await submit(page);
    await page.getByText('This text does not have the expected form.').waitFor();
    await page.getByLabel('Badge number').fill('AB1234');
    await page.getByText('This text does not have the expected form.').waitFor({ state: 'detached' });
    await submit(page);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();

    const [response, ...others] = await listResponses(surveyId);
    expect(others).toEqual([]);
    expect(response).toMatchObject({
      status: 'completed',
      language: 'en',
      data: {
        drink: { option: 'other', text: 'Lemonade' },
        dishes: ['soup', 'rice'],
        nps: 9,
        service: { fast: 'agree', kind: 'neutral' },
        mood: 'agree',
        days: { mon: ['breakfast', 'lunch'] },
        badge: 'AB1234',
        comment: 'More salad, please.\nThank you!',
        visit: '2026-02-28',
        arrival: '12:05',
        receipt: [{ file_id: expect.any(String) }],
      },
    });
    expect(await page.evaluate('[sessionStorage.length, localStorage.length, document.cookie]')).toEqual([0, 0, '']);
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it.runIf(isAll)('can be used with the keyboard alone', async () => {
    const surveyId = await publish(allTypesSurvey);
    const { page } = await openSurvey(surveyId);
    const press = (element: Locator, key?: string) => tabAndPress(page, element, key);
    const type = async (element: Locator, text: string) => {
      await tabTo(page, element);
      await page.keyboard.type(text);
    };
    const group = (name: string) => page.getByRole('group', { name });
    const next = page.getByRole('button', { name: 'Next' });
    await press(page.getByRole('button', { name: 'Start' }));

    await press(page.getByRole('radio', { name: 'Tea' }), 'Space');
    await press(page.getByRole('checkbox', { name: 'Soup' }), 'Space');
    await press(page.getByRole('checkbox', { name: 'Rice' }), 'Space');
    await press(page.getByRole('radiogroup', { name: 'Would you recommend us?' }).getByRole('radio').first(), 'Space');
    await page.keyboard.press('ArrowRight');
    await press(next);

    await press(group('Service was fast').getByRole('radio').first(), 'Space');
    await press(group('Staff were kind').getByRole('radio').first(), 'Space');
    await press(page.getByRole('radiogroup', { name: 'I feel well today' }).getByRole('radio').first(), 'Space');
    await press(group('Monday').getByLabel('lunch'), 'Space');
    await press(next);

    const chooser = page.waitForEvent('filechooser');
    await type(page.getByLabel('Badge number'), 'AB1234');
    await type(page.getByLabel('Anything else?'), 'More salad.');
    await type(page.getByLabel('When were you here?'), '02282026');
    await type(page.getByLabel('At what time did you arrive?'), '1205PM');
    await tabTo(page, receiptOf(page));
    await page.keyboard.press('Space');
    await (await chooser).setFiles(fileNamed('receipt.png'));
    await page.getByText('receipt.png is uploaded').waitFor({ state: 'attached' });
    await press(page.getByRole('button', { name: 'Submit' }));
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await listResponses(surveyId)).toMatchObject([
      {
        status: 'completed',
        data: {
          dishes: ['soup', 'rice'],
          nps: 1,
          days: { mon: ['lunch'] },
          badge: 'AB1234',
          comment: 'More salad.',
          visit: '2026-02-28',
          arrival: '12:05',
          receipt: [{ file_id: expect.any(String) }],
        },
      },
    ]);
    await page.close();
  });

  it.runIf(isAll)('follows the logic: skips pages, and ends for a disqualified respondent', async () => {
    const logic = (value: string, effect: object) => ({
      ...effect,
      conditions: [{ source_question: 'dish', operator: 'equals', value }],
    });
    const surveyId = await publish({
      ...shortSurvey,
      logic: [logic('nothing', { action: 'hide', question_id: 'taste' }), logic('stones', { action: 'disqualify' })],
    });
    const { page } = await openSurvey(surveyId);
    await continueFrom(page);
    await page.getByText('Please answer this question.').waitFor();
    expect(await page.evaluate('document.activeElement.className')).toBe('summary');
    await page.getByLabel('What did you eat?').fill('nothing');
    await page.getByRole('button', { name: 'Submit' }).waitFor();
    await page.getByLabel('What did you eat?').fill('stones');
    await continueFrom(page);
    await page.getByRole('heading', { name: 'Thank you for your interest' }).waitFor();
    expect(await listResponses(surveyId)).toMatchObject([{ status: 'disqualified', data: { dish: 'stones' } }]);
    await page.close();
  });

  it('is in the language of the respondent, even if it is written from right to left', async () => {
    const surveyId = await publish(allTypesSurvey);
    const { page } = await openPage(browser, pageGateway(), `/s/surveys/${surveyId}?lang=ar`);
    await page.getByRole('heading', { name: 'أهلًا بكم' }).waitFor();
    const documentLanguage = () => page.evaluate('[document.documentElement.lang, document.documentElement.dir]');
    expect(await documentLanguage()).toEqual(['ar', 'rtl']);
    await page.getByRole('button', { name: 'ابدأ' }).click();
    await page.getByRole('checkbox', { name: 'شوربة' }).check();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.getByRole('combobox').selectOption('en');
    await page.getByRole('heading', { name: 'Food' }).waitFor();
    await poll(async () => String(await documentLanguage()) === 'en,ltr');
    expect(await page.getByRole('checkbox', { name: 'Soup' }).isChecked()).toBe(true);
    await page.close();
  });

  it('shows the number that it read after a decimal comma, and stores that one', async () => {
    const question = { id: 'length', type: 'text', format: 'number', title: 'Wie lang?', required: true };
    const surveyId = await publish({ title: 'Maße', supported_languages: ['de'], pages: [{ questions: [question] }] });
    const { page } = await openSurvey(surveyId);
    await page.getByLabel('Wie lang?').fill('1,234');
    await page.getByRole('status').getByText('Gelesen als Dezimalzahl 1,234 (1.234)').waitFor();
    await page.getByRole('button', { name: 'Absenden' }).click();
    await poll(async () => (await listResponses(surveyId)).length === 1);
    expect(await listResponses(surveyId)).toMatchObject([{ data: { length: '1.234' } }]);
    await page.close();
  });

  it('continues after a reload, and after the tab was closed if the respondent wants it', async () => {
    const surveyId = await publish(shortSurvey);
    const path = `/s/surveys/${surveyId}`;
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${pageGateway()}${path}`);
    await answerDish(page, 'Soup');
    await poll(async () => (await listResponses(surveyId)).length === 1);
    expect(await listResponses(surveyId)).toMatchObject([{ status: 'in_progress', data: { dish: 'Soup' } }]);
    await page.getByText('4', { exact: true }).click();
    await page.reload();
    await page.getByRole('radio', { name: '4' }).waitFor();
    expect(await page.getByRole('radio', { name: '4' }).isChecked()).toBe(true);
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await page.getByLabel('Keep my answers on this device').check();
    await page.getByText('5', { exact: true }).click();

    const other = await context.newPage();
    await page.close();
    await other.goto(`${pageGateway()}${path}`);
    expect(await other.getByRole('radio', { name: '5' }).isChecked()).toBe(true);
    await other.getByRole('button', { name: 'Back' }).click();
    await other.getByLabel('What did you eat?').fill('Rice');
    await continueFrom(other);
    await submit(other);
    await other.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    expect(await listResponses(surveyId)).toMatchObject([{ status: 'completed', data: { dish: 'Rice', taste: 5 } }]);
    expect(await other.evaluate('[sessionStorage.length, localStorage.length]')).toEqual([0, 0]);
    await context.close();
  });

  it('submits as soon as the connection is back, and only once', async () => {
    const surveyId = await publish(shortSurvey);
    const { page } = await openSurvey(surveyId);
    // The platform stores the response, but its reply is lost.
    let lost = 0;
    await page.route('**/responses', async (route) => {
      await send(route);
      lost += 1;
      await route.abort('connectionreset');
    });
    await answerDish(page, 'Soup');
    await page.getByText('Your answers are not saved yet').waitFor();
    expect(lost).toBe(1);
    await page.context().setOffline(true);
    await submit(page);
    await page.getByText('There is no connection').waitFor();
    await page.unroute('**/responses');
    await page.context().setOffline(false);
    await page.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    expect(await listResponses(surveyId)).toMatchObject([{ status: 'completed', data: { dish: 'Soup' } }]);
    await page.close();
  });

  it.runIf(isAll)('submits after a reload that came too early', async () => {
    const surveyId = await publish(shortSurvey);
    const { page } = await openSurvey(surveyId);
    await answerDish(page, 'Soup');
    await page.route('**/public/responses/*', (route) => route.abort('connectionreset'));
    await submit(page);
    await page.getByText('There is no connection').waitFor();
    await page.unroute('**/public/responses/*');
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    expect(await listResponses(surveyId)).toMatchObject([{ status: 'completed' }]);
    await page.close();
  });

  it.runIf(isAll)('keeps the answers after an unusual error, and submits them again', async () => {
    const surveyId = await publish(shortSurvey);
    const { page } = await openSurvey(surveyId);
    await answerDish(page, 'Soup');
    await poll(async () => (await listResponses(surveyId)).length === 1);
    await page.route('**/public/responses/*', (route) =>
      route.fulfill({
        status: 405,
        contentType: 'application/problem+json',
        body: JSON.stringify({ code: 'METHOD_NOT_ALLOWED', status: 405, request_id: 'request-7' }),
      }),
    );
    await submit(page);
    await page.getByRole('heading', { name: 'Your answers could not be sent.' }).waitFor();
    await page.getByText('request-7').waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.unroute('**/public/responses/*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    expect(await listResponses(surveyId)).toMatchObject([{ status: 'completed', data: { dish: 'Soup' } }]);
    await page.close();
  });

  it.runIf(isAll)('shows the progress and the errors of uploads', async () => {
    const surveyId = await publish({
      ...shortSurvey,
      pages: [
        {
          questions: [
            {
              id: 'receipt',
              type: 'file_upload',
              title: 'Receipt',
              accept: ['image/*'],
              max_files: 2,
              max_bytes: 1_000,
            },
          ],
        },
      ],
    });
    const { page } = await openSurvey(surveyId);
    await receiptOf(page).setInputFiles(fileNamed('text.png', Buffer.from('only text')));
    await page.getByText('This kind of file is not accepted.').waitFor();
    await submit(page);
    await page.getByText('Please remove the files that were not uploaded.').waitFor();
    await page.getByRole('button', { name: 'Remove text.png' }).click();
    await receiptOf(page).setInputFiles(fileNamed('large.png', Buffer.alloc(1_001)));
    await page.getByText('This file is too large.').waitFor();
    await page.getByRole('button', { name: 'Remove large.png' }).click();

    await receiptOf(page).setInputFiles(['one', 'two', 'three', 'four'].map((name) => fileNamed(`${name}.png`)));
    await page.getByText('These are too many files. Not uploaded: three.png, four.png').waitFor();
    for (const name of ['one', 'two']) {
      await page.getByText(`${name}.png is uploaded`).waitFor({ state: 'attached' });
      await page.getByRole('button', { name: `Remove ${name}.png` }).click();
    }

    const release = await holdUploads(page);
    await receiptOf(page).setInputFiles(fileNamed('receipt.png'));
    await page.getByRole('progressbar', { name: 'Uploading receipt.png' }).waitFor();
    await submit(page);
    await page.getByText('Please wait until your files are uploaded.').waitFor();
    await release();
    await page.getByText('receipt.png is uploaded').waitFor({ state: 'attached' });
    await submit(page);
    await page.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    const [{ data }] = await listResponses(surveyId);
    const file = await api('GET', `/v1/files/${data.receipt[0].file_id}`);
    expect(file.headers.get('content-disposition')).toContain('receipt.png');
    await page.close();
  });

  it.runIf(isAll)('loses no file, and stores nothing after the submit', async () => {
    const surveyId = await publish({
      ...shortSurvey,
      pages: [
        { questions: [{ id: 'dish', type: 'text', title: 'What did you eat?' }] },
        {
          questions: [
            { id: 'receipt', type: 'file_upload', title: 'Receipt', max_files: 3 },
            { id: 'menu', type: 'file_upload', title: 'Menu' },
            { id: 'more', type: 'single_choice', title: 'Do you have the menu?', options: ['yes', 'no'] },
          ],
        },
      ],
      logic: [
        {
          action: 'hide',
          question_id: 'menu',
          conditions: [{ source_question: 'more', operator: 'equals', value: 'no' }],
        },
      ],
    });
    const { page } = await openSurvey(surveyId);
    await continueFrom(page);
    const [receipt, menu] = [receiptOf(page).first(), receiptOf(page).last()];
    await receipt.setInputFiles(fileNamed('first.png'));
    await page.getByText('first.png is uploaded').waitFor({ state: 'attached' });

    // The page waits for a running upload, which does not undo a removal.
    const release = await holdUploads(page);
    await receipt.setInputFiles(fileNamed('second.png'));
    await page.getByRole('progressbar', { name: 'Uploading second.png' }).waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByText('Please wait until your files are uploaded.').waitFor();
    await page.getByRole('button', { name: 'Remove first.png' }).click();
    await release();
    await page.getByText('second.png is uploaded').waitFor({ state: 'attached' });

    // A file that was not uploaded is still listed after other pages.
    await page.route('**/files?**', (route) => route.fulfill({ status: 400 }));
    await receipt.setInputFiles(fileNamed('third.png'));
    await page.getByText('The upload failed.').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByLabel('What did you eat?').waitFor();
    await continueFrom(page);
    await page.getByText('The upload failed.').waitFor();
    await submit(page);
    await page.getByText('Please remove the files that were not uploaded.').waitFor();
    await page.getByRole('button', { name: 'Remove third.png' }).click();
    await page.unroute('**/files?**');

    // An upload of a question that is not shown any more ends with the submit.
    await holdUploads(page);
    await menu.setInputFiles(fileNamed('menu.png'));
    await page.getByRole('progressbar', { name: 'Uploading menu.png' }).waitFor();
    await page.getByRole('radio', { name: 'no', exact: true }).check();
    const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('/files?'));
    await submit(page);
    await page.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    await stopped;
    expect(await page.evaluate('[sessionStorage.length, localStorage.length]')).toEqual([0, 0]);
    const [{ data }] = await listResponses(surveyId);
    expect(data).toEqual({ receipt: [{ file_id: expect.any(String) }], more: 'no' });
    const file = await api('GET', `/v1/files/${data.receipt[0].file_id}`);
    expect(file.headers.get('content-disposition')).toContain('second.png');
    await page.close();
  });

  it.runIf(isAll)('forgets the answers of a tab if another one has submitted the response', async () => {
    const surveyId = await publish(shortSurvey);
    const address = `${pageGateway()}/s/surveys/${surveyId}`;
    const context = await browser.newContext();
    const [page, other] = [await context.newPage(), await context.newPage()];
    await page.goto(address);
    await answerDish(page, 'Soup');
    await poll(async () => (await listResponses(surveyId)).length === 1);
    await page.getByLabel('Keep my answers on this device').check();
    await other.goto(address);
    await other.getByRole('radiogroup', { name: 'How was it?' }).waitFor();
    await submit(page);
    await page.getByRole('heading', { name: 'See you tomorrow' }).waitFor();

    // The other tab stores its answers again. A later visit finds them.
    await other.getByText('5', { exact: true }).click();
    await page.goto(address);
    await page.getByRole('heading', { name: 'Your answers were already submitted' }).waitFor();
    expect(await page.evaluate('localStorage.length')).toBe(0);
    await page.getByRole('button', { name: 'Start again' }).click();
    await page.getByLabel('What did you eat?').waitFor();

    await submit(other);
    await other.getByRole('heading', { name: 'Your answers were already submitted' }).waitFor();
    expect(await other.evaluate('[sessionStorage.length, localStorage.length]')).toEqual([0, 0]);
    await other.getByRole('button', { name: 'Start again' }).click();
    await answerDish(other, 'Rice');
    await submit(other);
    await other.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    expect((await listResponses(surveyId)).map(({ data }: { data: object }) => data)).toEqual(
      expect.arrayContaining([{ dish: 'Soup' }, { dish: 'Rice' }]),
    );
    await context.close();
  });

  it('opens a link with its password', async () => {
    const surveyId = await publish(shortSurvey);
    const { body: link } = await api('POST', `/v1/surveys/${surveyId}/links`, { body: { password: 'open sesame' } });
    const { page } = await openPage(browser, pageGateway(), `/s/${link.slug}`);
    for (const wrong of ['wrong', 'пароль']) {
      await page.getByLabel('Password').fill(wrong);
      await page.getByRole('button', { name: 'Open the survey' }).click();
      await page.getByText('This password is wrong.').waitFor();
    }
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button', { name: 'Open the survey' }).click();
    await answerDish(page, 'Soup');
    await page.reload();
    await submit(page);
    await page.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    expect(await listResponses(surveyId)).toMatchObject([{ status: 'completed', link_id: link.id }]);
    await page.close();
  });

  it.runIf(isAll)('submits only once if the password changes after a lost reply', async () => {
    const surveyId = await publish({ ...shortSurvey, pages: shortSurvey.pages.slice(0, 1) });
    const { body: link } = await api('POST', `/v1/surveys/${surveyId}/links`, { body: { password: 'open sesame' } });
    const { page } = await openPage(browser, pageGateway(), `/s/${link.slug}`);
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button', { name: 'Open the survey' }).click();
    await page.getByLabel('What did you eat?').fill('Soup');
    await page.route('**/responses', async (route) => {
      await send(route);
      await route.abort('connectionreset');
    });
    await submit(page);
    await page.getByText('There is no connection').waitFor();
    expect((await api('PATCH', `/v1/links/${link.id}`, { body: { password: 'close sesame' } })).status).toBe(200);
    // The platform caches links for a moment.
    const headers = { 'link-password': 'close sesame' };
    await poll(async () => (await fetch(`${gateway()}/v1/public/links/${link.slug}`, { headers })).ok);
    await page.unroute('**/responses');
    page.on('dialog', (dialog) => dialog.accept());
    await page.reload();
    await page.getByLabel('Password').waitFor();
    await page.reload();
    await page.getByLabel('Password').fill('close sesame');
    await page.getByRole('button', { name: 'Open the survey' }).click();
    await page.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    expect(await listResponses(surveyId)).toMatchObject([{ status: 'completed', data: { dish: 'Soup' } }]);
    await page.close();
  });

  it('takes one response for each token of a single-use link', async () => {
    const surveyId = await publish(shortSurvey);
    const { body: link } = await api('POST', `/v1/surveys/${surveyId}/links`, {
      body: { single_use: true, token_count: 2 },
    });
    const [token, another] = link.tokens;
    const { page } = await openPage(browser, pageGateway(), `/s/${link.slug}#token=${token}`);
    await answerDish(page, 'Soup');
    expect(page.url()).toBe(`${pageGateway()}/s/${link.slug}`);
    await poll(async () => (await listResponses(surveyId)).length === 1);
    await page.reload();
    await submit(page);
    await page.getByRole('heading', { name: 'See you tomorrow' }).waitFor();

    await page.goto(`${pageGateway()}/s/${link.slug}#token=${token}`);
    await page.getByRole('heading', { name: 'Your answers were already submitted' }).waitFor();
    await page.goto(`${pageGateway()}/s/${link.slug}#token=${another}`);
    await page.getByLabel('What did you eat?').waitFor();
    await page.evaluate('sessionStorage.clear()');
    await page.goto(`${pageGateway()}/s/${link.slug}`);
    await page.getByRole('heading', { name: 'You need a personal link' }).waitFor();
    await page.close();
  });

  it('takes metadata and answers from the address, and removes them from it', async () => {
    const surveyId = await publish(allTypesSurvey, {
      metadata_fields: [
        { name: 'campaign', type: 'string', from: ['url'] },
        { name: 'points', type: 'number', from: ['url'] },
        { name: 'tier', type: 'string', from: ['api'] },
      ],
    });
    const parameters = new URLSearchParams([
      ['m.campaign', 'spring & summer'],
      ['m.points', 'many'],
      ['m.tier', 'gold'],
      ['a.drink.other', 'Lemonade'],
      ['a.dishes', 'soup,rice'],
      ['a.nps', '9'],
      ['a.mood', 'furious'],
      ['a.service.fast', 'agree'],
      ['a.days.mon', 'lunch,breakfast'],
      ['a.badge', 'wrong'],
      ['a.comment', 'Hello\nthere'],
      ['a.visit', '2026-02-28'],
      ['a.arrival', '12:05'],
      ['a.receipt', 'file'],
    ]);
    const { body: link } = await api('POST', `/v1/surveys/${surveyId}/links`, { body: { password: 'open sesame' } });
    const { page } = await openPage(browser, gateway(), '/s/no-such-link');
    const shown = new Set<unknown>();
    await page.route('**/v1/public/**', async (route) => {
      shown.add(await page.evaluate('location.href'));
      await route.continue();
    });
    await page.goto(`${gateway()}/s/${link.slug}?lang=en&m.points=7&a.nps=1&a.comment=Hi#${parameters}`);
    // The first reload is before the survey is open, the second one after it.
    await page.getByLabel('Password').waitFor();
    await page.reload();
    await page.getByLabel('Password').fill('open sesame');
    await page.getByRole('button', { name: 'Open the survey' }).click();
    await page.getByRole('button', { name: 'Start' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Start' }).click();
    expect(await page.getByLabel('Your own answer').inputValue()).toBe('Lemonade');
    expect(await page.getByRole('checkbox', { name: 'Rice' }).isChecked()).toBe(true);
    await page.getByRole('checkbox', { name: 'Soup' }).uncheck();
    await continueFrom(page);

    await page.getByRole('group', { name: 'Monday' }).getByLabel('breakfast').waitFor();
    await poll(async () => (await listResponses(surveyId)).length === 1);
    const first = { drink: { option: 'other', text: 'Lemonade' }, dishes: ['rice'], nps: 9 };
    const metadata = { campaign: 'spring & summer' };
    // The respondent has not seen the last page yet.
    const days = { mon: ['breakfast', 'lunch'] };
    const [begun] = await listResponses(surveyId);
    expect([begun.metadata, begun.data]).toEqual([metadata, { ...first, service: { fast: 'agree' }, days }]);
    expect(await page.getByRole('radio', { name: 'agree', exact: true, checked: true }).count()).toBe(1);
    await page.getByRole('group', { name: 'Staff were kind' }).getByLabel('neutral').check();
    await continueFrom(page);

    await page.getByLabel('Badge number').waitFor();
    expect(await page.getByLabel('Badge number').inputValue()).toBe('');
    await page.getByLabel('When were you here?').fill('2026-03-01');
    await submit(page);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    const [response] = await listResponses(surveyId);
    expect([response.metadata, response.data]).toEqual([
      metadata,
      {
        ...first,
        service: { fast: 'agree', kind: 'neutral' },
        days,
        comment: 'Hello\nthere',
        visit: '2026-03-01',
        arrival: '12:05',
      },
    ]);
    expect([...shown]).toEqual([`${gateway()}/s/${link.slug}?lang=en`]);
    expect(await page.evaluate('[sessionStorage.length, localStorage.length]')).toEqual([0, 0]);
    await page.close();
  });

  it('continues a single-use link in another browser, and shows what that one has changed', async () => {
    const surveyId = await publish(shortSurvey);
    const { body: link } = await api('POST', `/v1/surveys/${surveyId}/links`, {
      body: { single_use: true, token_count: 2 },
    });
    const open = async (token: string) =>
      (await openPage(browser, pageGateway(), `/s/${link.slug}#token=${token}`)).page;
    const first = await open(link.tokens[0]);
    await answerDish(first, 'Soup');
    await poll(async () => (await listResponses(surveyId)).length === 1);
    const second = await open(link.tokens[0]);
    await second.getByRole('radiogroup', { name: 'How was it?' }).waitFor();
    await second.getByRole('button', { name: 'Back' }).click();
    expect(await second.getByLabel('What did you eat?').inputValue()).toBe('Soup');
    await answerDish(second, 'Rice');
    await poll(async () => (await listResponses(surveyId))[0].data.dish === 'Rice');

    await first.getByText('4', { exact: true }).click();
    await submit(first);
    await first.getByRole('heading', { name: 'Your answers were changed on another device' }).waitFor();
    await first.getByText('On the other device: Rice').waitFor();
    expect(await findBarriers(first)).toEqual(NO_BARRIERS);
    await continueFrom(first);
    await submit(first);
    await first.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    await submit(second);
    await second.getByRole('heading', { name: 'Your answers were already submitted' }).waitFor();
    expect(await listResponses(surveyId)).toMatchObject([{ status: 'completed', data: { dish: 'Rice', taste: 4 } }]);

    const [one, other] = [await open(link.tokens[1]), await open(link.tokens[1])];
    await answerDish(one, 'Soup');
    await poll(async () => (await listResponses(surveyId)).length === 2);
    await other.getByLabel('What did you eat?').fill('Rice');
    await continueFrom(other);
    await other.getByLabel('On the other device: Soup').check();
    await other.getByLabel('On this device: Rice').check();
    expect(await findBarriers(other)).toEqual(NO_BARRIERS);
    await continueFrom(other);
    await poll(async () => (await listResponses(surveyId))[0].data.dish === 'Rice');
    expect(await listResponses(surveyId)).toHaveLength(2);
    await api('PATCH', `/v1/surveys/${surveyId}`, { body: { settings: { resume_across_devices: false } } });
    const path = `/v1/public/links/${link.slug}`;
    const headers = { 'link-token': link.tokens[1] };
    await poll(async () => {
      const { body } = await createApi()('GET', path, { headers });
      return body.response_in_progress.resumable === false;
    });
    const third = await open(link.tokens[1]);
    await third.getByRole('heading', { name: 'Continue on the other device' }).waitFor();
    await other.reload();
    await other.getByRole('radiogroup', { name: 'How was it?' }).waitFor();
    for (const page of [first, second, one, other, third]) await page.close();
  });

  it('goes between the pages of the survey with Back and Forward of the browser', async () => {
    const screening = {
      question_id: 'sort',
      conditions: [{ source_question: 'dish', operator: 'equals', value: 'Soup' }],
    };
    const sort = { questions: [{ id: 'sort', type: 'text', title: 'Which soup?' }] };
    const [dish, taste] = shortSurvey.pages;
    const surveyId = await publish({ ...shortSurvey, pages: [dish, sort, taste], logic: [screening] });
    const { page } = await openPage(browser, pageGateway(), '/s/no-such-link');
    // A busy browser paints late.
    await page.addInitScript('requestAnimationFrame = () => 0');
    await page.goto(`${pageGateway()}/s/surveys/${surveyId}`);
    await page.getByLabel('What did you eat?').fill('Soup');
    await continueFrom(page);
    await page.getByLabel('Which soup?').fill('Tomato');
    await continueFrom(page);
    await page.getByText('4', { exact: true }).click();
    await page.goBack();
    expect(await page.getByLabel('Which soup?').inputValue()).toBe('Tomato');
    await page.goForward();
    expect(await page.getByRole('radio', { name: '4' }).isChecked()).toBe(true);
    await page.reload();
    await page.getByRole('radio', { name: '4' }).waitFor();
    await page.goBack();
    await page.getByLabel('Which soup?').waitFor();
    await page.getByRole('button', { name: 'Back' }).click();
    const first = page.getByLabel('What did you eat?');
    // Forward checks the page like the button.
    await first.fill('');
    await page.goForward();
    await page.getByText('Please check these answers').waitFor();
    // Logic hides the second page now.
    await first.fill('Rice');
    await continueFrom(page);
    await page.getByRole('radio', { name: '4' }).waitFor();
    await page.goBack();
    expect(await first.inputValue()).toBe('Rice');
    await page.goForward();
    await submit(page);
    await page.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    expect(await listResponses(surveyId)).toMatchObject([{ status: 'completed', data: { dish: 'Rice', taste: 4 } }]);
    // One step leaves the survey.
    await page.goBack();
    await page.getByRole('heading', { name: 'There is no such survey' }).waitFor();
    await page.close();
  });

  it.runIf(isAll)('shows why a survey cannot be answered', async () => {
    const surveyId = await publish(shortSurvey);
    const { page } = await openPage(browser, pageGateway(), '/s/no-such-link');
    await page.getByRole('heading', { name: 'There is no such survey' }).waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.goto(`${pageGateway()}/s/surveys/${surveyId}`);
    await answerDish(page, 'Soup');
    await poll(async () => (await listResponses(surveyId)).length === 1);
    expect((await api('POST', `/v1/surveys/${surveyId}/close`)).status).toBe(200);
    const isClosed = async () => (await api('GET', `/v1/public/surveys/${surveyId}`)).body.code === 'SURVEY_CLOSED';
    await poll(isClosed);
    await submit(page);
    await page.getByRole('heading', { name: 'This survey is closed' }).waitFor();
    await page.close();
  });

  it.each(barrierViews(inject('testScope')))('has no barriers and no layout shift: %s', async (_case, view) => {
    const surveyId = await publish(allTypesSurvey);
    const { page, browserErrors } = await openPage(browser, pageGateway(), `/s/surveys/${surveyId}`, view);
    await answerChoices(page);
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await continueFrom(page);
    await page.getByRole('heading', { name: 'Details' }).waitFor();
    await continueFrom(page);
    await page.getByText('Please check these answers').waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.getByRole('group', { name: 'Service was fast' }).getByLabel('agree', { exact: true }).check();
    await page.getByRole('group', { name: 'Staff were kind' }).getByLabel('neutral').check();
    await continueFrom(page);
    await page.getByLabel('Badge number').waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.reload();
    await page.getByLabel('Badge number').waitFor();
    expect(await page.evaluate(LAYOUT_SHIFT)).toBe(0);
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('only shows what a hostile definition contains', async () => {
    const surveyId = await publish(hostileSurvey);
    const { page, browserErrors, foreignRequests } = await openPage(
      browser,
      pageGateway(),
      `/s/surveys/${surveyId}`,
      NARROW,
    );
    await page.getByText(HOSTILE).first().waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.getByRole('textbox').fill(HOSTILE);
    await submit(page);
    await page.getByRole('heading', { name: 'Thank you' }).waitFor();
    expect(await page.evaluate(WAS_HACKED)).toBe(false);
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it('runs a preview for a page of the same origin, and submits nothing', async () => {
    const { page, browserErrors } = await openPage(browser, pageGateway(), '/console/');
    await page.evaluate(EMBED_PREVIEW, { ...shortSurvey, welcome_screen: { title: 'Hello' } });
    const frame = page.frameLocator('#preview');
    await frame.getByText('nothing is submitted').waitFor();
    await frame.getByRole('button', { name: 'Start' }).click();
    await frame.getByLabel('What did you eat?').fill('Soup');
    await page.evaluate(SEND_DEFINITION, { ...shortSurvey, title: 'Dinner' });
    await frame.getByRole('heading', { name: 'Dinner' }).waitFor();
    expect(await frame.getByLabel('What did you eat?').inputValue()).toBe('Soup');
    await frame.getByRole('button', { name: 'Next' }).click();
    await frame.getByRole('button', { name: 'Submit' }).click();
    await frame.getByRole('heading', { name: 'See you tomorrow' }).waitFor();
    expect(browserErrors).toEqual([]);
    await page.close();
  });

  it('can be framed only for previews, and only by the same origin', async () => {
    const framesOf = async (path: string) => {
      const { headers } = await fetch(`${gateway()}${path}`);
      return /frame-ancestors [^;]+/.exec(headers.get('content-security-policy') ?? '')?.[0];
    };
    expect(await framesOf('/s/preview')).toBe("frame-ancestors 'self'");
    for (const path of ['/s/some-link', '/s/surveys/preview', '/s/preview/x', '/console/'])
      expect([path, await framesOf(path)]).toEqual([path, "frame-ancestors 'none'"]);
  });

  it('loads at most 100 kB at first', async () => {
    const html = await (await fetch(`${gateway()}/s/some-link`)).text();
    const paths = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(paths.length).toBeGreaterThanOrEqual(2);
    const files = await Promise.all(paths.map(async (path) => (await fetch(`${gateway()}${path}`)).arrayBuffer()));
    const size = files.reduce((sum, file) => sum + gzipSync(new Uint8Array(file)).length, gzipSync(html).length);
    expect(size).toBeLessThan(MAX_FIRST_LOAD_BYTES);
  });
});

/** Sum of the layout shifts since the page was loaded. */
const LAYOUT_SHIFT = `new Promise((resolve) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: 'layout-shift', buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
})`;

/** Does what a page of the console does: frames the preview, and sends a definition when it is ready. */
function EMBED_PREVIEW(definition: object): void {
  // The functions run in the browser, whose types are not known here.
  const { document, location, addEventListener } = globalThis as unknown as BrowserGlobals;
  const frame = document.createElement('iframe');
  frame.id = 'preview';
  addEventListener('message', ({ origin, source, data }) => {
    if (origin === location.origin && source === frame.contentWindow && data.type === 'survey-preview-ready')
      frame.contentWindow.postMessage({ type: 'survey-preview', definition, language: 'en' }, location.origin);
  });
  frame.src = '/s/preview';
  document.body.append(frame);
}

function SEND_DEFINITION(definition: object): void {
  const { document, location } = globalThis as unknown as BrowserGlobals;
  const window = document.getElementById('preview').contentWindow;
  window.postMessage({ type: 'survey-preview', definition, language: 'en' }, location.origin);
}

interface Frame {
  id: string;
  src: string;
  readonly contentWindow: { postMessage(message: object, origin: string): void };
}

interface BrowserGlobals {
  readonly document: {
    createElement(name: string): Frame;
    getElementById(id: string): Frame;
    readonly body: { append(frame: Frame): void };
  };
  readonly location: { readonly origin: string };
  addEventListener(
    type: 'message',
    listener: (event: { origin: string; source: unknown; data: { readonly type: string } }) => void,
  ): void;
}
