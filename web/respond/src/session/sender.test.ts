import { ApiError, type SubmittedResponse, type UpdatePublicResponseRequest } from '@survey/client';
import { describe, expect, it } from 'vitest';
import type { Revised, SurveyApi } from './api.ts';
import { toApiError } from './errors.ts';
import type { Progress } from './progress.ts';
import { createSender } from './sender.ts';

const survey = {
  id: 's',
  version: 3,
  definition: {
    title: 't',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          { id: 'dish', type: 'text' as const, title: 't' },
          { id: 'taste', type: 'rating' as const, title: 't' },
        ],
      },
    ],
  },
  languages: ['en'],
  survey_version: 1,
  metadata_fields: [],
};

const lost = new ApiError('lost', { code: 'CONNECTION_LOST', status: 0 });
const busy = new ApiError('busy', { code: 'TOO_MANY_REQUESTS', status: 429, retryAfterSeconds: 7 });
const invalid = new ApiError('invalid', { code: 'INVALID_ANSWERS', status: 422 });
const gone = new ApiError('gone', { code: 'RESPONSE_NOT_FOUND', status: 404 });

/** A sender with the replies of the platform, in order: the status of a response, or an error. */
function create(replies: (SubmittedResponse['status'] | ApiError)[], begin: Partial<Progress> = {}) {
  let progress: Progress = {
    survey,
    answers: { dish: 'Soup' },
    page: 0,
    language: 'en',
    fileNames: {},
    startedAt: '2030-01-01T00:00:00Z',
    ...begin,
  };
  const requests: unknown[] = [];
  const bodies: UpdatePublicResponseRequest[] = [];
  const waits: number[] = [];
  let keys = 0;
  let revision = 0;
  async function reply(request: unknown): Promise<Revised<SubmittedResponse>> {
    requests.push(request);
    const next = replies.shift();
    if (next === undefined || next instanceof ApiError) throw next;
    revision += 1;
    const created = { id: 'r', survey_id: 's', survey_version: 3, created_at: 'now', status: next, revision };
    return next === 'in_progress' ? { ...created, resume_token: 'token' } : created;
  }
  const api: Pick<SurveyApi, 'create' | 'update'> = {
    create: (body, key) => {
      bodies.push(body);
      return reply({ key, status: body.status, data: body.data });
    },
    update: ({ id, resumeToken, revision: seen }, body) => {
      bodies.push(body);
      return reply({ id, token: resumeToken, seen, status: body.status, data: body.data });
    },
  };
  const change = (changes: Partial<Progress>) => {
    progress = { ...progress, ...changes };
  };
  const sender = createSender({
    // The sender needs no other operations.
    api: api as SurveyApi,
    read: () => progress,
    change,
    newKey: () => {
      keys += 1;
      return `key ${keys}`;
    },
    wait: async (ms) => void waits.push(ms),
    onWaiting: () => undefined,
  });
  return { sender, change, requests, bodies, waits, read: () => progress };
}

const created = (key: string, status: string, data: object) => ({ key, status, data });
const updated = (status: string, data: object, seen: number | undefined = 1) => ({
  id: 'r',
  token: 'token',
  seen,
  status,
  data,
});

describe('a submit', () => {
  it('creates a response', async () => {
    const { sender, requests } = create(['completed']);
    expect(await sender.submit()).toMatchObject({ status: 'completed' });
    expect(requests).toEqual([created('key 1', 'completed', { dish: 'Soup' })]);
  });

  it('repeats the same request until the platform replies', async () => {
    const { sender, requests, waits } = create([lost, busy, lost, 'completed']);
    await sender.submit();
    expect(requests).toEqual(Array(4).fill(created('key 1', 'completed', { dish: 'Soup' })));
    expect(waits).toEqual([1_000, 7_000, 4_000]);
  });

  it.each([
    [500, 'INTERNAL'],
    [520, 'UNEXPECTED_REPLY'],
    [524, 'UNEXPECTED_REPLY'],
    [408, 'UNEXPECTED_REPLY'],
    [429, 'TOO_MANY_REQUESTS'],
    [200, 'UNEXPECTED_REPLY'],
    [403, 'UNEXPECTED_REPLY'],
  ] as const)('keeps its key if %i %s follows a lost reply', async (status, code) => {
    const { sender, requests, read } = create([lost, new ApiError(code, { code, status }), 'completed']);
    await sender.submit();
    expect(requests).toEqual(Array(3).fill(created('key 1', 'completed', { dish: 'Soup' })));
    expect(read().creation).toBeUndefined();
  });

  it('keeps its key after an error of the page', async () => {
    const broken = toApiError(new TypeError('x is undefined'));
    const { sender, requests } = create([lost, broken, 'completed']);
    await expect(sender.submit()).rejects.toBe(broken);
    await sender.submit();
    expect(requests).toEqual(Array(3).fill(created('key 1', 'completed', { dish: 'Soup' })));
  });

  it('completes a saved response, and removes answers', async () => {
    const { sender, change, requests, read } = create(['in_progress', lost, 'completed']);
    await sender.save();
    expect(read()).toMatchObject({
      creation: undefined,
      response: { id: 'r', resumeToken: 'token', revision: 1, answers: { dish: 'Soup' } },
    });
    change({ answers: { taste: 4 } });
    await sender.submit();
    expect(requests).toEqual([
      created('key 1', 'in_progress', { dish: 'Soup' }),
      ...Array(2).fill(updated('completed', { dish: null, taste: 4 })),
    ]);
  });

  it('first repeats a save whose reply was lost, with the body that it had', async () => {
    const { sender, change, requests } = create([lost, 'in_progress', 'completed']);
    await expect(sender.save()).rejects.toBe(lost);
    change({ answers: { dish: 'Rice' } });
    await sender.submit();
    expect(requests).toEqual([
      ...Array(2).fill(created('key 1', 'in_progress', { dish: 'Soup' })),
      updated('completed', { dish: 'Rice', taste: null }),
    ]);
  });

  it('that is rejected fails immediately, and the next one is another request', async () => {
    const { sender, requests } = create([invalid, 'completed']);
    await expect(sender.submit()).rejects.toBe(invalid);
    await sender.submit();
    expect(requests).toEqual(['key 1', 'key 2'].map((key) => created(key, 'completed', { dish: 'Soup' })));
  });

  it.each(['LINK_PASSWORD_WRONG', 'LINK_TOKEN_WRONG'] as const)(
    'keeps its key if %s follows a lost reply',
    async (code) => {
      const stranger = new ApiError('stranger', { code, status: 403 });
      const { sender, requests, read } = create([lost, stranger, 'completed']);
      await expect(sender.submit()).rejects.toBe(stranger);
      expect(read().creation).toMatchObject({ key: 'key 1' });
      await sender.submit();
      expect(requests).toEqual(Array(3).fill(created('key 1', 'completed', { dish: 'Soup' })));
    },
  );

  it('creates another response if the saved one was abandoned', async () => {
    const response = { id: 'r', resumeToken: 'token', revision: 2 };
    const { sender, requests } = create([gone, 'completed'], { response });
    await sender.submit();
    expect(requests).toEqual([
      updated('completed', { dish: 'Soup', taste: null }, 2),
      created('key 1', 'completed', { dish: 'Soup' }),
    ]);
  });

  it('waits for a save that is running', async () => {
    const { sender, requests } = create(['in_progress', 'completed']);
    await Promise.all([sender.save(), sender.submit()]);
    expect(requests).toMatchObject([{ status: 'in_progress' }, { status: 'completed', id: 'r' }]);
  });
});

describe('metadata', () => {
  const metadata = { source: 'mail', city: 'Rome' };
  const problems = (...paths: string[]) =>
    new ApiError('no', {
      code: 'VALIDATION_FAILED',
      status: 422,
      errors: paths.map((path) => ({ path, code: 'METADATA_NOT_ALLOWED', detail: 'no' })),
    });

  it('is sent with each request', async () => {
    const { sender, bodies } = create(['in_progress', 'completed'], { metadata });
    await sender.save();
    await sender.submit();
    expect(bodies).toMatchObject([{ metadata }, { metadata }]);
    const other = create(['completed']);
    await other.sender.submit();
    expect(other.bodies).toEqual([expect.not.objectContaining({ metadata: expect.anything() })]);
  });

  it.each([
    ['the named members', ['/metadata/source'], { city: 'Rome' }],
    ['all of it, if it is too large', ['/metadata'], undefined],
    ['all of it, if all are named', ['/metadata/source', '/metadata/city'], undefined],
  ])('that the survey rejects is left out: %s', async (_case, paths, left) => {
    const { sender, requests, bodies, read } = create([problems(...paths), 'completed'], { metadata });
    await sender.submit();
    expect(requests).toEqual(['key 1', 'key 2'].map((key) => created(key, 'completed', { dish: 'Soup' })));
    expect([bodies[1]?.metadata, read().metadata]).toEqual([left, left]);
  });

  it('that the survey rejects is left out of a saved response', async () => {
    const response = { id: 'r', resumeToken: 'token', revision: 2 };
    const { sender, bodies } = create([problems('/metadata/city'), 'completed'], { metadata, response });
    await sender.submit();
    expect(bodies).toMatchObject([{ metadata }, { metadata: { source: 'mail' } }]);
  });

  it('is kept for other errors', async () => {
    const { sender, read } = create([problems('/data/metadata'), problems('/metadata/city')], { metadata });
    await expect(sender.submit()).rejects.toMatchObject({ status: 422 });
    expect(read().metadata).toEqual(metadata);
    const without = create([problems('/metadata/city')]);
    await expect(without.sender.submit()).rejects.toMatchObject({ status: 422 });
  });
});

it('a save sends only valid answers', async () => {
  const { sender, requests } = create(['in_progress', 'in_progress'], { answers: { dish: 'Soup', taste: 99 } });
  await sender.save();
  await sender.save();
  expect(requests).toEqual([
    created('key 1', 'in_progress', { dish: 'Soup' }),
    updated('in_progress', { dish: 'Soup', taste: null }),
  ]);
});

it('a save names the revision that this device has seen', async () => {
  const conflict = new ApiError('changed', { code: 'PRECONDITION_FAILED', status: 412 });
  const { sender, change, requests, read } = create(['in_progress', 'in_progress', conflict]);
  await sender.save();
  change({ answers: { dish: 'Rice' } });
  await sender.save();
  expect(read().response).toMatchObject({ revision: 2, answers: { dish: 'Rice' } });
  await expect(sender.save()).rejects.toBe(conflict);
  expect(requests.slice(1)).toMatchObject([{ seen: 1 }, { seen: 2 }]);
  expect(read().response).toMatchObject({ revision: 2 });
});
