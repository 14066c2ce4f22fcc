import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Config } from '@survey/runtime/config/settings';
import { type Content, createContentHandler, type PageHandler } from '../http/content-page.ts';
import { root } from '../root.ts';
import type { webAppSettings } from './web-app-settings.ts';

export type WebAppSettings = Config<typeof webAppSettings>;

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

/** Rules in the content security policy of every app. Each app adds its own rules for styles, frames and calls. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "form-action 'none'",
];

/**
 * Returns a function that finds the pages of the apps that are switched on: the console, and the page for respondents.
 *
 * @param folder folder of the built apps
 */
export function createPageFinder(settings: WebAppSettings, folder = join(root, 'web')): FindPage {
  const finders = [
    ...(settings.consoleEnabled ? createConsole(settings, folder) : []),
    ...(settings.respondEnabled ? [createRespondentPage(folder)] : []),
  ];
  return (path) =>
    finders
      .values()
      .map((find) => find(path))
      .find((page) => page !== undefined);
}

function createConsole(settings: WebAppSettings, folder: string): readonly FindPage[] {
  const config = toConsoleConfig(settings);
  const page = createContentHandler({
    load: () => JSON.stringify(config),
    type: 'application/json',
    headers: { 'cache-control': 'no-cache' },
  });
  const providers = config.oidc === null ? [] : [new URL(config.oidc.issuer).origin, ...settings.consoleOidcOrigins];
  /** Origins that scripts of the console may call: the gateway, and the identity provider for signing in. */
  const connectSources = ["'self'", ...new Set(providers)];
  return [
    (path) => (path === '/console/config.json' ? { endpoint: path, page } : undefined),
    createAppPageFinder({
      name: 'the console',
      folder: join(folder, 'console/dist'),
      path: '/console',
      // The console shows the preview of a survey in a frame.
      contentSecurityPolicy: [
        ...POLICY,
        "style-src 'self'",
        "frame-src 'self'",
        `connect-src ${connectSources.join(' ')}`,
      ],
    }),
  ];
}

function createRespondentPage(folder: string): FindPage {
  return createAppPageFinder({
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

/** An application in the browser, built to static files. */
interface WebAppOptions {
  /** For messages to operators. */
  readonly name: string;
  /** Folder with `index.html` and `assets/`, whose names contain a hash. */
  readonly folder: string;
  /** Its path at the gateway, such as `/console`. */
  readonly path: string;
  readonly contentSecurityPolicy: readonly string[];
  /** The only path whose page may be in a frame. The frame must have the same origin, as in the console. */
  readonly framedPath?: string;
}

const NOT_FRAMED = "frame-ancestors 'none'";
const FRAMED_BY_SELF = "frame-ancestors 'self'";

/** Returns the page or file at a path, if an app has one. `endpoint` stands for the path in logs and metrics. */
export type FindPage = (path: string) => { readonly endpoint: string; readonly page: PageHandler } | undefined;

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Browsers revalidate each time, since a release may change the application. */
const REVALIDATED = 'no-cache';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};

/** Finds the assets of an app. Every other path has `index.html`: the app has its own routes. */
export function createAppPageFinder({
  name,
  folder,
  path,
  contentSecurityPolicy,
  framedPath,
}: WebAppOptions): FindPage {
  const index = join(folder, 'index.html');
  if (!existsSync(index)) throw new Error(`${name} is not built: run \`npm run build:console\`, or switch it off`);
  const html = readFileSync(index);
  const createIndexPage = (frames: string) =>
    createContentHandler({
      load: () => html,
      type: 'text/html',
      headers: {
        'cache-control': REVALIDATED,
        'content-security-policy': [...contentSecurityPolicy, frames].join('; '),
      },
    });
  const indexPage = createIndexPage(NOT_FRAMED);
  const framedPage = createIndexPage(FRAMED_BY_SELF);
  const assets = new Map(
    globSync('assets/*', { cwd: folder }).map((file) => [
      `${path}/${file.replaceAll('\\', '/')}`,
      createContentHandler(toContent(join(folder, file))),
    ]),
  );
  const toRoot: PageHandler = (_request, response) => response.redirect(302, `${path}/`);

  return (requested) => {
    if (requested === path) return { endpoint: path, page: toRoot };
    if (!requested.startsWith(`${path}/`)) return undefined;
    const asset = assets.get(requested);
    if (asset !== undefined) return { endpoint: `${path}/assets`, page: asset };
    // A missing file must not look like the page: browsers would run HTML as a script.
    if (requested.startsWith(`${path}/assets/`)) return undefined;
    return { endpoint: path, page: requested === framedPath ? framedPage : indexPage };
  };
}

function toContent(file: string): Content {
  const bytes = readFileSync(file);
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  return { load: () => bytes, type, headers: { 'cache-control': IMMUTABLE } };
}
