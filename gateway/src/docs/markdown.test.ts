import { describe, expect, it } from 'vitest';
import { pickSections, renderMarkdown } from './markdown.ts';

const render = (text: string) => renderMarkdown(text, (target) => target).html;

describe('renderMarkdown', () => {
  it.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<!-- a comment -->',
    '<details>\n\n</details>',
  ])('leaves HTML out: %s', (text) => {
    expect(render(text)).not.toMatch(/<(?!\/?p>)|onerror|comment/);
  });

  it.each(['javascript:alert(1)', 'vbscript:x', 'data:text/html,x', 'JaVaScRiPt:x'])(
    'makes no link of %s',
    (target) => {
      expect(render(`[text](${target})`)).not.toContain('<a');
    },
  );

  it('escapes code and texts', () => {
    expect(render('```html\n<b>&amp;\n```')).toContain('&lt;b&gt;&amp;amp;');
    expect(render('`<b>` 1 < 2')).toContain('<code>&lt;b&gt;</code> 1 &lt; 2');
  });

  it('gives headings the ids of GitHub, and lists those of the second level', () => {
    const { html, headings } = renderMarkdown('# Page\n## `limit` & *more*\n### Codes\n## Codes', (target) => target);
    expect(html).toContain('<h2 id="limit--more">');
    expect(html).toContain('<h3 id="codes">');
    expect(headings).toEqual([
      { id: 'limit--more', text: 'limit & more' },
      { id: 'codes-1', text: 'Codes' },
    ]);
  });

  it('puts tables into boxes that scroll', () => {
    expect(render('| a |\n|---|\n| b |')).toMatch(/^<div class="scroll"><table>.*<\/table><\/div>\n$/s);
  });

  it('changes links, and makes text of links that lead nowhere', () => {
    const { html } = renderMarkdown('[a](x.md) and [**b**](gone.md)', (target) =>
      target === 'x.md' ? '/docs/guides/x' : undefined,
    );
    expect(html).toBe('<p><a href="/docs/guides/x">a</a> and <strong>b</strong></p>\n');
  });
});

describe('pickSections', () => {
  it('keeps the named sections with their parts', () => {
    const text = '# Title\nintro\n## One\n1\n### Part\np\n## Two\n2\n## Three\n3\n';
    expect(pickSections(text, 'Start', ['One', 'Three'])).toBe('# Start\n\n## One\n1\n### Part\np\n## Three\n3\n');
  });
});
