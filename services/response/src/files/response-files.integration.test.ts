import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addFileSurvey, fileAnswer, pictureOf } from '../testing/file-survey.ts';
import { startResponseApp, type TestApp } from '../testing/response-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startResponseApp();
});
afterAll(() => app.close());

type FileSurvey = ReturnType<typeof addFileSurvey>;

const notFound = (...questions: readonly string[]) => ({
  status: 422,
  body: {
    code: 'INVALID_ANSWERS',
    errors: questions.map((question) => ({ path: `/data/${question}`, code: 'FILE_NOT_FOUND' })),
  },
});
const past = new Date(Date.now() - 60_000);
const stateOf = async ({ files }: FileSurvey, id: string) => (await files.findOne({ _id: id }))?.state;
/** Makes a file due. */
const letPass = ({ files }: FileSurvey, id: string, more: object = {}) =>
  files.updateOne({ _id: id }, { $set: { due_at: past, ...more } });

describe('a submission that names files', () => {
  it('claims them, so that no other one can', async () => {
    const survey = addFileSurvey(app);
    const [one, other] = [await survey.store(), await survey.store(undefined, { questionId: 'more' })];
    const data = { cv: fileAnswer(one), more: fileAnswer(other) };
    const { status, body } = await survey.submit(data);
    expect(status).toBe(201);
    expect((await survey.call('GET', `/v1/responses/${body.id}`)).body.data).toEqual(data);
    expect(await survey.submit(data)).toMatchObject(notFound('cv', 'more'));
    expect(await survey.submit({ cv: fileAnswer(one) })).toMatchObject(notFound('cv'));
    expect((await survey.download(one)).status).toBe(200);
  });

  it('claims a file only once if many name it concurrently', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store();
    const submit = async (): Promise<number> => {
      const { status } = await survey.submit({ cv: fileAnswer(id) });
      // Another submission may still fail, so the file may become free.
      return status === 503 ? submit() : status;
    };
    const statuses = await Promise.all(Array.from({ length: 20 }, submit));
    expect(statuses.toSorted()).toEqual([201, ...Array(19).fill(422)]);
  });

  it.each<[string, (survey: FileSurvey) => Promise<string>]>([
    ['does not exist', async () => randomUUID()],
    ['is for another question', (survey) => survey.store(undefined, { questionId: 'more' })],
    ['is of another survey', () => addFileSurvey(app).store()],
    [
      'has expired',
      async (survey) => {
        const id = await survey.store();
        await survey.files.updateOne({ _id: id }, { $set: { expires_at: past } });
        return id;
      },
    ],
    [
      'is still uploading',
      async (survey) => {
        const id = await survey.store();
        await survey.files.updateOne({ _id: id }, { $set: { state: 'uploading', expires_at: null } });
        return id;
      },
    ],
  ])('is rejected if one %s, and leaves the others free', async (_case, make) => {
    const survey = addFileSurvey(app);
    const [bad, good] = [await make(survey), await survey.store()];
    expect(await survey.submit({ cv: fileAnswer(good, bad) })).toMatchObject(notFound('cv'));
    expect((await survey.submit({ cv: fileAnswer(good) })).status).toBe(201);
  });

  it('is rejected if the size limit of the question was lowered', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store(pictureOf(2_000));
    const { definition } = survey;
    const text = JSON.stringify(definition).replace('"title":"Your CV"', '"title":"Your CV","max_bytes":1999');
    app.survey.set(survey.surveyId, { definition: JSON.parse(text), version: 2 });
    await poll(async () => (await app.call('GET', `/v1/public/surveys/${survey.surveyId}`)).body.version === 2);
    const rejected = await survey.submit({ cv: fileAnswer(id) });
    expect(rejected.body.errors).toEqual([{ path: '/data/cv', code: 'FILE_TOO_LARGE', detail: expect.any(String) }]);
  });

  it('returns its first reply for its key, with its own files, even after they are destroyed', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store();
    const key = { 'idempotency-key': randomUUID() };
    const replies = await Promise.all([1, 2, 3].map(() => survey.submit({ cv: fileAnswer(id) }, key)));
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201]);
    const [first] = replies;
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    const path = `/v1/responses/${first?.body.id}`;
    expect((await survey.call('PATCH', path, { body: { data: { cv: null } } })).status).toBe(200);
    const again = await survey.submit({ cv: fileAnswer(id) }, key);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first?.body, 'true']);
    expect((await survey.call('DELETE', path)).status).toBe(204);
    expect(await survey.submit({ cv: fileAnswer(id) }, key)).toMatchObject({
      status: 410,
      body: { code: 'RESPONSE_DELETED' },
    });
  });

  it('is stored under its id for its key, however often attempts claimed the files and died', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store();
    const key = { 'idempotency-key': randomUUID() };
    const first = await survey.submit({ cv: fileAnswer(id) }, key);
    for (const revision of [0, 1, 2]) {
      // Simulate a process that claimed the file and died, and a sweeper that released the file.
      const found = await app.responses.findOneAndDelete({ _id: first.body.id });
      expect(found).not.toBeNull();
      const tombstone = { _id: first.body.id, status: 'blocked', revision, created_at: new Date(), outbox: [] };
      await app.responses.insertOne(tombstone as never);
      await survey.files.updateOne({ _id: id }, { $set: { state: 'ready', response_id: null } });
      const again = await survey.submit({ cv: fileAnswer(id) }, key);
      expect([again.status, again.body.id]).toEqual([201, first.body.id]);
      expect((await survey.download(id)).status).toBe(200);
    }
    const replayed = await survey.submit({ cv: fileAnswer(id) }, key);
    expect([replayed.body.id, replayed.headers.get('idempotency-replayed')]).toEqual([first.body.id, 'true']);
  });

  it('takes files back that an attempt of an earlier release claimed for its second id', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store();
    const key = { 'idempotency-key': randomUUID() };
    const first = await survey.submit({ cv: fileAnswer(id) }, key);
    const blocked = { status: 'blocked', revision: 0, created_at: new Date(), outbox: [] };
    await app.responses.deleteOne({ _id: first.body.id });
    await app.responses.insertOne({ _id: first.body.id, ...blocked } as never);
    await survey.files.updateOne({ _id: id }, { $set: { state: 'claimed', response_id: randomUUID(), due_at: past } });
    expect((await survey.submit({ cv: fileAnswer(id) }, key)).body.id).toBe(first.body.id);
  });

  it('frees its files at once if it fails with a key', async () => {
    const survey = addFileSurvey(app, {}, { settings: { responseLimit: 1 } });
    const ids = await Promise.all([1, 2, 3, 4].map(() => survey.store()));
    const withKey = () => ({ 'idempotency-key': randomUUID() });
    const replies = await Promise.all(ids.map((id) => survey.submit({ cv: fileAnswer(id) }, withKey())));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const states = await Promise.all(ids.map((id) => stateOf(survey, id)));
    expect(states.sort()).toEqual(['claimed', 'ready', 'ready', 'ready']);
  });

  it('does not claim files for another request with a used key', async () => {
    const survey = addFileSurvey(app);
    const [one, two] = [await survey.store(), await survey.store()];
    const key = { 'idempotency-key': randomUUID() };
    expect((await survey.submit({ cv: fileAnswer(one) }, key)).status).toBe(201);
    const reused = await survey.submit({ cv: fileAnswer(two) }, key);
    expect(reused).toMatchObject({ status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } });
    expect((await survey.submit({ cv: fileAnswer(two) }, { 'idempotency-key': randomUUID() })).status).toBe(201);
  });

  it('releases them if it gets no seat', async () => {
    const survey = addFileSurvey(app, {}, { settings: { responseLimit: 1 } });
    const ids = await Promise.all([1, 2, 3, 4].map(() => survey.store()));
    const replies = await Promise.all(ids.map((id) => survey.submit({ cv: fileAnswer(id) })));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const states = await Promise.all(ids.map((id) => stateOf(survey, id)));
    expect(states.sort()).toEqual(['claimed', 'ready', 'ready', 'ready']);
  });

  it('can claim a file that was claimed for a response that was never stored', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store();
    await survey.files.updateOne(
      { _id: id },
      { $set: { state: 'claimed', response_id: randomUUID(), due_at: new Date(Date.now() + 60_000) } },
    );
    expect(await survey.submit({ cv: fileAnswer(id) })).toMatchObject({ status: 503, body: { code: 'UNAVAILABLE' } });
    await letPass(survey, id);
    expect((await survey.submit({ cv: fileAnswer(id) })).status).toBe(201);
  });

  it('is settled by the sweeper after it is stored', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store();
    await survey.submit({ cv: fileAnswer(id) });
    expect(await stateOf(survey, id)).toBe('claimed');
    await letPass(survey, id);
    const file = await poll(async () => {
      const found = await survey.files.findOne({ _id: id });
      return found?.state === 'attached' && found;
    });
    expect(file).not.toHaveProperty('due_at');
  });
});

async function begin(survey: FileSurvey, fileId: string) {
  const { body } = await survey.submit({ cv: fileAnswer(fileId) }, {}, { status: 'in_progress' });
  const headers = { 'resume-token': body.resume_token };
  const save = (change: object) => app.call('PATCH', `/v1/public/responses/${body.id}`, { headers, body: change });
  return { id: body.id as string, save };
}

describe('a response', () => {
  it('in progress keeps files that it no longer names until it is completed', async () => {
    const survey = addFileSurvey(app);
    const [one, two, three] = [await survey.store(), await survey.store(), await survey.store()];
    const { save } = await begin(survey, one);
    expect((await save({ data: { cv: fileAnswer(one, two) } })).status).toBe(200);
    expect((await save({ data: { cv: fileAnswer(two) } })).status).toBe(200);
    expect((await survey.download(one)).status).toBe(404);
    expect(await survey.submit({ cv: fileAnswer(one) })).toMatchObject(notFound('cv'));
    expect((await save({ data: { cv: fileAnswer(one, three) } })).status).toBe(200);
    expect((await survey.download(one)).status).toBe(200);
    expect(await survey.countDocuments()).toEqual([3, 3]);
    expect((await save({ data: { cv: null } })).status).toBe(200);
    expect((await save({ status: 'completed', data: { cv: fileAnswer(two, three) } })).status).toBe(200);
    expect((await survey.download(two)).status).toBe(200);
    expect((await survey.download(three)).status).toBe(200);
    expect(await survey.countDocuments()).toEqual([2, 2]);
  });

  it('in progress loses no file if it cannot be completed', async () => {
    const survey = addFileSurvey(app, {}, { settings: { responseLimit: 1 } });
    const id = await survey.store();
    const { save } = await begin(survey, id);
    expect((await survey.submit({ name: 'Ada' })).status).toBe(201);
    const rejected = await save({ status: 'completed', data: { cv: null } });
    expect(rejected).toMatchObject({ status: 409, body: { code: 'RESPONSE_LIMIT_REACHED' } });
    await letPass(survey, id);
    await poll(async () => (await survey.files.findOne({ _id: id }))?.due_at === undefined);
    expect((await survey.download(id)).status).toBe(200);
  });

  it('in progress keeps a limited number of files that it no longer names', async () => {
    const survey = addFileSurvey(app);
    const [one, two] = [await survey.store(), await survey.store()];
    const { id, save } = await begin(survey, one);
    const file = await survey.files.findOne({ _id: one });
    if (file === null) throw new Error('it is there');
    const replaced = { ...file, state: 'attached' as const, response_id: id };
    await survey.files.insertMany(Array.from({ length: 100 }, () => ({ ...replaced, _id: randomUUID() })));
    expect(await save({ data: { cv: fileAnswer(two) } })).toMatchObject({
      status: 422,
      body: { code: 'INVALID_ANSWERS', errors: [{ path: '/data/cv', code: 'TOO_MANY_FILES' }] },
    });
    expect((await save({ status: 'completed', data: { cv: fileAnswer(two) } })).status).toBe(200);
    expect(await survey.countDocuments()).toEqual([1, 1]);
  });

  it('in progress that is deleted loses all its files', async () => {
    const survey = addFileSurvey(app);
    const [one, two] = [await survey.store(), await survey.store()];
    const { id, save } = await begin(survey, one);
    expect((await save({ data: { cv: fileAnswer(two) } })).status).toBe(200);
    expect((await survey.call('DELETE', `/v1/responses/${id}`)).status).toBe(204);
    expect(await survey.countDocuments()).toEqual([0, 0]);
  });

  it('that is corrected claims and destroys files, and keeps the others', async () => {
    const survey = addFileSurvey(app);
    const [one, two] = [await survey.store(), await survey.store()];
    const { body } = await survey.submit({ cv: fileAnswer(one) });
    const path = `/v1/responses/${body.id}`;
    const patch = (data: object) => survey.call('PATCH', path, { body: { data } });
    expect((await patch({ name: 'Ada' })).status).toBe(200);
    expect(await patch({ cv: fileAnswer(one, randomUUID()) })).toMatchObject(notFound('cv'));
    // The file belongs to another question.
    expect(await patch({ more: fileAnswer(one) })).toMatchObject(notFound('more'));
    expect((await survey.download(one)).status).toBe(200);
    expect((await patch({ cv: fileAnswer(two) })).status).toBe(200);
    expect((await survey.download(one)).status).toBe(404);
    expect((await survey.download(two)).status).toBe(200);
    expect(await survey.countDocuments()).toEqual([1, 1]);
  });

  it('that is deleted loses its files, but not if it is at another revision', async () => {
    const survey = addFileSurvey(app);
    const id = await survey.store();
    const other = await survey.store(undefined, { questionId: 'more' });
    const { body } = await survey.submit({ cv: fileAnswer(id), more: fileAnswer(other) });
    const path = `/v1/responses/${body.id}`;
    expect((await survey.call('DELETE', path, { headers: { 'if-match': '"7"' } })).status).toBe(412);
    expect((await survey.download(id)).status).toBe(200);
    expect((await survey.call('DELETE', path)).status).toBe(204);
    expect((await survey.download(id)).status).toBe(404);
    expect(await survey.countDocuments()).toEqual([0, 0]);
  });

  it('that was imported may name files of other systems, and keeps them in corrections', async () => {
    const survey = addFileSurvey(app);
    const { body } = await survey.submit({ name: 'Ada' });
    const foreign = { cv: fileAnswer('of-another-tool') };
    // Make an answer that names a missing file, as in an imported response.
    const id = await survey.store();
    await survey.call('PATCH', `/v1/responses/${body.id}`, { body: { data: { cv: fileAnswer(id) } } });
    await survey.files.deleteOne({ _id: id });
    const kept = await survey.call('PATCH', `/v1/responses/${body.id}`, { body: { data: { name: 'Bob' } } });
    expect(kept.body.data).toEqual({ cv: fileAnswer(id), name: 'Bob' });
    expect(await survey.call('PATCH', `/v1/responses/${body.id}`, { body: { data: foreign } })).toMatchObject(
      notFound('cv'),
    );
  });
});

// The sweeper runs every ten seconds.
describe.concurrent('an interrupted operation', () => {
  it.each([
    ['an upload of a killed process', { state: 'uploading', expires_at: null }],
    ['a file that no answer names', { state: 'ready' }],
    ['a file that was being destroyed', { state: 'doomed' }],
    ['a file whose response was deleted', { state: 'attached', response_id: randomUUID() }],
  ] as const)('leads to the destruction of %s', async (_case, fields) => {
    const survey = addFileSurvey(app);
    const id = await survey.store();
    await letPass(survey, id, fields);
    await poll(async () => (await survey.countDocuments()).every((count) => count === 0));
  });

  it('leaves a dropped file of a response in progress until the response is abandoned', async () => {
    const survey = addFileSurvey(app);
    const [replaced, current] = [await survey.store(), await survey.store()];
    const { id, save } = await begin(survey, replaced);
    expect((await save({ data: { cv: fileAnswer(current) } })).status).toBe(200);
    const dueAt = async () => (await survey.files.findOne({ _id: replaced }))?.due_at;
    await letPass(survey, replaced);
    await poll(async () => ((await dueAt()) ?? past) > new Date());
    await app.responses.updateOne({ _id: id }, { $set: { status: 'abandoned' } });
    await letPass(survey, replaced);
    await poll(async () => (await dueAt()) === undefined);
    expect(await survey.countDocuments()).toEqual([1, 1]);
    expect((await survey.download(current)).status).toBe(200);
  });

  it('leaves the file of a remaining answer, and destroys that of a removed one', async () => {
    const survey = addFileSurvey(app);
    const [kept, removed] = [await survey.store(), await survey.store()];
    const { body } = await survey.submit({ cv: fileAnswer(kept) });
    await letPass(survey, removed, { state: 'attached', response_id: body.id });
    await letPass(survey, kept, { state: 'attached' });
    await poll(async () => (await survey.files.findOne({ _id: removed })) === null);
    expect((await survey.download(kept)).status).toBe(200);
    await poll(async () => (await survey.files.findOne({ _id: kept }))?.due_at === undefined);
  });
});
