import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DefinitionDocument } from '../surveys/definition-store.ts';
import { createSurveyWalkStore, type SurveyWalkDocument, type SurveyWalkStore } from './retention-store.ts';
import type { WalkState } from './survey-walk.ts';

const START: WalkState = { position: '', hasDueWork: false, nextAt: new Date(0), completedAt: undefined, revision: 0 };

let database: TestDatabase;
let store: SurveyWalkStore;
const walks = () => database.db.collection<SurveyWalkDocument>('survey_walks');

beforeAll(async () => {
  database = await createTestDatabase();
  store = createSurveyWalkStore({
    walks: walks(),
    definitions: database.db.collection<DefinitionDocument>('definitions'),
  });
});
beforeEach(() => walks().deleteMany({}));
afterAll(() => database.drop());

it('a stalled replica cannot overwrite the walk of its successor', async () => {
  const first = await store.save({ ...START, position: 's1' });
  if (first === undefined) throw new Error('the first walk was not saved');
  const second = await store.save({ ...first, position: 's2' });
  expect(await store.save({ ...first, position: 's9' })).toBeUndefined();
  expect(await store.save({ ...START, position: 's9' })).toBeUndefined();
  expect(await store.find()).toEqual({ ...first, position: 's2', revision: 2 });
  expect(await store.find()).toEqual(second);
});

it('a walk of a release without revisions continues', async () => {
  const old = { _id: 'responses', position: 's1', has_more: true, next_at: new Date(0), completed_at: null };
  await walks().insertOne(old);
  const found = await store.find();
  if (found === undefined) throw new Error('the walk is not found');
  expect(await store.save({ ...found, position: 's2' })).toMatchObject({ position: 's2', revision: 1 });
});

it('only one of two replicas that start concurrently can save', async () => {
  const saved = await Promise.all(['a', 'b', 'c', 'd'].map((position) => store.save({ ...START, position })));
  expect(saved.filter((state) => state !== undefined)).toHaveLength(1);
});
