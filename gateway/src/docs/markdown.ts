import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';

/** Escapes a text for HTML, even in attributes. */
export const { escapeHtml } = MarkdownIt().utils;

export interface Heading {
  readonly id: string;
  readonly text: string;
}

export interface RenderedMarkdown {
  readonly html: string;
  /** Headings of the second level. */
  readonly headings: readonly Heading[];
}

/** Converts the target of a link to an address. Undefined if the target is not in the documentation. */
type ResolveLink = (target: string) => string | undefined;

/** Renders Markdown without the HTML in it. Headings get the same ids as on GitHub. */
export function renderMarkdown(text: string, resolveLink: ResolveLink): RenderedMarkdown {
  const headings: Heading[] = [];
  const slugger = new GithubSlugger();
  // Parse HTML to leave it out: HTML that is not parsed would appear as text.
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
  // A link to a target outside of the documentation becomes plain text.
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

/** Returns the title, then the sections with these headings of level 2, in the order of the text. */
export function pickSections(text: string, title: string, names: readonly string[]): string {
  const sections = text
    .split(/^(?=## )/m)
    .filter((section) => names.some((name) => section.startsWith(`## ${name}\n`)));
  return [`# ${title}\n\n`, ...sections].join('');
}
