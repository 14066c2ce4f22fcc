import { describe, expect, it } from 'vitest';
import { pointer } from './pointer.ts';

describe('pointer', () => {
  it('appends tokens', () => expect(pointer('/survey', 'pages', 0)).toBe('/survey/pages/0'));
  it('escapes tilde and slash (RFC 6901)', () => expect(pointer('/data', 'a/b~c')).toBe('/data/a~1b~0c'));
  it('leaves the root alone when there is nothing to append', () => expect(pointer('')).toBe(''));
});
