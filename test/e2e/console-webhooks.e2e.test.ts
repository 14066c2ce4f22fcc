import { poll } from '@survey/runtime/testing/poll';
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
  WIDE,
} from '../support/browser.ts';
import { type Api, createTenant, type TestTenant, tokenFor } from '../support/platform.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const HOSTILE = `<script>document.title='hacked'</script><img src=x onerror="document.title='hacked'"> \u202eevil ${'x'.repeat(3_000)}`;

let browser: Browser;
let tenant: TestTenant;
let api: Api;
let token: string;

const open = (path: string, view = WIDE) => openPage(browser, pageGateway(), `/console${path}#token=${token}`, view);

/** Registers a webhook, and makes one failed and one delivered delivery. */
async function makeDeliveries(receiver: Receiver): Promise<string> {
  const { body } = await api('POST', '/v1/webhooks', {
    body: { url: receiver.url, event_types: ['survey.published'], description: HOSTILE.slice(0, 900) },
  });
  await api('POST', `/v1/webhooks/${body.id}/test`);
  await api('POST', `/v1/webhooks/${body.id}/test`);
  return body.id;
}

async function confirm(page: Page, button: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).click();
}

describe.skipIf(!hasBrowser)('webhooks in the console', { timeout: 4 * TIMEOUT_MS }, () => {
  let failing: Receiver;

  beforeAll(async () => {
    browser = await startBrowser();
    tenant = await createTenant();
    api = tenant.api;
    token = await tokenFor(tenant.tenantId, tenant.userId);
    failing = await startReceiver((nth) => (nth % 2 === 1 ? 500 : 200), HOSTILE);
  }, TIMEOUT_MS);
  afterAll(() => Promise.all([browser.close(), failing.close()]));

  it('are created, tested, redelivered, replayed, rotated, paused and deleted', async () => {
    const { page, browserErrors, foreignRequests } = await open('/webhooks');
    await page.getByText('There are no webhooks yet.').waitFor();
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('URL').fill(failing.url);
    await page.getByLabel('All events, including those of later versions').click();
    await page.getByLabel('survey.published', { exact: true }).click();
    await page.getByRole('button', { name: 'Add a header' }).click();
    await page.getByLabel('Name').fill('X-Receiver');
    await page.getByLabel('Value').fill('warehouse');
    await confirm(page, 'Create');
    const secret = await page.getByLabel('Secret', { exact: true }).inputValue();
    expect(secret).toMatch(/^whsec_/);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('There are no deliveries yet.').waitFor();
    const [webhook] = (await api('GET', '/v1/webhooks')).body;
    expect(webhook).toMatchObject({
      url: failing.url,
      event_types: ['survey.published'],
      headers: { 'X-Receiver': '********' },
    });

    // The receiver fails, and then succeeds.
    await page.getByRole('region', { name: 'Health' }).getByText('0 of 0 attempts').first().waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('The test failed.').waitFor();
    await page.getByRole('link', { name: 'Show the delivery' }).click();
    await page.getByRole('heading', { name: 'webhook.test' }).waitFor();
    const reply = page.getByRole('region', { name: 'Reply to attempt 1' });
    expect(await reply.textContent()).toContain("<script>document.title='hacked'</script><img src=x");
    expect(await reply.textContent()).toContain('\\u202eevil');
    const payload = await page.getByRole('region', { name: 'Payload' }).textContent();
    expect(JSON.parse(payload ?? '')).toMatchObject({ event: 'webhook.test', api_version: 'v1' });
    expect(await page.getByRole('region', { name: 'Headers' }).textContent()).toContain('X-Receiver: ********');
    await page.getByRole('button', { name: 'Redeliver' }).click();
    await confirm(page, 'Redeliver');
    await page.getByText('delivered', { exact: true }).waitFor();
    await page.getByRole('article', { name: 'Attempt 2' }).getByText('HTTP 200').waitFor();

    // The filters are in the address.
    await page.getByRole('link', { name: new URL(failing.url).hostname }).click();
    await page.getByRole('link', { name: 'webhook.test' }).waitFor();
    await page.getByRole('region', { name: 'Health' }).getByText('50%').first().waitFor();
    await page.getByLabel('Status').selectOption('failed_for_good');
    await page.getByText('No deliveries match.').waitFor();
    expect(page.url()).toContain('status=failed_for_good');
    await page.reload();
    await page.getByText('No deliveries match.').waitFor();
    await page.getByLabel('Status').selectOption('retrying');
    await page.getByText('No deliveries match.').waitFor();
    await page.getByLabel('Status').selectOption('delivered');
    await page.getByLabel('Event').selectOption('webhook.test');
    await page.getByRole('link', { name: 'webhook.test' }).waitFor();

    await page.getByRole('button', { name: 'Replay…' }).click();
    await confirm(page, 'Start');
    await page.getByText('1 of 1 scheduled').waitFor();
    await page.getByText('completed').waitFor();
    await poll(() => failing.received.length >= 3);

    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await confirm(page, 'Rotate');
    expect(await page.getByLabel('Secret', { exact: true }).inputValue()).not.toBe(secret);
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByText('also signs until').waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    await confirm(page, 'Pause');
    await page.getByText('paused', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('active', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Description').fill('Warehouse');
    await confirm(page, 'Save');
    await page.getByRole('heading', { name: 'Warehouse' }).waitFor();
    expect((await api('GET', `/v1/webhooks/${webhook.id}`)).body).toMatchObject({
      description: 'Warehouse',
      headers: { 'X-Receiver': '********' },
    });

    // The stored value of a header is for the former server.
    const moved = failing.url.replace('127.0.0.1', 'localhost');
    await page.getByRole('button', { name: 'Edit' }).click();
    expect(await page.getByLabel('Value').inputValue()).toBe('********');
    await page.getByLabel('URL').fill(moved);
    await page.getByText('Enter the hidden values again').waitFor();
    expect(await page.getByLabel('Value').inputValue()).toBe('');
    await confirm(page, 'Save');
    expect((await api('GET', `/v1/webhooks/${webhook.id}`)).body.url).toBe(failing.url);
    await page.getByLabel('Value').fill('new');
    await confirm(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await api('GET', `/v1/webhooks/${webhook.id}`)).body).toMatchObject({
      url: moved,
      headers: { 'X-Receiver': '********' },
    });

    await page.getByRole('button', { name: 'Delete' }).click();
    await confirm(page, 'Delete');
    await page.getByText('There are no webhooks yet.').waitFor();
    expect((await api('GET', '/v1/webhooks')).body).toEqual([]);
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it.each(barrierViews(inject('testScope')))('have no barriers: %s', async (_case, view) => {
    const webhookId = await makeDeliveries(failing);
    const { page, browserErrors, foreignRequests } = await open('/webhooks', view);
    await page.getByRole('table').waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.getByRole('button', { name: 'New webhook' }).click();
    await page.getByLabel('All events, including those of later versions').click();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.keyboard.press('Escape');
    await poll(async () => (await page.evaluate('document.activeElement?.textContent')) === 'New webhook');
    await page.goto(`${pageGateway()}/console/webhooks/${webhookId}`);
    await page.getByRole('table').waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    await page.getByRole('link', { name: 'webhook.test' }).last().click();
    await page.getByRole('region', { name: 'Payload' }).waitFor();
    expect(await findBarriers(page)).toEqual(NO_BARRIERS);
    expect(await page.title()).toContain('webhook.test');
    expect([browserErrors, foreignRequests]).toEqual([[], []]);
    await page.close();
  });

  it('show nothing to change to a viewer', async () => {
    const webhookId = await makeDeliveries(failing);
    const viewer = await tenant.userWith('viewer');
    const { user_id } = (await viewer('GET', '/v1/me')).body;
    const { page } = await openPage(
      browser,
      pageGateway(),
      `/console/webhooks/${webhookId}#token=${await tokenFor(tenant.tenantId, user_id)}`,
    );
    await page.getByRole('table').waitFor();
    expect(await page.getByRole('main').getByRole('button').allTextContents()).toEqual(['Refresh']);
    await page.close();
  });
});
