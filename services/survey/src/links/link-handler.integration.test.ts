import { randomUUID } from 'node:crypto';
import { LinkService } from '@survey/proto/survey/surveys/v1/link_service_pb';
import { invitationIdOf } from '@survey/runtime/auth/link-token';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService } from '../testing/test-survey-service.ts';

const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

let service: TestSurveyService;
let tenant: ReturnType<TestSurveyService['tenant']>;
let surveyId: string;

beforeAll(async () => {
  service = await startTestSurveyService();
});
beforeEach(async () => {
  tenant = service.tenant();
  surveyId = await tenant.createSurvey();
});
afterAll(() => service.close());

const post = (body: object = {}, headers = {}) =>
  tenant.call('POST', `/v1/surveys/${surveyId}/links`, { body, headers });

async function createLink(body: object = {}) {
  const created = await post(body);
  expect(created.status).toBe(201);
  return created.body;
}

const patch = (link: { id: string }, body: object, headers = {}) =>
  tenant.call('PATCH', `/v1/links/${link.id}`, { body, headers });
const find = (slug: string) => service.definitions.getLinkBySlug({ slug }, callOptionsFor({}));
const slugOf = ({ id: linkId }: { id: string }, tenantId: string = tenant.id) =>
  service.definitions.getLinkSlug({ linkId }, callOptionsFor({ claims: { tenantId } }));
const pathsOf = (body: { errors: { path: string }[] }) => [...new Set(body.errors.map(({ path }) => path))];

describe('links', () => {
  it('are returned as they were created', async () => {
    const given = { slug: `lunch-${randomUUID()}`, active: false, expires_at: TOMORROW, max_responses: 5 };
    const created = await post(given);
    const path = `/v1/links/${created.body.id}`;
    expect([created.status, created.headers.get('location'), created.headers.get('etag')]).toEqual([201, path, '"1"']);
    expect(created.body).toMatchObject({
      ...given,
      survey_id: surveyId,
      single_use: false,
      has_password: false,
      tokens: [],
      invitation_ids: [],
      created_by: 'user-1',
      updated_by: 'user-1',
    });
    const read = await tenant.call('GET', path);
    expect([read.body, read.headers.get('etag')]).toEqual([created.body, '"1"']);
  });

  it('are by default active, with an unguessable slug', async () => {
    const link = await createLink();
    expect(link).toMatchObject({ active: true, single_use: false });
    expect(link.slug).toMatch(/^[0-9a-z]{16}$/);
    expect(link).not.toHaveProperty('expires_at');
    expect(link).not.toHaveProperty('max_responses');
  });

  it('of a survey are listed newest first, with pagination', async () => {
    const made = [];
    for (let n = 0; n < 3; n += 1) made.unshift((await createLink()).id);
    await tenant.call('POST', `/v1/surveys/${await tenant.createSurvey()}/links`, { body: {} });
    const seen: string[] = [];
    let path: string | undefined = `/v1/surveys/${surveyId}/links?limit=2`;
    while (path !== undefined) {
      const page: Awaited<ReturnType<typeof tenant.call>> = await tenant.call('GET', path);
      seen.push(...page.body.map(({ id }: { id: string }) => id));
      path = /^<(.*)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(seen).toEqual(made);
  });

  it('are created once per Idempotency-Key, with the same tokens', async () => {
    const body = { single_use: true, token_count: 3, password: 'correct horse' };
    const headers = { 'idempotency-key': 'k' };
    const [first, second] = [await post(body, headers), await post(body, headers)];
    expect([second.status, second.body, second.headers.get('idempotency-replayed')]).toEqual([201, first.body, 'true']);
    expect(first.body.tokens).toHaveLength(3);
    expect(first.body.invitation_ids).toEqual(first.body.tokens.map(invitationIdOf));
    expect((await tenant.call('GET', `/v1/surveys/${surveyId}/links`)).body).toHaveLength(1);
    expect((await post({ ...body, password: 'another' }, headers)).body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('are returned with their tokens if the creation is repeated after a crash and the deletion of the survey', async () => {
    const headers = { 'idempotency-key': 'k' };
    const first = (await post({ single_use: true }, headers)).body;
    const used = service.db.collection('idempotency_keys');
    await used.updateOne({ tenant_id: tenant.id }, { $set: { answer: null } });
    await tenant.call('DELETE', `/v1/surveys/${surveyId}`);
    expect(await post({ single_use: true }, headers)).toMatchObject({ status: 201, body: { tokens: first.tokens } });
  });

  it('have their current ETag when the creation is repeated after a change', async () => {
    const headers = { 'idempotency-key': 'k' };
    const first = (await post({ single_use: true }, headers)).body;
    const used = service.db.collection('idempotency_keys');
    await used.updateOne({ tenant_id: tenant.id }, { $set: { answer: null } });
    await patch(first, { active: false });
    const repeated = await post({ single_use: true }, headers);
    expect([repeated.body, repeated.headers.get('etag')]).toMatchObject([
      { id: first.id, active: false, tokens: first.tokens },
      '"2"',
    ]);
  });

  it.each([
    ['a slug that is too short', { slug: 'ab' }, 422, '/slug'],
    ['a slug that is too long', { slug: 'a'.repeat(65) }, 422, '/slug'],
    ['a slug that is too long with its hyphens', { slug: `${'a-'.repeat(40)}a` }, 422, '/slug'],
    ['capitals in the slug', { slug: 'Lunch' }, 422, '/slug'],
    ['two hyphens together', { slug: 'lu--nch' }, 422, '/slug'],
    ['a hyphen at the end', { slug: 'lunch-' }, 422, '/slug'],
    ['a slash in the slug', { slug: 'lu/nch' }, 422, '/slug'],
    ['a time that has passed', { expires_at: '2020-01-01T00:00:00Z' }, 422, '/expires_at'],
    ['an invalid time', { expires_at: 'tomorrow' }, 400, '/expires_at'],
    ['no responses at all', { max_responses: 0 }, 422, '/max_responses'],
    ['tokens for a link that is not single-use', { token_count: 1 }, 422, '/token_count'],
    ['no tokens', { single_use: true, token_count: 0 }, 422, '/token_count'],
    ['too many tokens', { single_use: true, token_count: 1_001 }, 422, '/token_count'],
    ['a password that is too short', { password: 'abc' }, 422, '/password'],
    ['a password that is too long', { password: 'a'.repeat(129) }, 422, '/password'],
    ['a password that no header carries', { password: 'пароль' }, 422, '/password'],
    ['a space after the password', { password: 'secret ' }, 422, '/password'],
    ['an unknown member', { tokens: ['x'] }, 400, '/tokens'],
  ])('are rejected with %s', async (_case, body, status, path) => {
    const rejected = await post(body);
    expect([rejected.status, pathsOf(rejected.body)]).toEqual([status, [path]]);
    expect((await tenant.call('GET', `/v1/surveys/${surveyId}/links`)).body).toEqual([]);
  });

  it.each([
    ['there is not', async () => randomUUID()],
    [
      'is deleted',
      async () => {
        await tenant.call('DELETE', `/v1/surveys/${surveyId}`);
        return surveyId;
      },
    ],
    ['is of another tenant', async () => service.tenant().createSurvey()],
  ])('are neither created nor listed for a survey that %s', async (_case, idOf) => {
    const path = `/v1/surveys/${await idOf()}/links`;
    for (const [method, request] of [
      ['POST', { body: {} }],
      ['GET', {}],
    ] as const) {
      const { status, body } = await tenant.call(method, path, request);
      expect([status, body.code]).toEqual([404, 'SURVEY_NOT_FOUND']);
    }
  });

  it('of another tenant are not found', async () => {
    const { id } = await createLink({ single_use: true });
    const stranger = service.tenant();
    for (const [method, path, request] of [
      ['GET', '', {}],
      ['PATCH', '', { body: { active: false } }],
      ['PATCH', '', { body: { password: 'secret' } }],
      ['POST', '/tokens', { body: {} }],
      ['DELETE', '', {}],
    ] as const) {
      const { status, body } = await stranger.call(method, `/v1/links/${id}${path}`, request);
      expect([status, body.code]).toEqual([404, 'LINK_NOT_FOUND']);
    }
  });
});

describe('metadata of a link', () => {
  const fields = [
    { name: 'campaign', type: 'string', max_length: 20, from: ['url', 'link'] },
    { name: 'wave', type: 'number', from: ['link'] },
    { name: 'contact', type: 'string', from: ['token'] },
  ];
  const declare = async (metadata_fields: readonly object[]) =>
    expect(
      (await tenant.call('PATCH', `/v1/surveys/${surveyId}`, { body: { settings: { metadata_fields } } })).status,
    ).toBe(200);
  beforeEach(() => declare(fields));

  it('has the types of the fields, and reaches the response service', async () => {
    const link = await createLink({ metadata: { campaign: 'spring', wave: '2' } });
    const expected = { campaign: 'spring', wave: 2 };
    const read = [
      link,
      (await tenant.call('GET', `/v1/links/${link.id}`)).body,
      (await tenant.call('GET', `/v1/surveys/${surveyId}/links`)).body[0],
      await find(link.slug),
    ];
    for (const { metadata } of read) expect(metadata).toEqual(expected);
    for (const none of [await createLink(), await createLink({ metadata: {} })])
      expect(none).not.toHaveProperty('metadata');
  });

  it('is changed by a merge patch, and an equal patch changes nothing', async () => {
    const link = await createLink({ metadata: { campaign: 'spring', wave: 2 } });
    const changed = await patch(link, { metadata: { campaign: 'autumn', wave: null } });
    expect([changed.body.metadata, changed.headers.get('etag')]).toEqual([{ campaign: 'autumn' }, '"2"']);
    for (const body of [{ metadata: { campaign: 'autumn', wave: null } }, { metadata: {} }, { active: true }]) {
      const same = await patch(link, body);
      expect([same.body.metadata, same.headers.get('etag')]).toEqual([{ campaign: 'autumn' }, '"2"']);
    }
    await patch(link, { max_responses: 5 });
    expect((await find(link.slug)).metadata).toEqual({ campaign: 'autumn' });
    for (const metadata of [null, null]) {
      const none = await patch(link, { metadata });
      expect([none.body.metadata, none.headers.get('etag')]).toEqual([undefined, '"4"']);
    }
  });

  it('stays when its field is no longer declared, and can then only be removed', async () => {
    const link = await createLink({ metadata: { campaign: 'spring', wave: 2 } });
    await declare([]);
    expect((await find(link.slug)).metadata).toEqual({ campaign: 'spring', wave: 2 });
    expect((await patch(link, { metadata: { wave: 3 } })).body.errors).toMatchObject([
      { path: '/metadata/wave', code: 'UNKNOWN_MEMBER' },
    ]);
    expect((await patch(link, { metadata: { wave: null } })).body.metadata).toEqual({ campaign: 'spring' });
  });

  it.each([
    ['an undeclared field', { colour: 'red' }, '/metadata/colour', 'UNKNOWN_MEMBER'],
    ['a field of tokens', { contact: 'c-1' }, '/metadata/contact', 'METADATA_NOT_ALLOWED'],
    ['a wrong type', { wave: 'two' }, '/metadata/wave', 'WRONG_TYPE'],
    ['a nested value', { campaign: { name: 'spring' } }, '/metadata/campaign', 'WRONG_TYPE'],
    ['a text that is too long', { campaign: 'x'.repeat(21) }, '/metadata/campaign', 'TOO_LONG'],
  ])('is rejected with %s', async (_case, metadata, path, code) => {
    const link = await createLink();
    for (const rejected of [await post({ metadata }), await patch(link, { metadata })])
      expect(rejected).toMatchObject({ status: 422, body: { errors: [{ path, code }] } });
    expect((await tenant.call('GET', `/v1/links/${link.id}`)).body).toEqual(link);
  });

  it('has at most 4 KiB together', async () => {
    await declare(['one', 'two'].map((name) => ({ name, type: 'string', from: ['link'] })));
    const half = 'x'.repeat(2_060);
    const errors = [{ path: '/metadata', code: 'TOO_LARGE' }];
    expect((await post({ metadata: { one: half, two: half } })).body).toMatchObject({ errors });
    const link = await createLink({ metadata: { one: half } });
    expect((await patch(link, { metadata: { two: half } })).body).toMatchObject({ errors });
  });

  it('is in no collection in plain text, and in no event', async () => {
    const marker = `marker-${randomUUID().slice(0, 8)}`;
    const headers = { 'idempotency-key': 'k' };
    const link = await post({ metadata: { campaign: marker } }, headers);
    await patch(link.body, { metadata: { campaign: `${marker}2` } });
    await patch(link.body, { metadata: null });
    for (const { name } of await service.db.listCollections().toArray())
      for await (const document of service.db.collection(name).find({}, { raw: true }))
        expect(Buffer.from(document as unknown as Uint8Array).includes(marker)).toBe(false);
  });
});

describe('a slug', () => {
  it('goes to one of 50 tenants that request it at the same time', async () => {
    const slug = `race-${randomUUID()}`;
    const claims = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const claimant = service.tenant();
        const survey = await claimant.createSurvey();
        return claimant.call('POST', `/v1/surveys/${survey}/links`, { body: { slug } });
      }),
    );
    const rejected = claims.filter(({ status }) => status !== 201);
    expect(rejected.map(({ status, body }) => [status, body.code, pathsOf(body)])).toEqual(
      Array(49).fill([409, 'SLUG_TAKEN', ['/slug']]),
    );
    const winner = claims.find(({ status }) => status === 201);
    expect((await find(slug)).linkId).toBe(winner?.body.id);
  });

  it('can be changed to a free one; the former one still finds the link', async () => {
    const [slug, other] = [`first-${randomUUID()}`, `second-${randomUUID()}`];
    const link = await createLink({ slug });
    expect((await patch(link, { slug: other })).body.slug).toBe(other);
    // The former slug finds the link, and no other tenant can take it.
    expect(await find(slug)).toMatchObject({ linkId: link.id, slug: other });
    expect(await find(other)).toMatchObject({ linkId: link.id, slug: other });
    const theirs = service.tenant();
    const path = `/v1/surveys/${await theirs.createSurvey()}/links`;
    expect((await theirs.call('POST', path, { body: { slug } })).body.code).toBe('SLUG_TAKEN');
    expect(await slugOf(link)).toMatchObject({ slug: other });
    await expect(slugOf(link, randomUUID())).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
    const second = await createLink({ slug });
    expect((await patch(second, { slug: other })).body.code).toBe('SLUG_TAKEN');
    expect((await patch(second, { slug: null })).status).toBe(422);
  });

  it('can be taken back by its tenant as soon as its link is deleted', async () => {
    const slug = `gone-${randomUUID()}`;
    const link = await createLink({ slug });
    expect((await tenant.call('DELETE', `/v1/links/${link.id}`)).status).toBe(204);
    expect((await tenant.call('GET', `/v1/links/${link.id}`)).body.code).toBe('LINK_NOT_FOUND');
    await expect(slugOf(link)).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
    await createLink({ slug });
  });
});

describe('updating a link', () => {
  it('keeps members that are missing, and clears those that are null', async () => {
    const link = await createLink({ expires_at: TOMORROW, max_responses: 5, password: 'secret' });
    const off = await patch(link, { active: false });
    expect(off.body).toEqual({ ...link, active: false, updated_at: expect.any(String) });
    expect(off.headers.get('etag')).toBe('"2"');
    const cleared = (await patch(link, { expires_at: null, max_responses: null, password: null })).body;
    expect(cleared).toMatchObject({ active: false, slug: link.slug, has_password: false });
    expect(cleared).not.toHaveProperty('expires_at');
    expect(cleared).not.toHaveProperty('max_responses');
  });

  it.each([{}, { active: true, expires_at: TOMORROW }, { max_responses: null, password: null }])(
    'changes nothing that asks for no more than %j',
    async (body) => {
      const link = await createLink({ expires_at: TOMORROW });
      const same = await patch(link, body);
      expect([same.body, same.headers.get('etag')]).toEqual([link, '"1"']);
    },
  );

  it('over gRPC changes only what the mask names', async () => {
    const link = await createLink();
    const slug = `lunch-${randomUUID()}`;
    const claims = { tenantId: tenant.id, subject: 'user-1', permissions: ['links:write'] };
    const request = { linkId: link.id, updateMask: { paths: ['slug'] }, slug, active: false };
    const changed = await service.connections.gateway
      .client(LinkService)
      .updateLink(request, callOptionsFor({ claims }));
    expect(changed.link).toMatchObject({ slug, active: true });
  });

  it('with the same password is a change, so respondents must enter it again', async () => {
    const link = await createLink({ password: 'correct horse' });
    expect((await patch(link, { password: 'correct horse' })).headers.get('etag')).toBe('"2"');
  });

  it.each([
    ['null for a boolean', { active: null }, 422, '/active'],
    ['a bad slug', { slug: '-' }, 422, '/slug'],
    ['a password that is too short', { password: 'abc' }, 422, '/password'],
    ['an immutable member', { single_use: true }, 400, '/single_use'],
  ])('is rejected with %s', async (_case, body, status, path) => {
    const link = await createLink();
    const rejected = await patch(link, body);
    expect([rejected.status, pathsOf(rejected.body)]).toEqual([status, [path]]);
    expect((await tenant.call('GET', `/v1/links/${link.id}`)).body).toEqual(link);
  });

  it('requires the revision of If-Match, like new tokens and deletion', async () => {
    const link = await createLink({ single_use: true });
    const headers = { 'if-match': '"1"' };
    expect((await patch(link, { active: false }, headers)).status).toBe(200);
    const late = [
      await patch(link, { active: true }, headers),
      await tenant.call('POST', `/v1/links/${link.id}/tokens`, { body: {}, headers }),
      await tenant.call('DELETE', `/v1/links/${link.id}`, { headers }),
    ];
    expect(late.map(({ body }) => body.code)).toEqual(Array(3).fill('PRECONDITION_FAILED'));
    expect((await tenant.call('DELETE', `/v1/links/${link.id}`, { headers: { 'if-match': '"2"' } })).status).toBe(204);
  });

  it('returns the same tokens when it is repeated with its If-Match, even after a crash', async () => {
    const link = await createLink({ single_use: true });
    const make = (key: string, tag: string) =>
      tenant.call('POST', `/v1/links/${link.id}/tokens`, {
        body: { count: 2 },
        headers: { 'idempotency-key': key, 'if-match': tag },
      });
    const first = await make('k-1', '"1"');
    const used = service.db.collection('idempotency_keys');
    await used.updateMany({ tenant_id: tenant.id }, { $set: { answer: null } });
    const repeated = await make('k-1', '"1"');
    expect([repeated.status, repeated.body]).toEqual([201, first.body]);
    const together = await Promise.all([1, 2, 3, 4].map(() => make('k-2', '"2"')));
    expect(new Set(together.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    expect((await make('k-3', '"2"')).body.code).toBe('PRECONDITION_FAILED');
  });
});
