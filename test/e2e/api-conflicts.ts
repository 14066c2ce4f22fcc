import { randomUUID } from 'node:crypto';
import { poll } from '@survey/runtime/testing/poll';
import { expect } from 'vitest';
import type { MemberSchema, Operation } from '../support/api/api-document.ts';
import { type ApiWalk, bodyMembersOf, type Call, exampleOf } from '../support/api/api-walk.ts';
import { type Api, createApi, type TestTenant } from '../support/platform.ts';

/** Without any condition. */
const invalidWhere: Call = { query: `where=${encodeURIComponent('{"conditions":[]}')}` };

/** Well-formed calls that break a rule which the document does not express as a limit. */
const invalidCalls: Readonly<Record<string, Call>> = {
  countResponses: invalidWhere,
  createSurvey: { body: { schema_version: '1.0', version: 1, survey: {} } },
  deletePlannedResponses: { body: { expected_count: 7 } },
  exportCodebook: invalidWhere,
  exportResponses: invalidWhere,
  getSummary: invalidWhere,
  listAnswers: invalidWhere,
  listResponses: invalidWhere,
  planResponseDeletion: { body: { dry_run: true } },
  replaceSurvey: { body: { schema_version: '1.0', version: 1, survey: {} } },
  updateResponse: { body: { metadata: { long: 'x'.repeat(17_000) } } },
  updateSurvey: { body: { project_id: 'other' } },
  uploadLinkFile: { query: 'question_id=other' },
  uploadPublicFile: { query: 'question_id=other' },
  validatePayload: { body: 'null' },
};

/** A well-formed call with one body member beyond a limit, or undefined if there is no such member. */
export function invalidCallOf({ operationId }: Operation): Call | undefined {
  const own = invalidCalls[operationId];
  if (own !== undefined) return own;
  for (const [name, schema] of Object.entries(bodyMembersOf(operationId))) {
    const value = beyondLimits(schema);
    if (value !== undefined) return { body: { ...Object(exampleOf(operationId)), [name]: value } };
  }
  return undefined;
}

function beyondLimits({ enum: names, maxLength, minItems, maximum, items }: MemberSchema): unknown {
  if (names !== undefined) return 'other';
  if (maxLength !== undefined) return 'x'.repeat(maxLength + 1);
  if (maximum !== undefined) return maximum + 1;
  if (minItems !== undefined) return [];
  const item = items && beyondLimits(items);
  return item === undefined ? undefined : [item];
}

const RESPONDENT = ['getPublicSurvey', 'submitPublicResponse', 'uploadPublicFile'];
const VISITOR = ['getPublicLink', 'submitLinkResponse', 'uploadLinkFile'];
/** More than 16 MiB in total. */
const LARGE_RESPONSES = 1_000;

/** Brings records into states in which operations are rejected. */
export function createConflicts(walk: ApiWalk, { api, userId }: TestTenant) {
  const anonymous: Api = createApi();

  async function rejected(status: number, operationId: string, change: Call = {}): Promise<void> {
    // Services may cache a record for a second.
    const last = await poll(async () => {
      const reply = await walk.call(operationId, change);
      return reply.status === status && reply;
    });
    expect(last.body.code, operationId).toBeDefined();
  }

  async function makeSurvey(): Promise<string> {
    const { body } = await walk.call('createSurvey');
    expect(await api('POST', `/v1/surveys/${body.id}/publish`)).toMatchObject({ status: 200 });
    return body.id;
  }

  async function makeLink(surveyId: string, link: object = {}): Promise<{ id: string; slug: string }> {
    return (await api('POST', `/v1/surveys/${surveyId}/links`, { body: link })).body;
  }

  return {
    async ofAccount(): Promise<void> {
      const path = { user_id: userId };
      await rejected(409, 'updateUser', { path, body: { role: 'viewer' } });
      await rejected(409, 'deleteUser', { path });
    },

    async ofSurveys(): Promise<void> {
      const { body: draft } = await walk.call('createSurvey');
      await rejected(409, 'closeSurvey', { path: { survey_id: draft.id } });
      await rejected(409, 'createResponse', { path: { survey_id: draft.id } });
      await rejected(409, 'restoreSurvey');
      await rejected(409, 'publishSurvey');
      const { body: survey } = await walk.call('getSurvey');
      const { schema_version, definition } = survey;
      await rejected(409, 'replaceSurvey', { body: { schema_version, version: 99, survey: definition } });
      const logic = [
        { question_id: 'nobody', conditions: [{ source_question: 'satisfaction', operator: 'is_answered' }] },
      ];
      const { body: broken } = await api('POST', '/v1/surveys', {
        body: { schema_version, version: 1, survey: { ...definition, logic } },
      });
      await rejected(422, 'publishSurvey', { path: { survey_id: broken.id } });
    },

    async ofProjects(): Promise<void> {
      const { body: project } = await walk.call('createProject');
      const { body: survey } = await walk.call('createSurvey');
      await api('PATCH', `/v1/surveys/${survey.id}`, { body: { project_id: project.id } });
      await rejected(409, 'deleteProject', { path: { project_id: project.id } });
    },

    async ofLinks(): Promise<void> {
      const { id } = await makeLink(walk.records['survey_id'] ?? '');
      const body = { slug: walk.records['slug'] };
      await rejected(409, 'createLink', { body });
      await rejected(409, 'updateLink', { path: { link_id: id }, body });
      await rejected(409, 'createLinkTokens', { path: { link_id: id } });
    },

    /** A cursor from before the time that deletions are kept. */
    async ofChanges(): Promise<void> {
      const { body } = await walk.call('listResponseChanges');
      const [feed]: unknown[] = JSON.parse(Buffer.from(body.next_cursor, 'base64url').toString());
      const cursor = Buffer.from(JSON.stringify([feed, '1', '1', ''])).toString('base64url');
      await rejected(410, 'listResponseChanges', { query: `cursor=${cursor}` });
    },

    async ofWebhooks(): Promise<void> {
      const path = `/v1/webhooks/${walk.records['webhook_id']}`;
      await api('PATCH', path, { body: { active: false } });
      await rejected(409, 'redeliverDelivery');
      await rejected(409, 'replayWebhook');
      await api('PATCH', path, { body: { active: true } });
      await rejected(409, 'cancelReplay');
    },

    /** Respondents of a closed survey, of a survey with access only by links, and of unusable links. */
    async ofRespondents(): Promise<void> {
      const closed = await makeSurvey();
      const { slug: toClosed } = await makeLink(closed);
      const inProgress = { status: 'in_progress', data: {} };
      const { body: begun } = await anonymous('POST', `/v1/public/surveys/${closed}/responses`, { body: inProgress });
      await api('POST', `/v1/surveys/${closed}/close`);
      for (const operation of RESPONDENT)
        await rejected(409, operation, { path: { survey_id: closed }, api: anonymous });
      for (const operation of VISITOR) await rejected(409, operation, { path: { slug: toClosed }, api: anonymous });
      const resumed = { path: { response_id: begun.id }, headers: { 'resume-token': begun.resume_token } };
      await rejected(409, 'updatePublicResponse', { ...resumed, body: { data: { comment: 'late' } }, api: anonymous });

      const narrow = await makeSurvey();
      const { body: early } = await anonymous('POST', `/v1/public/surveys/${narrow}/responses`, { body: inProgress });
      await api('PATCH', `/v1/surveys/${narrow}`, { body: { settings: { access: 'links_only' } } });
      for (const operation of RESPONDENT)
        await rejected(403, operation, { path: { survey_id: narrow }, api: anonymous });
      const resumedEarly = { path: { response_id: early.id }, headers: { 'resume-token': early.resume_token } };
      await rejected(403, 'updatePublicResponse', { ...resumedEarly, body: { data: {} }, api: anonymous });
      const { slug: locked } = await makeLink(narrow, { password: 'open sesame' });
      for (const operation of VISITOR) await rejected(403, operation, { path: { slug: locked }, api: anonymous });
      const { id, slug: expired } = await makeLink(narrow);
      await api('PATCH', `/v1/links/${id}`, { body: { expires_at: '2020-01-01T00:00:00Z' } });
      for (const operation of VISITOR) await rejected(410, operation, { path: { slug: expired }, api: anonymous });
    },

    /** Respondents who continue a response that was deleted, or for which no seat is left. */
    async ofReturningRespondents(): Promise<void> {
      const surveyId = await makeSurvey();
      const path = { survey_id: surveyId };
      for (const operation of ['createResponse', 'submitPublicResponse']) {
        const headers = { 'idempotency-key': randomUUID() };
        const { body } = await walk.call(operation, { path, headers });
        await api('DELETE', `/v1/responses/${body.id}`);
        await rejected(410, operation, { path, headers });
      }
      const { slug } = await makeLink(surveyId, { max_responses: 1 });
      const submit = (body: object) => anonymous('POST', `/v1/public/links/${slug}/responses`, { body });
      const { body: begun } = await submit({ status: 'in_progress', data: { satisfaction: 'happy' } });
      expect((await submit({ data: { satisfaction: 'happy' } })).status).toBe(201);
      const resumed = { path: { response_id: begun.id }, headers: { 'resume-token': begun.resume_token } };
      await rejected(410, 'updatePublicResponse', { ...resumed, body: { status: 'completed' }, api: anonymous });
    },

    /** A sample that exceeds the memory limit. */
    async ofSamples(): Promise<void> {
      const surveyId = await makeSurvey();
      const metadata = { long: 'x'.repeat(16_000) };
      const data = { satisfaction: 'happy', comment: 'y'.repeat(4_000) };
      const line = () => JSON.stringify({ id: randomUUID(), data, metadata });
      const { status, headers } = await walk.call('importResponses', {
        path: { survey_id: surveyId },
        query: 'format=ndjson',
        body: Array.from({ length: LARGE_RESPONSES }, line).join('\n'),
      });
      expect(status).toBe(202);
      const job = headers.get('location') ?? '';
      await poll(async () => (await api('GET', job)).body.imported === LARGE_RESPONSES);
      await rejected(422, 'listResponses', { path: { survey_id: surveyId }, query: 'random=true&limit=1000' });
    },
  };
}
