import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { hasBrowser, openPage, startBrowser, BROWSER_TIMEOUT_MS as TIMEOUT_MS } from '../support/browser.ts';
import { startGatewayBesideStack } from '../support/faults/processes-beside-stack.ts';
import { createTenant } from '../support/platform.ts';
import { startOidcProvider } from './oidc-provider.ts';

const CLIENT = 'survey-console';
const AUDIENCE = 'survey-platform';
const isSurveyList = ({ pathname }: URL) => pathname === '/v1/surveys';

it.skipIf(!hasBrowser)(
  'the console signs in and out with an identity provider',
  { timeout: 4 * TIMEOUT_MS },
  async () => {
    await using cleanup = new AsyncDisposableStack();
    const provider = await startOidcProvider({ clientId: CLIENT, audience: AUDIENCE, ...(await createTenant()) });
    cleanup.defer(provider.close);
    const folder = await mkdtemp(join(tmpdir(), 'oidc-'));
    cleanup.defer(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'jwks.json'), JSON.stringify(provider.jwks));
    const gateway = await startGatewayBesideStack('gateway-with-provider', {
      JWT_JWKS_FILE: join(folder, 'jwks.json'),
      JWT_ISSUER: provider.url,
      JWT_AUDIENCE: AUDIENCE,
      CONSOLE_OIDC_ISSUER: provider.url,
      CONSOLE_OIDC_CLIENT_ID: CLIENT,
      CONSOLE_OIDC_ORIGINS: provider.tokenOrigin,
      CONSOLE_SIGN_IN_BY_LINK: 'false',
    });
    cleanup.defer(gateway.close);
    const browser = await startBrowser();
    cleanup.defer(() => browser.close());

    const { page, browserErrors, foreignRequests } = await openPage(
      browser,
      gateway.url,
      '/console/#token=not-accepted',
    );
    // The link does not sign in, because only local stacks allow that.
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Surveys' }).waitFor();
    expect(page.url()).toBe(`${gateway.url}/console/surveys`);
    await page.reload();
    await page.getByRole('heading', { name: 'Surveys' }).waitFor();

    // The platform rejects a token that the browser considers valid: it is renewed, and the page stays.
    let rejections = 0;
    const rejectOnce = async (route: Route) => {
      rejections += 1;
      await route.fulfill({ status: 401, json: { status: 401, code: 'UNAUTHENTICATED', detail: 'expired' } });
    };
    await page.route(isSurveyList, rejectOnce, { times: 1 });
    await page.reload();
    await page.getByText('There are no surveys yet.').waitFor();
    expect([rejections, provider.renewals()]).toEqual([1, 1]);
    expect(browserErrors).toHaveLength(1);
    expect(browserErrors[0]).toContain('401');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await page.waitForURL(`${gateway.url}/console/`);
    expect(provider.signOuts).toEqual([`${gateway.url}/console/`]);
    expect(await page.evaluate('[sessionStorage.length, localStorage.length, document.cookie]')).toEqual([0, 0, '']);
    expect(browserErrors).toHaveLength(1);
    const strangeOrigins = new Set(foreignRequests.map((url) => new URL(url).origin));
    expect([...strangeOrigins].sort()).toEqual([provider.url, provider.tokenOrigin]);

    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('There are no surveys yet.').waitFor();
    // A token that expired while the tab was asleep is renewed as the page loads.
    await page.evaluate(`for (const key of Object.keys(sessionStorage).filter((name) => name.startsWith('oidc.user:'))) {
      const user = JSON.parse(sessionStorage.getItem(key));
      sessionStorage.setItem(key, JSON.stringify({ ...user, expires_at: 1 }));
    }`);
    await page.reload();
    await page.getByText('There are no surveys yet.').waitFor();
    expect(provider.renewals()).toBe(2);
    // Without a renewal, the session ends.
    provider.revoke();
    await page.route(isSurveyList, rejectOnce, { times: 1 });
    await page.reload();
    await page.getByText('The platform did not accept your token').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);
  },
);
