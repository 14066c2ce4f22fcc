import { expect, it } from 'vitest';
import { createWarnings, MAX_WARNINGS } from './report.ts';

it('keeps the first warnings, and the first of each code', () => {
  const { warn, first, more } = createWarnings('/data');
  for (let index = 0; index < MAX_WARNINGS + 5; index += 1)
    warn({ path: `/${index}`, code: index === MAX_WARNINGS - 1 ? 'ID_CHANGED' : 'NOT_IMPORTED', detail: 'x' });
  warn({ path: '/responses', code: 'MORE_PAGES', detail: 'x' });
  warn({ path: '/other', code: 'MORE_PAGES', detail: 'x' });

  const codes = first().map(({ code, path }) => `${code} ${path}`);
  expect(codes.slice(0, 2)).toEqual(['MORE_PAGES /data/responses', 'NOT_IMPORTED /data/0']);
  expect(codes.at(-1)).toBe(`ID_CHANGED /data/${MAX_WARNINGS - 1}`);
  expect([codes.length, more()]).toEqual([MAX_WARNINGS, 7]);
});
