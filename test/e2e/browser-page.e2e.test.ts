import { join } from 'node:path';
import { toDemoCommands } from '@survey/local/demo/demo-commands';
import { demoSurvey } from '@survey/local/demo/demo-survey';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { BROWSER_TIMEOUT_MS, bundleForBrowsers, hasBrowser, startBrowser } from '../support/browser.ts';
import { lunchAnswers, lunchSurvey } from '../support/lunch-survey.ts';
import { createTenant, type TestTenant } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { root } from '../support/run-step.ts';

let browser: Browser;
/** The web server of the page. */
let site: Receiver;
let tenant: TestTenant;
let surveyId: string;

/** Opens a page of the site under this host name, and lists the preflight requests that it causes. */
async function openPage(host: string): Promise<{ page: Page; preflights: string[] }> {
  const page = await browser.newPage();
  const preflights: string[] = [];
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('Network.enable');
  devTools.on('Network.requestWillBeSent', ({ request }) => {
    if (request.method === 'OPTIONS') preflights.push(`${request.method} ${new URL(request.url).pathname}`);
  });
  await page.goto(`http://${host}:${new URL(site.url).port}/`);
  return { page, preflights };
}

interface Call {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The parts of a reply that the script of the page can read. */
interface Seen {
  readonly status?: number;
  readonly requestId?: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert the members that they need
  readonly body?: any;
  readonly failure?: string;
}

/** Calls the gateway with `fetch` in the page. */
function call(page: Page, path: string, init: Call): Promise<Seen> {
  return page.evaluate(
    async ([url, options]) => {
      try {
        const response = await fetch(url, options);
        return {
          status: response.status,
          requestId: response.headers.get('x-request-id'),
          body: await response.json(),
        };
      } catch (error) {
        return { failure: String(error) };
      }
    },
    [inject('stack').gateway + path, init] as const,
  );
}

describe.skipIf(!hasBrowser)('a page on another port of this machine', { timeout: 2 * BROWSER_TIMEOUT_MS }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
    site = await startReceiver(() => 200, 'a page');
    tenant = await createTenant();
    surveyId = (await tenant.api('POST', '/v1/surveys', { body: lunchSurvey })).body.id;
    await tenant.api('POST', `/v1/surveys/${surveyId}/publish`);
  }, BROWSER_TIMEOUT_MS);
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it.each(['localhost', '127.0.0.1'])('submits a response with fetch, after a preflight: %s', async (host) => {
    const { page, preflights } = await openPage(host);
    const path = `/v1/public/surveys/${surveyId}/responses`;
    const submitted = await call(page, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
      body: JSON.stringify({ status: 'completed', data: lunchAnswers }),
    });
    expect(submitted).toMatchObject({ status: 201, requestId: expect.any(String), body: { status: 'completed' } });
    expect(preflights).toEqual([`OPTIONS ${path}`]);
    const { body: stored } = await tenant.api('GET', `/v1/responses/${submitted.body.id}`);
    expect(stored).toMatchObject({ id: submitted.body.id, data: lunchAnswers });
  });

  it('submits a response with the script that npm start prints', async () => {
    const { body: survey } = await tenant.api('POST', '/v1/surveys', { body: demoSurvey });
    await tenant.api('POST', `/v1/surveys/${survey.id}/publish`);
    const commands = toDemoCommands({ gateway: inject('stack').gateway, token: '', surveyId: survey.id });
    const [script] = /await fetch\(.*?\n {2}\}\)/s.exec(commands) ?? [];
    const { page } = await openPage('localhost');
    expect(await page.evaluate(`(async () => (${script}).status)()`)).toBe(201);
    const { body: responses } = await tenant.api('GET', `/v1/surveys/${survey.id}/responses`);
    expect(responses).toMatchObject([{ status: 'completed' }]);
  });

  it('reads errors, and cannot call routes of tenants', async () => {
    const { page, preflights } = await openPage('localhost');
    const wrong = await call(page, `/v1/public/surveys/${surveyId}/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ status: 'completed', data: {} }),
    });
    expect(wrong).toMatchObject({ status: 422, body: { code: 'INVALID_ANSWERS' } });
    const rejected = await call(page, '/v1/surveys', { headers: { authorization: 'Bearer x' } });
    expect(rejected).toEqual({ failure: 'TypeError: Failed to fetch' });
    expect(preflights).toContain('OPTIONS /v1/surveys');
  });

  it('shows a survey with the sample renderer, continues after a reload, and submits', async () => {
    const { body: survey } = await tenant.api('POST', '/v1/surveys', { body: walkSurvey });
    await tenant.api('POST', `/v1/surveys/${survey.id}/publish`);
    const code = await bundleForBrowsers(join(root, 'docs/samples/renderer.js'), []);
    const { page } = await openPage('localhost');
    const show = () =>
      page.evaluate(
        `(async (code, options) => {
          const { showSurvey } = await import(URL.createObjectURL(new Blob([code], { type: 'text/javascript' })));
          await showSurvey(document.body, options);
        })(${JSON.stringify(code)}, ${JSON.stringify({ baseUrl: inject('stack').gateway, surveyId: survey.id })})`,
      );
    const goOn = () => page.getByRole('button', { name: 'Continue' }).click();

    await show();
    await goOn();
    await page.getByText('the question needs an answer').waitFor();
    await page.getByLabel('yes').check();
    await page.getByLabel('3').check();
    await goOn();
    await page.getByLabel('rain').check();
    await page.reload();
    await show();
    // The answers of the second page are kept, and the response is in progress.
    expect(await page.getByLabel('rain').isChecked()).toBe(true);
    const path = `/v1/surveys/${survey.id}/responses?status=`;
    expect((await tenant.api('GET', `${path}in_progress`)).body).toMatchObject([{ data: { walked: 'yes', joy: 3 } }]);
    await goOn();
    await page.getByText('Thank you.').waitFor();
    const { body: responses } = await tenant.api('GET', `${path}completed`);
    expect(responses).toMatchObject([{ data: { walked: 'yes', joy: 3, weather: ['rain'] } }]);
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  });
});

const walkSurvey = {
  schema_version: '1.0',
  version: 1,
  survey: {
    title: 'Walk',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          { id: 'walked', type: 'single_choice', title: 'Did you walk?', required: true, options: ['yes', 'no'] },
          { id: 'joy', type: 'rating', title: 'How was it?', required: true },
        ],
      },
      { questions: [{ id: 'weather', type: 'multiple_choice', title: 'Which weather?', options: ['sun', 'rain'] }] },
    ],
    logic: [
      {
        question_id: 'joy',
        conditions: [{ source_question: 'walked', operator: 'equals', value: 'yes', action: 'show' }],
      },
    ],
  },
};
