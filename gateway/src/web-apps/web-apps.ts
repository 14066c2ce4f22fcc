import { join } from 'node:path';
import { createContentHandler } from '../http/content-page.ts';
import { createWebApp, type FindPage } from './web-app.ts';

export interface WebAppSettings {
  readonly consoleEnabled: boolean;
  readonly consoleOidcIssuer: string | undefined;
  readonly consoleOidcClientId: string | undefined;
  readonly consoleOidcScope: string;
  readonly consoleOidcAudience: string | undefined;
  /** Origins of the provider besides that of the issuer. */
  readonly consoleOidcOrigins: readonly string[];
  readonly consoleSignInByLink: boolean;
  readonly respondEnabled: boolean;
}

/** Content of `/console/config.json`, which the console reads before the user signs in. Nothing in it is secret. */
interface ConsoleConfig {
  readonly oidc: {
    readonly issuer: string;
    readonly client_id: string;
    readonly scope: string;
    readonly audience: string | undefined;
  } | null;
  /** Whether `/console/#token=…` signs in. */
  readonly sign_in_by_link: boolean;
}

const gatewayFolder = join(import.meta.dirname, '../..');

/** Rules in the content security policy of every app. Each app adds its own rules for styles, frames and calls. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
];

/**
 * Finds the pages of the apps that are switched on: the console, and the page for respondents.
 *
 * @param folder has the built apps
 */
export function createWebApps(settings: WebAppSettings, folder = gatewayFolder): FindPage {
  const apps = [
    ...(settings.consoleEnabled ? createConsole(settings, folder) : []),
    ...(settings.respondEnabled ? [createRespondentPage(folder)] : []),
  ];
  return (path) => {
    for (const find of apps) {
      const found = find(path);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

function createConsole(settings: WebAppSettings, folder: string): readonly FindPage[] {
  const config = toConsoleConfig(settings);
  const page = createContentHandler({
    load: () => JSON.stringify(config),
    type: 'application/json',
    headers: { 'cache-control': 'no-cache' },
  });
  const providers = config.oidc === null ? [] : [new URL(config.oidc.issuer).origin, ...settings.consoleOidcOrigins];
  const connect = ["'self'", ...new Set(providers)];
  return [
    (path) => (path === '/console/config.json' ? { endpoint: path, page } : undefined),
    createWebApp({
      name: 'the console',
      folder: join(folder, 'console/dist'),
      path: '/console',
      // The preview of a survey is a frame of the page for respondents.
      contentSecurityPolicy: [...POLICY, "style-src 'self'", "frame-src 'self'", `connect-src ${connect.join(' ')}`],
    }),
  ];
}

function createRespondentPage(folder: string): FindPage {
  return createWebApp({
    name: 'the page for respondents',
    folder: join(folder, 'respond/dist'),
    path: '/s',
    contentSecurityPolicy: [...POLICY, "style-src 'self'", "connect-src 'self'"],
    framedPath: '/s/preview',
  });
}

function toConsoleConfig(settings: WebAppSettings): ConsoleConfig {
  const { consoleOidcIssuer: issuer, consoleOidcClientId: clientId } = settings;
  if ((issuer === undefined) !== (clientId === undefined))
    throw new Error('CONSOLE_OIDC_ISSUER and CONSOLE_OIDC_CLIENT_ID must be set together');
  return {
    oidc:
      issuer === undefined || clientId === undefined
        ? null
        : { issuer, client_id: clientId, scope: settings.consoleOidcScope, audience: settings.consoleOidcAudience },
    sign_in_by_link: settings.consoleSignInByLink,
  };
}
