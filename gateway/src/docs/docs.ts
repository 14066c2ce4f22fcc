import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorAdvice } from '@survey/runtime/errors/error-advice';
import { type ErrorCode, errorCodes } from '@survey/runtime/errors/error-codes';
import { errorAddress } from '@survey/runtime/rest/problem';
import { stringify } from 'yaml';
import { type Content, createContentHandler, hashContent, type PageHandler } from '../http/content-page.ts';
import { root } from '../root.ts';
import { type Guide, loadGuides, loadSamples, renderGuide } from './guides.ts';
import { escapeHtml, type Heading, type RenderedMarkdown } from './markdown.ts';

interface DocsOptions {
  /** Whether the API reference keeps the token of the user in the session storage of the tab. */
  readonly keepToken: boolean;
}

/** Content security policy of the guides. They may load files from the gateway and call it, and nothing else. */
const GUIDE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];
/** The API reference also allows inline styles, because its script writes style elements. */
const REFERENCE_POLICY = GUIDE_POLICY.map((rule) => (rule === "style-src 'self'" ? `${rule} 'unsafe-inline'` : rule));

/** The links of the page of an error are relative to this file. */
const ERRORS = 'lib/runtime/src/errors/error-codes.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Browsers revalidate each time, since a release may change the pages. */
const REVALIDATED = 'no-cache';

/** The pages of the documentation, their files, the OpenAPI document and the JSON Schema of definitions, by path. */
export function createDocs({ keepToken }: DocsOptions): ReadonlyMap<string, PageHandler> {
  const assets = loadAssets();
  const guides = loadGuides();
  const layout = createLayout(guides, {
    style: assets.pathOf('docs.css'),
    script: assets.pathOf('docs.js'),
    icon: assets.pathOf('icon.svg'),
  });
  const openApi = readFileSync(join(root, 'proto/gen/openapi.json'));
  const definitionSchema = readFileSync(join(root, 'proto/gen/definition-1.0.json'));

  function toReference(): string {
    const [style, ...scripts] = ['reference.css', 'reference.js', 'scalar.js'].map(assets.pathOf);
    const head = [
      `<link rel="stylesheet" href="${style}">`,
      ...scripts.map((path) => `<script src="${path}" defer></script>`),
    ];
    const content = `<div id="content" tabindex="-1"><div id="reference"${keepToken ? ' data-keep-token' : ''}></div></div>
<noscript>The API reference needs JavaScript. The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>`;
    return layout({ title: 'API reference', path: '/docs', head: `${head.join('\n')}\n`, content });
  }

  function toGuide(guide: Guide, index: number): string {
    const content = toGuideContent(renderGuide(guide.load(), guide.file), guides[index - 1], guides[index + 1]);
    return layout({ title: guide.title, path: guide.path, content });
  }

  function toErrorPage(code: ErrorCode): string {
    const content = toGuideContent(renderGuide(describeError(code), ERRORS));
    return layout({ title: code, path: errorAddress(code), content });
  }

  const contents: readonly (readonly [string, Content])[] = [
    ['/docs', toHtml(toReference, REFERENCE_POLICY)],
    [
      '/docs/guides',
      toHtml(() => layout({ title: 'Guides', path: '/docs/guides', content: toGuideIndex(guides) }), GUIDE_POLICY),
    ],
    ...guides.map((guide, index) => [guide.path, toHtml(() => toGuide(guide, index), GUIDE_POLICY)] as const),
    ...guides.map(({ path, load }) => [`${path}.md`, toText('text/markdown', load)] as const),
    ...(Object.keys(errorCodes) as ErrorCode[]).map(
      (code) => [errorAddress(code), toHtml(() => toErrorPage(code), GUIDE_POLICY)] as const,
    ),
    ...loadSamples().map(({ path, text }) => [path, toText('text/plain', () => text)] as const),
    ['/openapi.json', toText('application/json', () => openApi)],
    ['/openapi.yaml', toText('application/yaml', () => stringify(JSON.parse(openApi.toString())))],
    ['/schemas/definition-1.0.json', toText('application/json', () => definitionSchema)],
    ['/llms.txt', toText('text/plain', () => toLlmsText(guides))],
    ...assets.contents,
  ];
  return new Map<string, PageHandler>([
    ...contents.map(([path, content]) => [path, createContentHandler(content)] as const),
    ['/', (_request, response) => response.redirect(302, '/docs')],
  ]);
}

/** The meaning of an error and the advice for it, in Markdown. The `type` of the error is the address of this page. */
function describeError(code: ErrorCode): string {
  const { status, detail } = errorCodes[code];
  const fields =
    status === 400 || status === 422 ? '\n\nEach entry of `errors` has a code: [codes of fields](field-codes.ts).' : '';
  return `# ${code}

HTTP status ${status}: ${detail}. The \`detail\` of a reply can say more.

**What to do:** ${errorAdvice[code]}${fields}

[All errors](error-codes.ts)
`;
}

/** Reads the files that pages load. The paths contain a hash, so browsers can cache each file until it changes. */
function loadAssets() {
  const browserFiles = join(root, 'gateway/src/docs/browser');
  const files = [
    { name: 'docs.css', path: join(browserFiles, 'docs.css'), type: 'text/css' },
    { name: 'docs.js', path: join(browserFiles, 'docs.js'), type: 'text/javascript' },
    { name: 'reference.css', path: join(browserFiles, 'reference.css'), type: 'text/css' },
    { name: 'reference.js', path: join(browserFiles, 'reference.js'), type: 'text/javascript' },
    { name: 'icon.svg', path: join(browserFiles, 'icon.svg'), type: 'image/svg+xml' },
    {
      name: 'scalar.js',
      path: join(root, 'gateway/vendor/scalar/standalone.js'),
      type: 'text/javascript',
    },
  ].map(({ name, path, type }) => {
    const body = readFileSync(path);
    const content: Content = { load: () => body, type, headers: { 'cache-control': IMMUTABLE } };
    return { name, path: `/docs/assets/${hashContent(body)}/${name}`, content };
  });
  return {
    contents: files.map(({ path, content }) => [path, content] as const),
    pathOf(name: string): string {
      const file = files.find((known) => known.name === name);
      if (file === undefined) throw new Error(`no such asset: ${name}`);
      return file.path;
    },
  };
}

function toHtml(load: () => string, policy: readonly string[]): Content {
  const headers = { 'cache-control': REVALIDATED, 'content-security-policy': policy.join('; ') };
  return { load, type: 'text/html', headers };
}

function toText(type: string, load: Content['load']): Content {
  return { load, type, headers: { 'cache-control': REVALIDATED } };
}

interface AssetPaths {
  readonly style: string;
  readonly script: string;
  readonly icon: string;
}

interface PageContent {
  readonly title: string;
  /** Path of the page, to mark it in the navigation. */
  readonly path: string;
  readonly content: string;
  /** Additional elements of the head. */
  readonly head?: string;
}

/** Returns a function that renders an HTML page: the navigation with all guides, and the content. */
function createLayout(guides: readonly Guide[], { style, script, icon }: AssetPaths) {
  return ({ title, path, content, head = '' }: PageContent): string => {
    const link = (target: string, text: string) =>
      `<a href="${target}"${target === path ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>`;
    const items = guides.map((guide) => `<li>${link(guide.path, guide.title)}</li>`).join('\n');
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Survey platform</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>
${head}</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<nav class="bar" aria-label="Documentation">
<a class="brand" href="/docs">Survey platform</a>
${link('/docs', 'API reference')}
<details class="menu">
<summary>Guides</summary>
<ul>
${items}
</ul>
</details>
<a class="extra" href="/openapi.json">OpenAPI</a>
</nav>
${content}
</body>
</html>
`;
  };
}

function toGuideContent({ html, headings }: RenderedMarkdown, previous?: Guide, next?: Guide): string {
  return `<div class="guide">
<main id="content" tabindex="-1">
${html}${toNeighbours(previous, next)}</main>
${toSections(headings)}</div>`;
}

function toGuideIndex(guides: readonly Guide[]): string {
  const items = guides.map(
    ({ path, title, summary }) => `<li><a href="${path}">${escapeHtml(title)}</a><p>${escapeHtml(summary)}</p></li>`,
  );
  return `<div class="guide">
<main id="content" tabindex="-1">
<h1>Guides</h1>
<ul class="cards">
${items.join('\n')}
</ul>
</main>
</div>`;
}

function toSections(headings: readonly Heading[]): string {
  if (headings.length < 2) return '';
  const items = headings.map(({ id, text }) => `<li><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`);
  return `<nav class="sections" aria-labelledby="sections">
<p id="sections">On this page</p>
<ul>
${items.join('\n')}
</ul>
</nav>
`;
}

function toNeighbours(previous: Guide | undefined, next: Guide | undefined): string {
  const links = [
    previous && `<a href="${previous.path}" rel="prev">← ${escapeHtml(previous.title)}</a>`,
    next && `<a href="${next.path}" rel="next">${escapeHtml(next.title)} →</a>`,
  ];
  return `<nav class="neighbours" aria-label="Other guides">${links.filter(Boolean).join('\n')}</nav>\n`;
}

/** The contents of the documentation for language models: https://llmstxt.org */
function toLlmsText(guides: readonly Guide[]): string {
  const items = guides.map(({ title, path, summary }) => `- [${title}](${path}.md): ${summary}`);
  return `# Survey platform

> An HTTP API to define surveys, collect and read responses, and get signed webhooks for every event.

Send \`Authorization: Bearer …\` with a token or an API key. Operations below \`/v1/public\` need none.

## API

- [OpenAPI document](/openapi.json): every operation with its parameters, examples and errors, as OpenAPI 3.1.
- [OpenAPI document as YAML](/openapi.yaml): the same.
- [JSON Schema of survey definitions](/schemas/definition-1.0.json): what a survey can contain.

## Guides

${items.join('\n')}
`;
}
