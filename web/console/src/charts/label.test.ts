import { describe, expect, it } from 'vitest';
import { cleanLabel, wrapLabel } from './label.ts';

describe('labels of drawings', () => {
  it('removes line breaks, and characters that SVG cannot contain', () => {
    expect(cleanLabel(' a\n\u0000\tb \uD800\uFFFFc')).toBe('a b \uFFFD c');
  });

  it('wraps at words', () => {
    expect(wrapLabel('a tea with milk', 8, 3)).toEqual(['a tea', 'with', 'milk']);
    expect(wrapLabel('', 8, 3)).toEqual(['']);
  });

  it('shows that a text continues', () => {
    expect(wrapLabel('a tea with milk', 8, 1)).toEqual(['a tea…']);
    expect(wrapLabel('x'.repeat(10_000), 5, 2)).toEqual(['xxxxx', 'xxxx…']);
  });

  it('gives wide characters more space', () => {
    expect(wrapLabel('mmmm', 3, 3)).toEqual(['mm', 'mm']);
    expect(wrapLabel('お茶と水😀', 4, 3)).toEqual(['お茶', 'と水', '😀']);
  });
});
