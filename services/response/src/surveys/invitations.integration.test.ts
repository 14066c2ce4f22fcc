import { randomBytes, randomUUID } from 'node:crypto';
import { InvitationService } from '@survey/proto/survey/responses/v1/invitation_service_pb';
import { invitationIdOf, toLinkTokens } from '@survey/runtime/auth/link-token';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SurveyWalkDocument } from '../retention/retention-store.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';
import type { InvitationDocument } from './invitation-store.ts';
import type { LinkDocument } from './link-store.ts';

let app: TestApp;
let connection: ServiceConnection;

const data = { ate: 'yes', taste: 4 };
const tokenKey = randomBytes(32);

async function connect(): Promise<void> {
  connection = await app.keys.connectAs('survey', 'response', `127.0.0.1:${app.ports().grpcPort}`);
}

beforeAll(async () => {
  app = await startResponseApp();
  await connect();
});
afterAll(async () => {
  connection.close();
  await app.close();
});

const invitations = () => app.db.collection<InvitationDocument>('invitations');
const walks = () => app.db.collection<SurveyWalkDocument>('survey_walks');

type Link = ReturnType<typeof newLink>;

function newLink(metadata: TestLinkMetadata = {}, survey = app.survey.add()) {
  const [token = '', otherToken = ''] = toLinkTokens(tokenKey, randomUUID(), 2);
  return { ...app.survey.addLink(survey, { singleUse: true, tokenKey, ...metadata }), token, otherToken };
}

type TestLinkMetadata = { readonly metadata?: { readonly campaign: string; readonly wave: number } };

async function invite({ tenantId, surveyId, linkId, token }: Link, metadata: object, change: object = {}) {
  const invitation = { id: invitationIdOf(token), metadata: JSON.stringify(metadata) };
  const request = { surveyId, linkId, invitations: [invitation], ...change };
  await connection.client(InvitationService).storeInvitations(request, callOptionsFor({ claims: { tenantId } }));
}

const submit = ({ slug, token }: Pick<Link, 'slug' | 'token'>, body: object = { data }) =>
  app.call('POST', `/v1/public/links/${slug}/responses`, { body, headers: { 'link-token': token } });

const metadataOf = async ({ tenantId }: Link, id: string) =>
  (await app.call('GET', `/v1/responses/${id}`, { tenantId })).body.metadata;

async function walk(): Promise<void> {
  const { completed_at } = await poll(() => walks().findOne({ completed_at: { $ne: null } }));
  await walks().updateOne({}, { $set: { next_at: new Date(0) } });
  await poll(() => walks().findOne({ completed_at: { $gt: completed_at ?? new Date() } }));
}

describe('metadata of a token', () => {
  it('goes before that of the link, and that before that of the request; nobody is shown it', async () => {
    const link = newLink({ metadata: { campaign: 'link', wave: 1 } });
    await invite(link, { contact: 'token', campaign: 'token' });
    const request = { contact: 'request', campaign: 'request', wave: 9, seat: 'request' };
    const { status, body } = await submit(link, { data, metadata: request });
    expect(status).toBe(201);
    const expected = { contact: 'token', campaign: 'token', wave: 1, seat: 'request' };
    expect(await metadataOf(link, body.id)).toEqual(expected);
    const other = await submit({ ...link, token: link.otherToken }, { data, metadata: request });
    expect(await metadataOf(link, other.body.id)).toEqual({ ...request, campaign: 'link', wave: 1 });
  });

  it.each([
    [
      { contact: 'request', seat: 2 },
      { contact: 'token', seat: 2 },
    ],
    [{ contact: null }, { contact: 'token', seat: 1 }],
    [null, { contact: 'token' }],
  ])('stays when the respondent saves the metadata %j, and is not shown', async (metadata, expected) => {
    const link = newLink();
    await invite(link, { contact: 'token' });
    const begun = await submit(link, { status: 'in_progress', data: {}, metadata: { seat: 1 } });
    const { id, resume_token } = begun.body;
    const headers = { 'resume-token': resume_token };
    const save = (body: object) => app.call('PATCH', `/v1/public/responses/${id}`, { headers, body });
    const saved = await save({ metadata });
    expect(saved.status).toBe(200);
    const visited = await app.call('GET', `/v1/public/links/${link.slug}`, { headers: { 'link-token': link.token } });
    const read = await app.call('GET', `/v1/public/responses/${id}`, { headers });
    expect(JSON.stringify([begun, saved, visited, read].map(({ body }) => body))).not.toContain('"token"');
    const completion = { status: 'completed', data, metadata };
    const finished = await save(completion);
    expect([finished.status, await metadataOf(link, id)]).toEqual([200, expected]);
    expect((await save(completion)).body).toEqual(finished.body);
  });

  it('is of a field that a request cannot set, unless it is from url too; then the token goes before it', async () => {
    const fields = [
      { name: 'contact', type: 'string', from: ['token'] },
      { name: 'campaign', type: 'string', from: ['url', 'token'] },
    ] as const;
    const link = newLink({}, app.survey.add({ settings: { metadataFields: fields } }));
    await invite(link, { contact: 'token', campaign: 'token' });
    const refused = { status: 422, body: { code: 'METADATA_NOT_ALLOWED', errors: [{ path: '/metadata/contact' }] } };
    expect(await submit(link, { data, metadata: { contact: 'request' } })).toMatchObject(refused);
    const begun = await submit(link, { status: 'in_progress', data, metadata: { campaign: 'request' } });
    const { id, resume_token } = begun.body;
    const save = (metadata: object | null) =>
      app.call('PATCH', `/v1/public/responses/${id}`, {
        headers: { 'resume-token': resume_token },
        body: { metadata },
      });
    expect(await save({ contact: null })).toMatchObject(refused);
    expect(await save(null)).toMatchObject({ status: 422, body: { code: 'METADATA_NOT_ALLOWED' } });
    expect((await save({ campaign: 'later' })).status).toBe(200);
    expect(await metadataOf(link, id)).toEqual({ contact: 'token', campaign: 'token' });
  });

  it('needs no other service, even after a restart', async () => {
    const link = newLink();
    expect(
      (await app.call('GET', `/v1/public/links/${link.slug}`, { headers: { 'link-token': link.token } })).status,
    ).toBe(200);
    await invite(link, { contact: 'c-1' });
    await app.withoutSurvey(async () => {
      await app.restart();
      connection.close();
      await connect();
      const { body } = await submit(link);
      expect(await metadataOf(link, body.id)).toEqual({ contact: 'c-1' });
    });
  });

  it('stays the first one when it is stored again', async () => {
    const link = newLink();
    for (const contact of ['c-1', 'c-2']) await invite(link, { contact });
    expect(await invitations().countDocuments({ link_id: link.linkId })).toBe(1);
    const { body } = await submit(link);
    expect(await metadataOf(link, body.id)).toEqual({ contact: 'c-1' });
  });

  it('is bound to its invitation, and never stored in plain text, nor with its token', async () => {
    const link = newLink();
    const another = newLink({}, app.survey.add({ tenantId: link.tenantId }));
    await invite(link, { contact: 'marker-of-a-contact' });
    await invite(another, { contact: 'c-2' });
    await submit(link);
    for (const { name } of await app.db.listCollections().toArray())
      for await (const document of app.db.collection(name).find({}, { raw: true })) {
        const bytes = Buffer.from(document as unknown as Uint8Array);
        for (const secret of ['marker', ...link.token.split('.')]) expect(bytes.includes(secret)).toBe(false);
      }
    const stored = await invitations().findOne({ _id: invitationIdOf(link.token) });
    const moved = { $set: { metadata: stored?.metadata } };
    await invitations().updateOne({ _id: invitationIdOf(another.token) }, moved as object);
    expect((await submit(another)).status).toBe(500);
  });

  it.each([
    ['a survey of another tenant', { surveyId: undefined }, 'SURVEY_NOT_FOUND'],
    ['no invitations', { invitations: [] }, 'VALIDATION_FAILED'],
    ['metadata that is no object', { invitations: [{ id: randomUUID(), metadata: '[]' }] }, 'VALIDATION_FAILED'],
  ])('is not stored for %s', async (_case, change, code) => {
    const link = newLink();
    const surveyId = 'surveyId' in change ? app.survey.add().surveyId : link.surveyId;
    await expect(invite(link, { contact: 'c-1' }, { ...change, surveyId })).rejects.toMatchObject({ code });
    expect(await invitations().countDocuments({ link_id: link.linkId })).toBe(0);
  });
});

describe('the metadata of a link', () => {
  it('is deleted with it under each slug, though nobody visited it', async () => {
    const survey = app.survey.add();
    const [kept, deleted] = [1, 2].map((wave) => newLink({ metadata: { campaign: 'link', wave } }, survey)) as [
      Link,
      Link,
    ];
    const slugs = { before: deleted.slug, after: randomUUID() };
    for (const link of [kept, deleted]) expect((await submit(link)).status).toBe(201);
    app.survey.setLink(slugs.before, { slug: slugs.after });
    expect((await submit({ slug: slugs.after, token: deleted.otherToken })).status).toBe(201);
    const left = ({ linkId }: Link) =>
      app.db.collection<LinkDocument>('links').countDocuments({ link_id: linkId, metadata: { $ne: null } });
    expect([await left(kept), await left(deleted)]).toEqual([1, 2]);
    app.survey.removeLink(slugs.after);
    await walk();
    expect([await left(kept), await left(deleted)]).toEqual([1, 0]);
  });
});

describe('invitations', () => {
  const left = ({ linkId }: Link) => invitations().countDocuments({ link_id: linkId });

  it('are deleted with their link, though nobody visited it', async () => {
    const survey = app.survey.add();
    const [kept, deleted] = [newLink({}, survey), newLink({}, survey)];
    for (const link of [kept, deleted]) await invite(link, { contact: 'c-1' });
    app.survey.removeLink(deleted.slug);
    await walk();
    expect([await left(kept), await left(deleted)]).toEqual([1, 0]);
  });

  it('stay while the survey service is unavailable', async () => {
    const link = newLink();
    await invite(link, { contact: 'c-1' });
    await app.survey.stop();
    await walks().updateOne({}, { $set: { next_at: new Date(0) } });
    await app.survey.start();
    await walk();
    expect(await left(link)).toBe(1);
  });

  it('are deleted with their purged survey, and others are not', async () => {
    const [kept, purged] = [newLink(), newLink()];
    for (const link of [kept, purged]) await invite(link, { contact: 'c-1' });
    app.survey.set(purged.surveyId, { status: 'deleted', isPurged: true });
    await walk();
    expect([await left(kept), await left(purged)]).toEqual([1, 0]);
  });
});
