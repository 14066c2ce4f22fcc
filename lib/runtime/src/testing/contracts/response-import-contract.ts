import { randomUUID } from 'node:crypto';
import type { JsonObject, MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type ImportedResponseSchema,
  ResponseImportService,
} from '@survey/proto/survey/responses/v1/response_import_service_pb';
import { expect, it } from 'vitest';
import { callOptionsFor, type ServiceConnection } from '../../rpc/service-client.ts';

const definition: JsonObject = {
  title: 'Lunch',
  supported_languages: ['en'],
  pages: [
    {
      questions: [{ id: 'ate', type: 'single_choice', title: 'Did you eat?', required: true, options: ['yes', 'no'] }],
    },
  ],
};

interface ContractSurvey {
  readonly surveyId: string;
  readonly tenantId: string;
  readonly status: 'closed' | 'deleted';
  readonly definition: JsonObject;
}

interface Subject {
  readonly connection: ServiceConnection;
  /** Adds a survey to the implementation under test. */
  addSurvey(survey: ContractSurvey): void;
}

/**
 * Contract tests of `ResponseImportService`, for the response service and its fakes.
 *
 * @param subject returns the implementation under test; called when the tests run
 */
export function itStoresImportedResponses(subject: () => Subject): void {
  type Item = MessageInitShape<typeof ImportedResponseSchema>;

  function addSurvey(given: Partial<ContractSurvey> = {}): ContractSurvey {
    const survey = { surveyId: randomUUID(), tenantId: randomUUID(), status: 'closed', definition, ...given } as const;
    subject().addSurvey(survey);
    return survey;
  }

  const item = (given: Item = {}): Item => ({ id: randomUUID(), answers: '{"ate":"no"}', ...given });

  async function store({ tenantId, surveyId }: Pick<ContractSurvey, 'tenantId' | 'surveyId'>, responses: Item[]) {
    const client = subject().connection.client(ResponseImportService);
    const onBehalf = callOptionsFor({ claims: { tenantId } });
    return (await client.storeImportedResponses({ surveyId, responses }, onBehalf)).outcomes;
  }

  async function find({ tenantId, surveyId }: Pick<ContractSurvey, 'tenantId' | 'surveyId'>, responses: Item[]) {
    const client = subject().connection.client(ResponseImportService);
    const ids = responses.map(({ id = '' }) => id);
    return (await client.findImportedResponses({ surveyId, ids }, callOptionsFor({ claims: { tenantId } }))).stored;
  }

  const outcomesOf = async (survey: ContractSurvey, responses: Item[]) =>
    (await store(survey, responses)).map(({ outcome }) => outcome);

  it('stores responses with missing answers if they are unfinished, or the import allows it', async () => {
    const survey = addSurvey();
    const missing = { answers: '{}' };
    const responses = [
      item(missing),
      item({ ...missing, allowsMissing: true }),
      item({ ...missing, status: 'in_progress' }),
      item({ ...missing, status: 'abandoned' }),
    ];
    expect(await outcomesOf(survey, responses)).toEqual(['failed', 'imported', 'imported', 'imported']);
  });

  it('stores repeated responses once', async () => {
    const survey = addSurvey();
    const [first, second] = [item(), item()];
    expect(await outcomesOf(survey, [first, second, first])).toEqual(['imported', 'imported', 'skipped']);
    expect(await outcomesOf(survey, [item(), second])).toEqual(['imported', 'skipped']);
  });

  it('counts a response as imported again if an earlier call of the same import may have stored it', async () => {
    const survey = addSurvey();
    const response = item();
    const client = subject().connection.client(ResponseImportService);
    const outcomeAt = async (secondsFromNow: number, wasSentBefore: boolean) => {
      const importBegunAt = timestampFromDate(new Date(Date.now() + secondsFromNow * 1_000));
      const request = { surveyId: survey.surveyId, responses: [response], importBegunAt, wasSentBefore };
      const reply = await client.storeImportedResponses(
        request,
        callOptionsFor({ claims: { tenantId: survey.tenantId } }),
      );
      return reply.outcomes[0]?.outcome;
    };
    expect(await outcomeAt(-60, false)).toBe('imported');
    expect(await outcomeAt(-60, false)).toBe('skipped');
    expect(await outcomeAt(-60, true)).toBe('imported');
    expect(await outcomeAt(60, true)).toBe('skipped');
  });

  it('reports which responses do not fit the survey', async () => {
    const outcomes = await store(addSurvey(), [
      item(),
      item({ answers: '{}' }),
      item({ answers: '{"ate":"perhaps"}' }),
    ]);
    const failed = {
      outcome: 'failed',
      code: 'INVALID_ANSWERS',
      detail: expect.stringContaining('ate'),
      path: '/data/ate',
    };
    expect(outcomes).toMatchObject([{ outcome: 'imported' }, failed, failed]);
  });

  it('stores a response with the id of a response of another tenant, and skips its repeat', async () => {
    const response = item();
    await store(addSurvey(), [response]);
    const survey = addSurvey();
    expect(await outcomesOf(survey, [response, item()])).toEqual(['imported', 'imported']);
    expect(await outcomesOf(survey, [response])).toEqual(['skipped']);
  });

  it('stores the responses of one file in two surveys of a tenant', async () => {
    const file = [item(), item()];
    const first = addSurvey();
    const second = addSurvey({ tenantId: first.tenantId });
    expect(await outcomesOf(first, file)).toEqual(['imported', 'imported']);
    expect(await outcomesOf(second, file)).toEqual(['imported', 'imported']);
    expect(await outcomesOf(second, file)).toEqual(['skipped', 'skipped']);
  });

  it('finds the responses that are stored, and stores nothing', async () => {
    const [foreign, stored, unstored] = [item(), item(), item()];
    await store(addSurvey(), [foreign]);
    const survey = addSurvey();
    await store(survey, [stored]);
    const found = () => find(survey, [foreign, stored, unstored, unstored]);
    expect(await found()).toEqual([false, true, false, true]);
    expect(await found()).toEqual([false, true, false, true]);
    expect(await outcomesOf(survey, [foreign, stored, unstored])).toEqual(['imported', 'skipped', 'imported']);
    expect(await found()).toEqual([true, true, true, true]);
  });

  it('does not find a survey that is unknown, deleted or another tenant’s', async () => {
    const unknown = { tenantId: randomUUID(), surveyId: randomUUID() };
    const foreign = { ...addSurvey(), tenantId: randomUUID() };
    for (const survey of [unknown, foreign, addSurvey({ status: 'deleted' })]) {
      await expect(store(survey, [item()])).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
      await expect(find(survey, [item()])).rejects.toMatchObject({ code: 'SURVEY_NOT_FOUND' });
    }
  });

  it.each([
    ['none', []],
    ['too many', Array.from({ length: 1_001 }, () => item())],
    ['an id that is no UUID', [item({ id: 'R_1' })]],
    ['answers that are no JSON', [item({ answers: '{"ate":' })]],
    ['answers that are no object', [item({ answers: '[1]' })]],
  ])('rejects the whole batch: %s', async (_, responses) => {
    await expect(store(addSurvey(), responses)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
}
