import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Page } from '../http/pages.ts';

/** The page may load files from the gateway and call it, and nothing else. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const require = createRequire(import.meta.url);
const own = import.meta.dirname;
const swaggerUi = dirname(require.resolve('swagger-ui-dist/package.json'));

const generated = dirname(require.resolve('@survey/proto/openapi.json'));

const FILES = [
  { path: '/docs', root: own, file: 'page.html' },
  { path: '/docs/page.js', root: own, file: 'page.js' },
  { path: '/docs/swagger-ui-bundle.js', root: swaggerUi, file: 'swagger-ui-bundle.js' },
  { path: '/docs/swagger-ui.css', root: swaggerUi, file: 'swagger-ui.css' },
  { path: '/docs/favicon-32x32.png', root: swaggerUi, file: 'favicon-32x32.png' },
  { path: '/openapi.json', root: generated, file: 'openapi.json' },
  { path: '/schemas/definition-1.0.json', root: generated, file: 'definition-1.0.json' },
];

/** The pages of the interactive documentation, the OpenAPI document, and the JSON Schema of definitions. */
export const docs: ReadonlyMap<string, Page> = new Map([
  ...FILES.map(({ path, root, file }) => [path, pageOf(root, file)] as const),
  ['/', (_request, response) => response.redirect(302, '/docs')],
]);

function pageOf(root: string, file: string): Page {
  const etag = `"${hash('sha256', readFileSync(join(root, file)), 'base64url')}"`;
  return (request, response) => {
    // These preconditions make no sense for a page that is only read.
    for (const name of ['if-match', 'if-unmodified-since']) delete request.headers[name];
    response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY);
    // Browsers revalidate each time, since a release may change the files.
    response.setHeader('cache-control', 'no-cache');
    response.setHeader('etag', etag);
    response.sendFile(file, { root, cacheControl: false, acceptRanges: false });
  };
}
