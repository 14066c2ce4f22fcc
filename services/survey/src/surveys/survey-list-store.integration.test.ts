import { toTenantId } from '@survey/runtime/auth/tenant-id';
import { ensureIndexes } from '@survey/runtime/mongo/ensure-indexes';
import { tenantCollection } from '@survey/runtime/mongo/tenant-collection';
import { createTestDatabase, type TestDatabase } from '@survey/runtime/testing/test-database';
import type { CommandStartedEvent, Document } from 'mongodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Survey, surveyStatuses } from './survey.ts';
import { type SurveyDocument, toDocument } from './survey-document.ts';
import { type SurveyListQuery, toTitleWords } from './survey-list.ts';
import { findSurveyPage, surveyListIndexes } from './survey-store.ts';
import { testSurvey } from './testing/test-survey.ts';

const TOTAL = 5_000;
const ours = toTenantId('ours');
const theirs = toTenantId('theirs');
const everything: SurveyListQuery = {
  limit: 50,
  status: undefined,
  projectId: undefined,
  titleWords: [],
  createdAt: { since: undefined, until: undefined },
  updatedAt: { since: undefined, until: undefined },
  deleted: false,
};
const at = (n: number) => new Date(1_700_000_000_000 + n * 1_000);
const range = (since: number | undefined, until?: number) => ({
  since: since === undefined ? undefined : at(since),
  until: until === undefined ? undefined : at(until),
});

/** Every tenth survey is deleted, and several have the same creation time. */
function surveyOf(n: number, tenantId = ours): Survey {
  const word = { 0: 'Zebra', 1: 'Frühling' }[n % 500] ?? 'Sommer';
  return {
    ...testSurvey,
    id: `${tenantId}-${String(n).padStart(6, '0')}`,
    tenantId,
    definition: { title: { en: `Customer satisfaction ${n}`, de: word }, supported_languages: ['en', 'de'] },
    status: surveyStatuses[n % 100 === 0 ? 1 : n % 2 === 0 ? 0 : 2] ?? 'draft',
    projectId: n % 3 === 0 ? `project-${n % 30}` : undefined,
    createdAt: at(Math.floor(n / 4)),
    updatedAt: at((n * 7_919) % TOTAL),
    deletedAt: n % 10 === 9 ? at(TOTAL) : undefined,
  };
}

const surveys = Array.from({ length: TOTAL }, (_, n) => surveyOf(n));
let database: TestDatabase;
let find: (query: Partial<SurveyListQuery>, tenantId?: typeof ours) => ReturnType<typeof findSurveyPage>;

beforeAll(async () => {
  database = await createTestDatabase();
  const collection = database.db.collection<SurveyDocument>('surveys');
  await ensureIndexes(database.db, { surveys: surveyListIndexes });
  const others = Array.from({ length: TOTAL / 10 }, (_, n) => surveyOf(n, theirs));
  const documents = [...surveys, ...others].map((survey) => ({
    ...toDocument(survey),
    tenant_id: survey.tenantId,
    outbox: [],
  }));
  await collection.insertMany(documents);
  find = (query, tenantId = ours) =>
    findSurveyPage(tenantCollection(collection, tenantId), { ...everything, ...query });
});

afterAll(() => database.drop());

/** The expected ids, found by checking every survey. */
function expected({ status, projectId, titleWords, createdAt, updatedAt, deleted }: SurveyListQuery): string[] {
  const isIn = (time: Date, { since, until }: SurveyListQuery['createdAt']) =>
    (since === undefined || time >= since) && (until === undefined || time < until);
  const time = (updatedAt.since ?? updatedAt.until) ? 'updatedAt' : 'createdAt';
  return surveys
    .filter(
      (survey) =>
        (survey.deletedAt !== undefined) === deleted &&
        (status === undefined || survey.status === status) &&
        (projectId === undefined || survey.projectId === projectId) &&
        titleWords.every((word) => toDocument(survey).title_prefixes.includes(word)) &&
        isIn(survey.createdAt, createdAt) &&
        isIn(survey.updatedAt, updatedAt),
    )
    .toSorted((one, other) => other[time].getTime() - one[time].getTime() || (one.id < other.id ? 1 : -1))
    .map(({ id }) => id);
}

async function walk(query: Partial<SurveyListQuery>): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await find({ ...query, cursor });
    ids.push(...page.items.map(({ _id }) => _id));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return ids;
}

const filters: Readonly<Record<string, Partial<SurveyListQuery>>> = {
  nothing: {},
  status: { status: 'closed' },
  'a rare status': { status: 'active' },
  project: { projectId: 'project-3' },
  'a project that there is not': { projectId: 'nothing' },
  'a word': { titleWords: toTitleWords('satis') },
  'a rare word in another language': { titleWords: toTitleWords('fruh') },
  'a word that there is not': { titleWords: toTitleWords('nothing') },
  'a common and a rare word': { titleWords: toTitleWords('customer zebra') },
  'created since': { createdAt: range(1_000) },
  'created until': { createdAt: range(undefined, 300) },
  'created between': { createdAt: range(300, 310) },
  'updated since': { updatedAt: range(4_000) },
  'updated until': { updatedAt: range(undefined, 1_000) },
  'updated between': { updatedAt: range(2_000, 2_100) },
  deleted: { deleted: true },
};

const combinations: Readonly<Record<string, Partial<SurveyListQuery>>> = {
  'status and project': { status: 'closed', projectId: 'project-3' },
  'status and word': { status: 'active', titleWords: toTitleWords('cust') },
  'project and word': { projectId: 'project-0', titleWords: toTitleWords('zebra') },
  'two words that never meet': { titleWords: toTitleWords('zebra fruhling') },
  'both times': { createdAt: range(500, 1_000), updatedAt: range(1_000, 3_000) },
  'status and time of change': { status: 'draft', updatedAt: range(1_000) },
  'status and deleted': { status: 'closed', deleted: true },
  'time of change and deleted': { deleted: true, updatedAt: range(100) },
  'all of them': {
    status: 'closed',
    projectId: 'project-3',
    titleWords: toTitleWords('customer sommer'),
    createdAt: range(100, 1_200),
    updatedAt: range(100, 4_900),
    deleted: false,
  },
};

/** The index of words is sorted by creation time only. */
const sorted = 'all of them';
/** One index serves only part of these queries, so more documents are read. */
const readsMore = new Set([sorted, 'both times', 'two words that never meet']);

describe('a list of surveys', () => {
  it.each(Object.entries({ ...filters, ...combinations }))(
    'by %s has the expected surveys, in order, with pagination',
    async (_, query) => {
      expect(await walk(query)).toEqual(expected({ ...everything, ...query }));
    },
  );

  it('has nothing of another tenant', async () => {
    const { items } = await find({ titleWords: toTitleWords('customer') }, theirs);
    expect(items).toHaveLength(50);
    expect(new Set(items.map(({ tenant_id }) => tenant_id))).toEqual(new Set([theirs]));
  });

  it('cannot be continued with another filter', async () => {
    const { nextCursor: cursor } = await find({ limit: 3 });
    await expect(find({ status: 'closed', limit: 3, cursor })).rejects.toMatchObject({ code: 'INVALID_CURSOR' });
  });

  it('can be continued when another word has become the rarest', async () => {
    const titleWords = toTitleWords('cust customer');
    const { nextCursor: cursor } = await find({ titleWords, limit: 1 });
    expect((await find({ titleWords: titleWords.toReversed(), limit: 1, cursor })).items).toHaveLength(1);
  });

  it('cannot be continued in another sort order', async () => {
    const byCreation = await find({});
    const byChange = await find({ updatedAt: range(0) });
    const rejection = { code: 'INVALID_CURSOR' };
    await expect(find({ updatedAt: range(0), cursor: byCreation.nextCursor })).rejects.toMatchObject(rejection);
    await expect(find({ cursor: byChange.nextCursor })).rejects.toMatchObject(rejection);
  });
});

describe('queries', () => {
  /** The server's execution statistics of the query. */
  async function explain(query: Partial<SurveyListQuery>) {
    let sent: Document = {};
    const listen = ({ commandName, command }: CommandStartedEvent) => {
      if (commandName === 'find') sent = command;
    };
    database.client.on('commandStarted', listen);
    const { items } = await find(query);
    database.client.off('commandStarted', listen);
    const { find: name, filter, sort, limit } = sent;
    const explained = await database.db.command({
      explain: { find: name, filter, sort, limit },
      verbosity: 'executionStats',
    });
    const { totalDocsExamined: read, executionStages } = explained['executionStats'];
    return { read, returned: items.length, stages: stagesOf(executionStages) };
  }

  function stagesOf({ stage, inputStage, inputStages = [] }: Document): readonly string[] {
    return [stage, ...[inputStage ?? [], inputStages].flat().flatMap(stagesOf)];
  }

  it.each(Object.entries(filters))('finds a page by %s in an index and reads few other documents', async (_, query) => {
    const first = await find(query);
    for (const cursor of [undefined, first.nextCursor]) {
      const { read, returned, stages } = await explain({ ...query, cursor });
      expect(stages).toContain('IXSCAN');
      expect(stages).not.toContain('COLLSCAN');
      expect(stages).not.toContain('SORT');
      // Extra documents: the first of the next page, those at the cursor, and deleted surveys with the same title.
      expect(read).toBeLessThanOrEqual(Math.ceil(returned * 1.2) + 5);
    }
  });

  it.each(Object.entries(combinations))('finds a page by %s in an index', async (name, query) => {
    const { stages, read, returned } = await explain(query);
    expect(stages).toContain('IXSCAN');
    expect(stages).not.toContain('COLLSCAN');
    if (name !== sorted) expect(stages).not.toContain('SORT');
    if (!readsMore.has(name)) expect(read).toBeLessThanOrEqual(Math.ceil(returned * 1.2) + 5);
  });
});
