import { ApiError } from '@survey/client';
import { expect, it } from 'vitest';
import { pauseBeforeNextRead } from './import-list-page.tsx';

const errorOf = (status: number) => new ApiError('x', { code: 'IMPORT_NOT_FOUND', status, errors: [] });

it.each([
  ['nothing is read yet', undefined, null, 1_000],
  ['the import runs', { status: 'running' }, null, 1_000],
  ['the import has ended', { status: 'completed' }, null, false],
  ['the platform cannot be reached', { status: 'running' }, new TypeError('fetch failed'), 1_000],
  ['the platform is overloaded', undefined, errorOf(503), 1_000],
  ['there are too many requests', undefined, errorOf(429), 1_000],
  ['the import does not exist', undefined, errorOf(404), false],
  ['the user may not read it any more', { status: 'running' }, errorOf(403), false],
] as const)('decides about the next read if %s', (_case, item, error, pause) => {
  expect(pauseBeforeNextRead(item, error)).toBe(pause);
});
