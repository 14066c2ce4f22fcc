import { existsSync, globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { type Content, createContentHandler } from '../http/content-page.ts';
import type { PageHandler } from '../http/pages.ts';

/** An application in the browser, built to static files. */
interface WebAppOptions {
  /** For messages to operators. */
  readonly name: string;
  /** Folder with `index.html` and `assets/`, whose names contain a hash. */
  readonly folder: string;
  /** Its path at the gateway, such as `/console`. */
  readonly path: string;
  readonly contentSecurityPolicy: readonly string[];
  /** Path that pages of the same origin may frame, such as a preview. No other path can be framed. */
  readonly framedPath?: string;
}

const NOT_FRAMED = "frame-ancestors 'none'";
const FRAMED_BY_SELF = "frame-ancestors 'self'";

/** Returns the page at a path, or undefined if the path belongs to something else. */
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

/**
 * Serves a web app: its files under `assets/`, and `index.html` under every other path below its own, because the app
 * has its own routes. Throws if the app is not built.
 */
export function createWebApp({ name, folder, path, contentSecurityPolicy, framedPath }: WebAppOptions): FindPage {
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
