import type { FieldProblem } from '@survey/runtime/errors/app-error';
import { describe, expect, it } from 'vitest';
import { createHtmlToText } from './texts.ts';

function setUp() {
  const warnings: FieldProblem[] = [];
  return { toText: createHtmlToText((warning) => warnings.push(warning)), warnings };
}

describe('createHtmlToText', () => {
  it.each([
    ['plain  text,\nas it is ', 'plain  text,\nas it is'],
    ['a < 5 & b > 3', 'a < 5 & b > 3'],
    ['R&amp;D &lt;b&gt; &#228;&nbsp;', 'R&D <b> ä'],
    ['<p>Hello <b>World</b></p><p>again</p>', 'Hello World\n\nagain'],
    ['one<br />two', 'one\ntwo'],
    ['<h2>Head</h2>', 'Head'],
    ['<ul><li>a</li><li>b</li></ul>', '- a\n- b'],
    ['<a href="https://example.com/x">there</a>', 'there (https://example.com/x)'],
    ['<img src="x.png" alt="A cat"><img src="y.png">', 'A cat'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\nc'],
    ['<script>alert(1)</script><style>p {}</style><!-- no -->text', 'text'],
    ['<p>&nbsp;</p>', ''],
    ['<b', ''],
  ])('reads %j as %j', (html, text) => {
    expect(setUp().toText(html, '')).toBe(text);
  });

  it('warns once, at the first text with tags', () => {
    const { toText, warnings } = setUp();
    toText('a &amp; b', '/first');
    toText('<b>c</b>', '/second');
    toText('<b>d</b>', '/third');
    expect(warnings.map(({ path, code }) => [path, code])).toEqual([['/second', 'HTML_REMOVED']]);
  });

  it.each([
    ['nested', '<div>'.repeat(100_000)],
    ['nested in tables', '<table><tr><td>'.repeat(30_000)],
    ['closed by others', '<p><b>'.repeat(80_000)],
    ['ended without a beginning', '</b>'.repeat(120_000)],
    ['made of tags', '<b>x</b>'.repeat(60_000)],
    ['made of signs', '<'.repeat(500_000)],
  ])('keeps the words of huge texts: %s', (_case, html) => {
    expect(setUp().toText(`start ${html} end`, '')).toMatch(/^start .*end$/s);
  });

  it('cuts off too long texts, with a warning', () => {
    const { toText, warnings } = setUp();
    expect(toText(`&amp;${'x'.repeat(600_000)}`, '/title').length).toBeLessThanOrEqual(512 * 1024);
    expect(warnings).toMatchObject([{ path: '/title', code: 'HTML_REMOVED' }]);
  });
});
