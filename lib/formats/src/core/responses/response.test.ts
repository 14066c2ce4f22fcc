import { describe, expect, it } from 'vitest';
import { checkIds, type FileResponse, isRejected, MAX_KNOWN_IDS, type ParsedResponse, readStatus } from './response.ts';

const UUID = '0198C0DE-0000-7000-8000-00000000000A';
const nothing = { externalId: undefined, startedAt: undefined, completedAt: undefined };
const respond = (id: string, given: Partial<ParsedResponse> = {}): ParsedResponse => ({
  index: 0,
  id,
  answers: {},
  ...nothing,
  language: undefined,
  metadata: undefined,
  ...given,
});
const codesAmong = async (responses: readonly FileResponse[]) =>
  (await Array.fromAsync(checkIds(responses))).map((response) => (isRejected(response) ? response.code : 'kept'));
const codesOf = (...ids: readonly string[]) => codesAmong(ids.map((id) => respond(id)));

describe('the responses of a file', () => {
  it('are rejected with a duplicate id; UUIDs ignore case', async () => {
    expect(await codesOf('a', 'A', 'a')).toEqual(['kept', 'kept', 'DUPLICATE_ID']);
    expect(await codesOf(UUID, UUID.toLowerCase(), UUID)).toEqual(['kept', 'DUPLICATE_ID', 'DUPLICATE_ID']);
  });

  it('can have no ids', async () => {
    expect(await codesOf('', '')).toEqual(['kept', 'kept']);
  });

  it('are rejected with an id of more than 256 characters', async () => {
    expect(await codesOf('x'.repeat(256), 'x'.repeat(257))).toEqual(['kept', 'BAD_ID']);
    const externalIds = ['😀'.repeat(256), 'x'.repeat(257)];
    expect(await codesAmong(externalIds.map((externalId) => respond('', { externalId })))).toEqual(['kept', 'BAD_ID']);
  });

  it('do not fill the memory with too long ids', async () => {
    const long = Array.from({ length: MAX_KNOWN_IDS }, (_, at) => respond(`${'x'.repeat(256)}${at}`));
    // Ids are kept up to a number; later duplicates are not found.
    const codes = await codesAmong([...long, respond('a'), respond('a')]);
    expect(codes.slice(-3)).toEqual(['BAD_ID', 'kept', 'DUPLICATE_ID']);
  });

  it('are rejected with both an external_id and an id that is not a UUID', async () => {
    const of = (id: string) => respond(id, { externalId: 'x' });
    expect(await codesAmong([of('a'), of(''), of(UUID)])).toEqual(['BAD_ID', 'kept', 'kept']);
  });
});

describe('the status of a response', () => {
  it.each(['', 'completed', 'disqualified'])('can be %j', (status) => {
    expect(readStatus(status)).toEqual({});
  });

  it.each(['in_progress', 'abandoned'])('stays %j', (status) => {
    expect(readStatus(status)).toEqual({ status });
  });

  it.each(['done', 7])('cannot be %j', (status) => {
    expect(readStatus(status)).toEqual({ problem: expect.stringContaining('the status must be') });
  });
});
