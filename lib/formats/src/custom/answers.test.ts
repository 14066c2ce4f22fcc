import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { responseFromJson } from './answers.ts';
import { createUnknownMemberWarner } from './responses.ts';

const TIME = '2026-01-02T03:04:05.678Z';
const time = new Date(TIME);

/** A response of the API or of an export. */
const shown = {
  id: '0198c0de-0000-7000-8000-00000000000a',
  tenant_id: 't',
  survey_id: 's',
  status: 'disqualified',
  data: { q: ['a'], p: 0 },
  created_at: '2026-01-02T03:00:00Z',
  started_at: '2026-01-02T03:01:00Z',
  completed_at: TIME,
  survey_version: 3,
  external_id: 'R_1',
  metadata: { n: null },
  updated_at: TIME,
  language: 'de',
  link_id: 'l',
};
const read = (change: JsonObject) => responseFromJson({ ...shown, ...change }, 0);

describe('a response of the API', () => {
  it('keeps times, language, ids and metadata, but not its original survey', async () => {
    expect(responseFromJson(shown, 4)).toEqual({
      index: 4,
      id: shown.id,
      externalId: 'R_1',
      startedAt: new Date('2026-01-02T03:01:00Z'),
      completedAt: time,
      language: 'de',
      metadata: { n: null },
      answers: shown.data,
    });
    createUnknownMemberWarner(() => expect.unreachable())(shown, '');
  });

  it('can lack optional members, or have null', async () => {
    const bare = { answers: {}, externalId: undefined, startedAt: undefined, completedAt: undefined };
    const nothing = { language: undefined, metadata: undefined };
    expect(responseFromJson({ data: {} }, 0)).toEqual({ index: 0, id: '', ...bare, ...nothing });
    const nulls = Object.fromEntries(Object.keys(shown).map((name) => [name, null]));
    expect(responseFromJson({ ...nulls, data: {} }, 0)).toEqual({ index: 0, id: '', ...bare, ...nothing });
  });

  it('takes submitted_at as start if no other time is given', async () => {
    const timesOf = (given: JsonObject) => {
      const { startedAt, completedAt } = { ...responseFromJson({ data: {}, ...given }, 0) } as Record<string, unknown>;
      return [startedAt, completedAt];
    };
    expect(timesOf({ submitted_at: TIME })).toEqual([time, time]);
    expect(timesOf({ completed_at: TIME })).toEqual([undefined, time]);
    expect(timesOf({ submitted_at: '2020-01-01T00:00:00Z', completed_at: TIME })).toEqual([undefined, time]);
    expect(timesOf({ submitted_at: TIME, started_at: '2020-01-01T00:00:00Z' })).toEqual([
      new Date('2020-01-01T00:00:00Z'),
      time,
    ]);
    // An invalid time is another time than that of the submission.
    expect(timesOf({ submitted_at: TIME, started_at: 'noon' })).toEqual([undefined, time]);
    expect(timesOf({ submitted_at: TIME, completed_at: 'noon' })).toEqual([undefined, time]);
  });

  it.each(['in_progress', 'abandoned'])('can be %s', (status) => {
    expect(read({ status })).toMatchObject({ id: shown.id, status });
  });

  it('can have invalid times', () => {
    const unread = [
      { name: 'started_at', code: 'BAD_TIME', detail: 'started_at must be an RFC 3339 time', value: 'noon' },
      { name: 'completed_at', code: 'BAD_TIME', detail: 'completed_at must be an RFC 3339 time', value: 5 },
    ];
    expect(read({ started_at: 'noon', completed_at: 5 })).toMatchObject({ startedAt: undefined, unread });
    expect(responseFromJson({ data: {}, started_at: 'noon' }, 0, 'line 3: ')).toMatchObject({
      unread: [{ ...unread[0], detail: 'line 3: started_at must be an RFC 3339 time' }],
    });
  });

  it('can have numbers as ids', () => {
    const bare = { index: 0, answers: {} };
    expect(responseFromJson({ data: {}, id: 7, external_id: 8 }, 0)).toMatchObject({
      ...bare,
      id: '7',
      externalId: '8',
    });
    expect(responseFromJson({ data: {}, id: {} }, 0)).toMatchObject({ detail: 'The id must be a string or a number' });
  });

  it.each<[JsonObject, string, string]>([
    [{ status: 1 }, 'BAD_STATUS', 'status: the status must be completed, disqualified, in_progress or abandoned'],
    [{ language: 5 }, 'BAD_LANGUAGE', 'language must be a string'],
    [{ external_id: {} }, 'BAD_ID', 'external_id must be a string or a number'],
    [{ metadata: [] }, 'BAD_METADATA', 'metadata must be an object'],
    [{ data: [] }, 'BAD_ANSWERS', 'The data must be an object with the answers by question'],
    [{ answers: [] }, 'BAD_ANSWERS', 'The response has both answers and data; send one of them'],
  ])('is rejected with %j', async (change, code, detail) => {
    expect(read(change)).toEqual({ index: 0, id: shown.id, code, detail });
  });
});
