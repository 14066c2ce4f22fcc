import { expect, it } from 'vitest';
import { describeVersion } from './mongo.ts';

it.each([
  ['8.0.4', /^version 8\.0\.4$/],
  ['7.0.1', /^version 7\.0\.1$/],
  ['6.0.5', /^version 6\.0\.5, which gets no more security fixes: .*PATH.*mongo:8$/],
  ['5.0.1', /no more security fixes/],
])('the log advises about MongoDB %s', (version, text) => {
  expect(describeVersion(version)).toMatch(text);
});
