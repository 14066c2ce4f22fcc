import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@survey/runtime/config/settings';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { replyWithPage } from '../http/pages.ts';
import { send, startServer } from '../testing/test-server.ts';
import { createWebApp } from './web-app.ts';
import { webAppSettings } from './web-app-settings.ts';
import { createWebApps, type WebAppSettings } from './web-apps.ts';

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
  createWebApp({
    name: 'the app',
    folder,
    path: '/app',
    contentSecurityPolicy: ["default-src 'none'"],
    framedPath: '/app/preview',
  });

async function buildApp(): Promise<void> {
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html>index');
  await writeFile(join(folder, 'assets/main-1a2b.js'), 'export {}');
}

describe('a web app', () => {
  it('replies with its page to its own routes, and with its files', async () => {
    await buildApp();
    const find = toApp();
    const app = express();
    app.use((request, response) => {
      const found = find(request.path);
      if (found === undefined) return void response.status(404).end();
      return replyWithPage(found.page, request, response);
    });
    const server = await startServer(app);
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
    const find = createWebApps(OFF);
    expect(['/console', '/console/', '/console/config.json', '/s/slug'].map(find)).toEqual(Array(4).fill(undefined));
  });

  it('need both settings of an identity provider', () => {
    const settings = { ...OFF, consoleEnabled: true, consoleOidcIssuer: 'https://login.example.com' };
    expect(() => createWebApps(settings)).toThrow(
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
