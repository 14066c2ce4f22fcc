import { randomBytes, randomUUID } from 'node:crypto';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { invitationIdOf, isLinkToken } from '@survey/runtime/auth/link-token';
import { createPasswordHasher } from '@survey/runtime/auth/password-hash';
import { toTenantId } from '@survey/runtime/auth/tenant-id';
import type { EncryptedRecord } from '@survey/runtime/crypto/tenant-cipher';
import { callOptionsFor } from '@survey/runtime/rpc/service-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestSurveyService, type TestSurveyService } from '../testing/test-survey-service.ts';
import { createLinkSecrets } from './link-secrets.ts';

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

async function createLink(body: object, headers = {}) {
  const created = await tenant.call('POST', `/v1/surveys/${surveyId}/links`, { body, headers });
  expect(created.status).toBe(201);
  return created.body;
}

const find = (slug: string) => service.definitions.getLinkBySlug({ slug }, callOptionsFor({}));

describe('tokens of a single-use link', () => {
  it('can be verified with the key that the response service gets', async () => {
    const link = await createLink({ single_use: true, token_count: 1_000 });
    const { tokenKey, singleUse } = await find(link.slug);
    expect([singleUse, tokenKey.length, new Set(link.tokens).size]).toEqual([true, 32, 1_000]);
    expect(link.tokens.every((token: string) => isLinkToken(tokenKey, token))).toBe(true);
    expect((await tenant.call('GET', `/v1/links/${link.id}`)).body.tokens).toEqual([]);
  });

  it('are one by default; more can be created, once per Idempotency-Key', async () => {
    const link = await createLink({ single_use: true });
    const more = (body: object, headers = {}) => tenant.call('POST', `/v1/links/${link.id}/tokens`, { body, headers });
    const keyed = { 'idempotency-key': 'k' };
    const [one, two, first, second] = [
      await more({}),
      await more({ count: 2 }),
      await more({ count: 3 }, keyed),
      await more({ count: 3 }, keyed),
    ];
    expect([one.status, one.headers.get('location')]).toEqual([201, `/v1/links/${link.id}`]);
    expect([second.body, second.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    const all = [...link.tokens, ...one.body.tokens, ...two.body.tokens, ...first.body.tokens];
    expect(new Set(all).size).toBe(1 + 1 + 2 + 3);
    const { tokenKey, revision } = await find(link.slug);
    expect([all.every((token) => isLinkToken(tokenKey, token)), revision]).toEqual([true, 4]);
  });

  it.each([
    ['of a link that is not single-use', { single_use: false }, {}, 409],
    ['none at all', { single_use: true }, { count: 0 }, 422],
    ['more than 1,000', { single_use: true }, { count: 1_001 }, 422],
  ])('cannot be created: %s', async (_case, given, body, status) => {
    const link = await createLink(given);
    expect((await tenant.call('POST', `/v1/links/${link.id}/tokens`, { body })).status).toBe(status);
    expect((await tenant.call('GET', `/v1/links/${link.id}`)).headers.get('etag')).toBe('"1"');
  });
});

describe('tokens with recipients', () => {
  const metadata_fields = [
    { name: 'contact', type: 'string', from: ['url', 'token'] },
    { name: 'wave', type: 'number', from: ['token'] },
    { name: 'campaign', type: 'string', from: ['link'] },
  ];
  const declare = (fields: readonly object[]) =>
    tenant.call('PATCH', `/v1/surveys/${surveyId}`, { body: { settings: { metadata_fields: fields } } });
  const create = (linkId: string, body: object, headers = {}) =>
    tenant.call('POST', `/v1/links/${linkId}/tokens`, { body, headers });
  const storedOf = (linkId: string) => [...service.invitations.stored.values()].filter((one) => one.linkId === linkId);
  beforeEach(async () => {
    service.invitations.isAvailable = true;
    expect((await declare(metadata_fields)).status).toBe(200);
  });

  it('are in the order of the recipients, whose metadata is stored before the reply', async () => {
    const link = await createLink({ single_use: true });
    const contacts = Array.from({ length: 1_000 }, (_, index) => `contact ${index}`);
    const { status, body } = await create(link.id, {
      recipients: contacts.map((contact) => ({ metadata: { contact } })),
    });
    expect([status, body.tokens.length]).toEqual([201, 1_000]);
    expect(body.invitation_ids).toEqual(body.tokens.map(invitationIdOf));
    const common = { tenantId: tenant.id, surveyId, linkId: link.id };
    expect(body.invitation_ids.map((id: string) => service.invitations.stored.get(id))).toEqual(
      contacts.map((contact) => ({ ...common, metadata: { contact } })),
    );
    const { tokenKey } = await find(link.slug);
    expect(body.tokens.every((token: string) => isLinkToken(tokenKey, token))).toBe(true);
  });

  it('have converted values, and none if there are none', async () => {
    const link = await createLink({ single_use: true });
    const recipients = [{ metadata: { wave: '2', contact: null } }, {}, { metadata: {} }];
    const { body } = await create(link.id, { recipients });
    expect(body.tokens).toHaveLength(3);
    expect(storedOf(link.id).map(({ metadata }) => metadata)).toEqual([{ wave: 2 }]);
    expect((await create(link.id, { recipients: [] })).body.tokens).toHaveLength(1);
  });

  it('are created once per Idempotency-Key, even after a crash', async () => {
    const link = await createLink({ single_use: true });
    const body = { recipients: [{ metadata: { contact: 'c-1' } }, { metadata: { contact: 'c-2' } }] };
    const headers = { 'idempotency-key': 'k' };
    const first = await create(link.id, body, headers);
    await service.db.collection('idempotency_keys').updateMany({ tenant_id: tenant.id }, { $set: { answer: null } });
    expect((await create(link.id, body, headers)).body).toEqual(first.body);
    expect(storedOf(link.id)).toHaveLength(2);
    const other = await create(link.id, { recipients: [{ metadata: { contact: 'c-3' } }] }, headers);
    expect(other.body.code).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('are not created while the response service is unavailable; others are', async () => {
    const link = await createLink({ single_use: true });
    const body = { recipients: [{ metadata: { contact: 'c-1' } }] };
    const headers = { 'idempotency-key': 'k', 'if-match': '"1"' };
    service.invitations.isAvailable = false;
    const failed = await create(link.id, body, headers);
    expect([failed.status, failed.body.code, failed.headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '1']);
    expect((await tenant.call('GET', `/v1/links/${link.id}`)).headers.get('etag')).toBe('"1"');
    service.invitations.isAvailable = true;
    const made = await create(link.id, body, headers);
    expect([made.status, storedOf(link.id).length]).toEqual([201, 1]);
    service.invitations.isAvailable = false;
    expect((await create(link.id, body, headers)).body).toEqual(made.body);
    expect((await create(link.id, { count: 2 })).status).toBe(201);
  });

  it.each([
    ['an undeclared field', [{}, { metadata: { seat: 1 } }], '/recipients/1/metadata/seat', 'UNKNOWN_MEMBER'],
    ['a field of links', [{ metadata: { campaign: 'x' } }], '/recipients/0/metadata/campaign', 'METADATA_NOT_ALLOWED'],
    ['a wrong type', [{ metadata: { wave: 'two' } }], '/recipients/0/metadata/wave', 'WRONG_TYPE'],
    ['too much', [{ metadata: { contact: 'x'.repeat(4_096) } }], '/recipients/0/metadata', 'TOO_LARGE'],
    ['more than 1,000', Array.from({ length: 1_001 }, () => ({})), '/recipients', 'TOO_MANY'],
  ])('are rejected with %s', async (_case, recipients, path, code) => {
    const link = await createLink({ single_use: true });
    expect(await create(link.id, { recipients })).toMatchObject({ status: 422, body: { errors: [{ path, code }] } });
    expect([storedOf(link.id), (await find(link.slug)).revision]).toEqual([[], 1]);
  });

  it('are rejected beside a count, for other links, and for a deleted survey', async () => {
    const recipients = [{ metadata: { contact: 'c-1' } }];
    const link = await createLink({ single_use: true });
    expect(await create(link.id, { count: 1, recipients })).toMatchObject({
      status: 422,
      body: { errors: [{ path: '/count', code: 'INVALID', detail: 'count cannot be combined with recipients' }] },
    });
    expect((await create((await createLink({})).id, { recipients })).body.code).toBe('STATE_CONFLICT');
    await tenant.call('DELETE', `/v1/surveys/${surveyId}`);
    expect((await create(link.id, { recipients })).body.code).toBe('SURVEY_NOT_FOUND');
  });

  it('report at most 100 problems', async () => {
    const link = await createLink({ single_use: true });
    const recipients = Array.from({ length: 200 }, () => ({ metadata: { wave: 'two' } }));
    expect((await create(link.id, { recipients })).body.errors).toHaveLength(100);
  });

  it('leave no metadata in this service', async () => {
    const link = await createLink({ single_use: true });
    const body = { recipients: [{ metadata: { contact: 'marker-of-a-contact' } }] };
    expect((await create(link.id, body, { 'idempotency-key': 'k' })).status).toBe(201);
    for (const { name } of await service.db.listCollections().toArray())
      for await (const document of service.db.collection(name).find({}, { raw: true }))
        expect(Buffer.from(document as unknown as Uint8Array).includes('marker')).toBe(false);
  });
});

describe('the links of a tenant', () => {
  it('are found by their ids, without deleted ones and those of other tenants', async () => {
    const [kept, deleted] = [await createLink({}), await createLink({})];
    await tenant.call('DELETE', `/v1/links/${deleted.id}`);
    const linkIds = [kept.id, deleted.id, randomUUID()];
    const ask = (tenantId: string) =>
      service.definitions.findLinks({ linkIds }, callOptionsFor({ claims: { tenantId } }));
    expect([(await ask(tenant.id)).linkIds, (await ask(randomUUID())).linkIds]).toEqual([[kept.id], []]);
  });
});

describe('secrets of a link', () => {
  it('reach only the response service, the password as a hash', async () => {
    const link = await createLink({ password: 'correct horse', single_use: true });
    const { isPassword } = createPasswordHasher();
    const { passwordHash } = await find(link.slug);
    expect(await isPassword(passwordHash ?? '', 'correct horse')).toBe(true);
    await tenant.call('PATCH', `/v1/links/${link.id}`, { body: { password: 'battery staple' } });
    const changed = await find(link.slug);
    expect(await isPassword(changed.passwordHash ?? '', 'battery staple')).toBe(true);
    const read = JSON.stringify((await tenant.call('GET', `/v1/links/${link.id}`)).body);
    for (const secret of ['scrypt', 'horse', 'staple', ...link.tokens]) expect(read).not.toContain(secret);
  });

  it('are hashed for each tenant in turn, so that one with many passwords does not delay others', async () => {
    const order: string[] = [];
    const secrets = createLinkSecrets({
      envelope: { encrypt: async () => ({}) as EncryptedRecord, decrypt: async () => new Uint8Array() },
      passwords: {
        async hashPassword(password) {
          order.push(password);
          return '';
        },
      },
      randomBytes,
    });
    const hash = (tenantId: string, password: string) => secrets.sealPassword(toTenantId(tenantId), 'link', password);
    const many = Promise.allSettled(Array.from({ length: 40 }, (_, index) => hash('busy', `busy ${index}`)));
    await hash('other', 'other');
    expect(order.indexOf('other')).toBeLessThan(3);
    const rejected = (await many).filter(({ status }) => status === 'rejected');
    expect(rejected.length).toBeGreaterThan(0);
    for (const one of rejected) expect(one).toMatchObject({ reason: { code: 'OVERLOADED' } });
  });

  it('are in no collection in plain text, also not in stored replies and events', async () => {
    const headers = { 'idempotency-key': 'k' };
    const link = await createLink({ password: 'correct horse', single_use: true }, headers);
    const { tokenKey } = await find(link.slug);
    const spellings = [tokenKey, ...link.tokens, 'correct horse', '$scrypt$'].flatMap((secret) => {
      const bytes = Buffer.from(secret);
      return [bytes.toString('latin1'), bytes.toString('base64')];
    });
    for (const { name } of await service.db.listCollections().toArray()) {
      for await (const document of service.db.collection(name).find({}, { raw: true })) {
        const bytes = Buffer.from(document as unknown as Uint8Array).toString('latin1');
        expect(spellings.filter((spelling) => bytes.includes(spelling))).toEqual([]);
      }
    }
  });
});

describe('a link by its slug', () => {
  it('has everything that the response service needs to check access', async () => {
    const link = await createLink({ expires_at: TOMORROW, max_responses: 5, active: false });
    const { expiresAt, ...found } = await find(link.slug);
    expect(found).toMatchObject({
      linkId: link.id,
      tenantId: tenant.id,
      surveyId,
      active: false,
      maxResponses: 5,
      singleUse: false,
      revision: 1,
    });
    expect([expiresAt && timestampDate(expiresAt).toISOString(), found.tokenKey.length]).toEqual([TOMORROW, 0]);
    expect(found.passwordHash).toBeUndefined();
  });

  it('is not found if unknown', async () => {
    await expect(find('nobody-has-this')).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
  });

  it('is not available over REST', async () => {
    const { slug } = await createLink({});
    expect((await tenant.call('GET', `/v1/links/${slug}`)).status).toBe(404);
  });
});
