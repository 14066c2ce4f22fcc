import type { JsonObject } from '@bufbuild/protobuf';
import { describe, expect, it } from 'vitest';
import { responseFromJson } from './response-json.ts';
import { createUnknownMemberWatch } from './responses-json.ts';

const TIME = '2026-01-02T03:04:05.678Z';
const time = new Date(TIME);

/** A response as the API shows it, and an export writes it. */
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

describe('a response as the API shows it', () => {
  it('is read with its history, language, ids and metadata, and nothing of where it was', async () => {
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
    createUnknownMemberWatch(() => expect.unreachable())(shown, '');
  });

  it('may lack what is optional, or have null for it', async () => {
    const bare = { answers: {}, externalId: undefined, startedAt: undefined, completedAt: undefined };
    const nothing = { language: undefined, metadata: undefined };
    expect(responseFromJson({ data: {} }, 0)).toEqual({ index: 0, id: '', ...bare, ...nothing });
    const nulls = Object.fromEntries(Object.keys(shown).map((name) => [name, null]));
    expect(responseFromJson({ ...nulls, data: {} }, 0)).toEqual({ index: 0, id: '', ...bare, ...nothing });
  });

  it('began when it says so, which submitted_at alone says too', async () => {
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
  });

  it.each<[JsonObject, string, string]>([
    [{ status: 'in_progress' }, 'BAD_STATUS', 'status: it is in_progress, and only completed responses are imported'],
    [{ status: 'abandoned' }, 'BAD_STATUS', 'status: it is abandoned, and only completed responses are imported'],
    [{ status: 1 }, 'BAD_STATUS', 'status: it has to be completed or disqualified'],
    [{ started_at: 'noon' }, 'BAD_TIME', 'started_at has to be an RFC 3339 time'],
    [{ completed_at: 5 }, 'BAD_TIME', 'completed_at has to be an RFC 3339 time'],
    [{ language: 5 }, 'BAD_LANGUAGE', 'language has to be a string'],
    [{ external_id: {} }, 'BAD_ID', 'external_id has to be a string'],
    [{ metadata: [] }, 'BAD_METADATA', 'metadata has to be an object'],
    [{ data: [] }, 'BAD_ANSWERS', 'The data has to be an object with the answers by question'],
    [{ answers: [] }, 'BAD_ANSWERS', 'There are both answers and data'],
  ])('is refused with %j', async (change, code, detail) => {
    expect(read(change)).toEqual({ index: 0, id: shown.id, code, detail });
  });
});
