import { describe, expect, it } from 'vitest';
import { refuseUnusable } from './file-response.ts';

const UUID = '0198C0DE-0000-7000-8000-00000000000A';
const respond = (...ids: readonly string[]) =>
  ids.map((id, index) => ({ index, id, answers: {}, submittedAt: undefined }));
const codesOf = (...ids: readonly string[]) =>
  refuseUnusable(respond(...ids)).map((response) => ('code' in response ? response.code : 'kept'));

describe('the responses of a file', () => {
  it('are refused with an id that came before, however it is written when it is a UUID', () => {
    expect(codesOf('a', 'A', 'a')).toEqual(['kept', 'kept', 'DUPLICATE_ID']);
    expect(codesOf(UUID, UUID.toLowerCase(), UUID)).toEqual(['kept', 'DUPLICATE_ID', 'DUPLICATE_ID']);
  });

  it('may have no id, any number of them', () => {
    expect(codesOf('', '')).toEqual(['kept', 'kept']);
  });

  it('are refused with an id of more than 256 characters', () => {
    expect(codesOf('x'.repeat(256), 'x'.repeat(257))).toEqual(['kept', 'BAD_ID']);
  });
});
