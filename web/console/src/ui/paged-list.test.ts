import { expect, it } from 'vitest';
import { isSameList } from './paged-list.tsx';

it.each([
  [['surveys', {}], ['surveys', { q: 'health' }], true],
  [['surveys', 'a', 'links'], ['surveys', 'a', 'links'], true],
  [['webhooks', 'a', 'deliveries', {}], ['webhooks', 'b', 'deliveries', {}], false],
  [['surveys', 'a', 'links'], ['surveys', {}], false],
])('the keys %j and %j: %j', (key, other, isSame) => {
  expect(isSameList(key, other)).toBe(isSame);
});
