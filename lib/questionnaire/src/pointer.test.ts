import { describe, expect, it } from 'vitest';
import { pointer } from './pointer.ts';

describe('pointer', () => {
  it('appends a token', () => expect(pointer('/data', 'q1')).toBe('/data/q1'));
  it('escapes tilde and slash (RFC 6901)', () => expect(pointer('/data', 'a/b~c~1')).toBe('/data/a~1b~0c~01'));
  it('accepts an empty token', () => expect(pointer('/data', '')).toBe('/data/'));
});
