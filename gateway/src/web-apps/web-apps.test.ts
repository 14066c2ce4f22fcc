import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@survey/runtime/config/settings';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replyWithPage } from '../http/content-page.ts';
import { send, startServer } from '../testing/test-server.ts';
import { webAppSettings } from './web-app-settings.ts';
import { createAppPageFinder, createPageFinder, type FindPage, type WebAppSettings } from './web-apps.ts';

const OFF: WebAppSettings = {
  consoleEnabled: false,
  consoleOidcIssuer: undefined,
  consoleOidcClientId: undefined,
  consoleOidcScope: 'openid',
  consoleOidcAudience: undefined,
  consoleOidcOrigins: [],
  consoleSignInByLink: false,
  respondEnabled: false,
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'web-app-'));
});
afterEach(() => rm(folder, { recursive: true }));

const toApp = () =>
  createAppPageFinder({
    name: 'the app',
    folder,
    path: '/app',
    contentSecurityPolicy: ["default-src 'none'"],
    framedPath: '/app/preview',
  });

async function buildApp(at = ''): Promise<void> {
  await mkdir(join(folder, at, 'assets'), { recursive: true });
  await writeFile(join(folder, at, 'index.html'), '<!doctype html>index');
  await writeFile(join(folder, at, 'assets/main-1a2b.js'), 'export {}');
}

async function serve(find: FindPage) {
  const app = express();
  app.use((request, response) => {
    const found = find(request.path);
    if (found === undefined) return void response.status(404).end();
    return replyWithPage(found.page, request, response);
  });
  return startServer(app);
}

describe('a web app', () => {
  it('replies with its page to its own routes, and with its files', async () => {
    await buildApp();
    const server = await serve(toApp());
    try {
      const page = await send(`${server.url}/app/surveys/1`);
      expect(page).toMatchObject({ status: 200, body: '<!doctype html>index' });
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cache-control': 'no-cache',
      });
      const framed = await send(`${server.url}/app/preview`);
      expect(framed.headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'self'");
      const file = await send(`${server.url}/app/assets/main-1a2b.js`);
      expect(file).toMatchObject({ status: 200, body: 'export {}' });
      expect(file.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(await send(`${server.url}/app`)).toMatchObject({ status: 302, headers: { location: '/app/' } });
      for (const path of ['/app/assets/missing.js', '/app/assets/', '/application'])
        expect((await send(`${server.url}${path}`)).status, path).toBe(404);
    } finally {
      await server.close();
    }
  });

  it('has a bounded number of endpoints in metrics', async () => {
    await buildApp();
    const find = toApp();
    const endpoints = ['/app', '/app/', '/app/a', '/app/a/b', '/app/assets/main-1a2b.js'].map(
      (path) => find(path)?.endpoint,
    );
    expect(endpoints).toEqual(['/app', '/app', '/app', '/app', '/app/assets']);
  });

  it('fails the start if it is not built', () => {
    expect(toApp).toThrow('the app is not built: run `npm run build:console`, or switch it off');
  });
});

describe('the web apps of the gateway', () => {
  it('can be switched off', () => {
    const find = createPageFinder(OFF);
    expect(['/console', '/console/', '/console/config.json', '/s/slug'].map(find)).toEqual(Array(4).fill(undefined));
  });

  // Browsers follow redirects of uploads. The policy keeps a request and its credentials within these origins.
  it('send requests only to the gateway, and the console also to the identity provider', async () => {
    await Promise.all(['console/dist', 'respond/dist'].map(buildApp));
    const provider = { consoleOidcIssuer: 'https://login.example.com/x', consoleOidcClientId: 'c' };
    const on = { ...OFF, consoleEnabled: true, respondEnabled: true };
    for (const [settings, origins] of [
      [on, "'self'"],
      [{ ...on, ...provider }, "'self' https://login.example.com"],
    ] as const) {
      const server = await serve(createPageFinder(settings, folder));
      const policyOf = async (path: string) => (await send(server.url + path)).headers['content-security-policy'];
      try {
        expect(await policyOf('/console/surveys')).toContain(`; connect-src ${origins};`);
        expect(await policyOf('/s/slug')).toContain("; connect-src 'self';");
      } finally {
        await server.close();
      }
    }
  });

  it('need both settings of an identity provider', () => {
    const settings = { ...OFF, consoleEnabled: true, consoleOidcIssuer: 'https://login.example.com' };
    expect(() => createPageFinder(settings)).toThrow(
      'CONSOLE_OIDC_ISSUER and CONSOLE_OIDC_CLIENT_ID must be set together',
    );
  });
});

describe('CONSOLE_OIDC_ORIGINS', () => {
  const read = (value: string) => readConfig(webAppSettings, { CONSOLE_OIDC_ORIGINS: value }).consoleOidcOrigins;

  it('lists exact origins', () => {
    expect(read('https://tokens.example.com, http://127.0.0.1:4000')).toEqual([
      'https://tokens.example.com',
      'http://127.0.0.1:4000',
    ]);
    expect(read('')).toEqual([]);
  });

  it.each(['https://tokens.example.com/token', 'tokens.example.com', '*', 'https://a;b.example'])(
    'is rejected at startup: %s',
    (value) => {
      expect(() => read(value)).toThrow('CONSOLE_OIDC_ORIGINS must list origins');
    },
  );
});
