import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeSlug } from './link.ts';

describe('makeSlug', () => {
  it('returns valid, unique slugs', () => {
    const slugs = Array.from({ length: 1_000 }, () => makeSlug(randomBytes));
    expect(new Set(slugs).size).toBe(1_000);
    for (const slug of slugs) expect(slug).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);
  });

  it('has five random bits per character, evenly distributed', () => {
    const every = Array.from({ length: 256 }, (_, byte) => makeSlug((size) => new Uint8Array(size).fill(byte)));
    const counts = Map.groupBy(every, (slug) => slug);
    expect([counts.size, new Set([...counts.values()].map(({ length }) => length))]).toEqual([32, new Set([8])]);
  });
});
