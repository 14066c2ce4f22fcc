import { expect, it } from 'vitest';
import { listEndToEndTests } from './end-to-end.ts';

it('a cluster runs the end-to-end tests that need no local stack', () => {
  const paths = listEndToEndTests();
  expect(paths).toContain('test/e2e/story.e2e.test.ts');
  expect(paths).not.toContain('test/e2e/metrics.e2e.test.ts');
});
