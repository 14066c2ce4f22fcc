import { expect, it } from 'vitest';
import { patchClass } from './patch-class.ts';

/** A class that nothing patches: other tests of this process load the real patches. */
const path = 'lib/read_concern.js';
const replace = () => {
  throw new Error('must not be called');
};

it.each([
  ['a class that is elsewhere', { className: 'Moved', faults: {} }],
  ['a module that is no class', { faults: {} }],
  ['another method', { className: 'ReadConcern', faults: { toJSON: 'code that it does not have' } }],
  ['a missing method', { className: 'ReadConcern', faults: { missing: 'code' } }],
])('%s is not patched', (_case, found) => {
  const patch = { library: 'mongodb', path, replace, ...found };
  expect(() => patchClass<Record<string, () => void>>(patch)).toThrow(`mongodb has changed: see whether ${path}`);
});
