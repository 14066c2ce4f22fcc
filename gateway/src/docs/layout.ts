import type { Guide } from './guides.ts';
import { escapeHtml, type Heading, type RenderedMarkdown } from './markdown.ts';

/** Addresses of the files that pages load. */
export interface AssetPaths {
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
export function createLayout(guides: readonly Guide[], { style, script, icon }: AssetPaths) {
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

/** The content of a guide, with its sections and its neighbours. */
export function toGuideContent({ html, headings }: RenderedMarkdown, previous?: Guide, next?: Guide): string {
  return `<div class="guide">
<main id="content" tabindex="-1">
${html}${toNeighbours(previous, next)}</main>
${toSections(headings)}</div>`;
}

/** The content of the list of guides. */
export function toGuideIndex(guides: readonly Guide[]): string {
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
