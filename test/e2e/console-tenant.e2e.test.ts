import type { Browser } from 'playwright-core';
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
import { createTenant, type TestTenant, tokenFor } from '../support/platform.ts';

const HOSTILE = `<script>document.title='hacked'</script><img src=x onerror="document.title='hacked'"> \u202eevil`;

let browser: Browser;
let tenant: TestTenant;
let token: string;

const open = (path: string, view = WIDE) => openPage(browser, pageGateway(), `/console${path}#token=${token}`, view);

describe.skipIf(!hasBrowser)('the tenant in the console', { timeout: 4 * TIMEOUT_MS }, () => {
  beforeAll(async () => {
    browser = await startBrowser();
    tenant = await createTenant();
    token = await tokenFor(tenant.tenantId, tenant.userId);
  }, TIMEOUT_MS);
  afterAll(() => browser.close());

  it('is renamed, and its limits, users, API keys and changes are shown and edited', async () => {
    const { page, browserErrors, foreignRequests } = await open('/tenant');
    const dialog = page.getByRole('dialog');
    await page
      .getByText(/^[\d.,]+ of [\d.,]+ requests in the last minute$/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Rename' }).click();
    await dialog.getByLabel('Name').fill(HOSTILE);
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('definition').filter({ hasText: '<script>' }).waitFor();

    await page.getByRole('link', { name: 'Users' }).click();
    await page.getByRole('button', { name: 'Add a user' }).click();
    await dialog.getByLabel('E-mail address').fill('ada@example.com');
    await dialog.getByLabel('Role').selectOption('editor');
    await dialog.getByRole('button', { name: 'Add' }).click();
    const row = page.getByRole('row').filter({ hasText: 'ada@example.com' });
    await row.getByText('editor').waitFor();
    await page.getByRole('button', { name: 'Edit ada@example.com' }).click();
    await dialog.getByLabel('Role').selectOption('analyst');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row.getByText('analyst').waitFor();

    // The dialog does not undo a change that somebody else makes meanwhile.
    await page.getByRole('button', { name: 'Edit ada@example.com' }).click();
    await dialog.getByLabel('E-mail address').fill('grace@example.com');
    const { body: users } = await tenant.api('GET', '/v1/users');
    const { id } = users.find(({ email }: { readonly email: string }) => email === 'ada@example.com');
    expect((await tenant.api('PATCH', `/v1/users/${id}`, { body: { role: 'viewer' } })).status).toBe(200);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').waitFor();
    expect((await tenant.api('GET', `/v1/users/${id}`)).body).toMatchObject({
      email: 'ada@example.com',
      role: 'viewer',
    });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    // Nor does it remove a user who got another role meanwhile.
    await page.getByRole('button', { name: 'Remove ada@example.com' }).click();
    await dialog.getByText('viewer').waitFor();
    expect((await tenant.api('PATCH', `/v1/users/${id}`, { body: { role: 'admin' } })).status).toBe(200);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove ada@example.com' }).click();
    await dialog.getByText('admin').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });

    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('button', { name: 'New API key' }).click();
    await dialog.getByLabel('Name').fill('reports');
    await dialog.getByLabel('responses:read').check();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const secret = await dialog.getByLabel('Secret').inputValue();
    const me = await fetch(`${inject('stack').gateway}/v1/me`, { headers: { authorization: `Bearer ${secret}` } });
    expect(await me.json()).toMatchObject({ permissions: ['responses:read'] });
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Delete reports' }).click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('There are no API keys yet.').waitFor();

    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByLabel('Action').fill('api_key.deleted');
    await page.getByRole('cell', { name: 'api_key.deleted' }).waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(2);
    expect(new URL(page.url()).search).toBe('?action=api_key.deleted');
    await page.getByLabel('Action').fill('no.such.action');
    await page.getByText('No changes match.').waitFor();
    // Browsers report the rejected changes of a user.
    const rejected = expect.stringContaining('status of 412');
    expect([browserErrors, foreignRequests]).toEqual([[rejected, rejected], []]);
    await page.close();
  });

  it('hides what the user may not see or do', async () => {
    const { body: viewer } = await tenant.api('POST', '/v1/users', {
      body: { email: 'viewer@example.com', role: 'viewer' },
    });
    const ownToken = token;
    token = await tokenFor(tenant.tenantId, viewer.id);
    const { page } = await open('/tenant');
    token = ownToken;
    await page.getByRole('heading', { name: 'Tenant' }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).waitFor();
    for (const name of ['Users', 'API keys', 'Audit log'])
      expect(await page.getByRole('link', { name }).count(), name).toBe(0);
    expect(await page.getByRole('button', { name: 'Rename' }).count()).toBe(0);
    await page.goto(`${pageGateway()}/console/tenant/users`);
    await page.getByText('You may not see or do this').waitFor();
    await page.close();
  });

  it.each(barrierViews(inject('testScope')))('has no barriers: %s', async (_case, view) => {
    const { page } = await open('/tenant', view);
    const shots = process.env['CONSOLE_SHOTS'];
    for (const [name, shown] of [
      ['Overview', 'Use of the limits'],
      ['Users', 'owner'],
      ['API keys', 'There are no API keys yet.'],
      ['Audit log', 'tenant'],
    ] as const) {
      await page.getByRole('link', { name }).click();
      await page.getByText(shown).first().waitFor();
      expect(await findBarriers(page), name).toEqual(NO_BARRIERS);
      if (shots !== undefined) await page.screenshot({ path: `${shots}/tenant-${name}-${view.width}.png` });
    }
    await page.close();
  });
});
