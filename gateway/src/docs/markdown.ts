import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';

/** Escapes a text for HTML, even in attributes. */
export const { escapeHtml } = MarkdownIt().utils;

/** A section of a page. */
export interface Heading {
  readonly id: string;
  readonly text: string;
}

export interface RenderedMarkdown {
  readonly html: string;
  /** Headings of the second level. */
  readonly headings: readonly Heading[];
}

/** Returns the address of a link in the pages, or undefined if its target is not among them. */
type ResolveLink = (target: string) => string | undefined;

/**
 * Renders Markdown. HTML in it is left out, and headings get the same ids as on GitHub. markdown-it leaves links that
 * could run scripts as text.
 */
export function renderMarkdown(text: string, resolveLink: ResolveLink): RenderedMarkdown {
  const headings: Heading[] = [];
  const slugger = new GithubSlugger();
  // HTML is parsed, so that it can be left out: otherwise it would appear as text.
  const markdown = MarkdownIt({ html: true });
  const { rules } = markdown.renderer;
  rules['html_block'] = () => '';
  rules['html_inline'] = () => '';
  rules['table_open'] = () => '<div class="scroll"><table>\n';
  rules['table_close'] = () => '</table></div>\n';
  rules['heading_open'] = (tokens, index) => {
    const { tag = '' } = tokens[index] ?? {};
    const title = (tokens[index + 1]?.children ?? []).map(({ content }) => content).join('');
    const id = slugger.slug(title);
    if (tag === 'h2') headings.push({ id, text: title });
    return `<${tag} id="${escapeHtml(id)}">`;
  };
  // A link outside of the pages becomes text: its brackets are dropped, its words stay.
  const keptLinks: boolean[] = [];
  rules['link_open'] = (tokens, index, options, _environment, self) => {
    const token = tokens[index];
    const target = String(token?.attrGet('href') ?? '');
    const resolved = resolveLink(target);
    keptLinks.push(resolved !== undefined);
    if (resolved === undefined) return '';
    token?.attrSet('href', resolved);
    return self.renderToken(tokens, index, options);
  };
  rules['link_close'] = () => (keptLinks.pop() ? '</a>' : '');
  const html = markdown.render(text);
  return { html, headings };
}

/** Picks the sections with these headings of level 2, in their order in the text, and puts the title before them. */
export function pickSections(text: string, title: string, names: readonly string[]): string {
  const sections = text
    .split(/^(?=## )/m)
    .filter((section) => names.some((name) => section.startsWith(`## ${name}\n`)));
  return [`# ${title}\n\n`, ...sections].join('');
}
