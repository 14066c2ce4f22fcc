import type { JsonObject } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import {
  type ImportedResponse,
  ResponseImportService,
} from '@survey/proto/survey/responses/v1/response_import_service_pb';
import { DefinitionService } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import type { SurveySettings } from '@survey/proto/survey/surveys/v1/survey_pb';
import { checkShape } from '@survey/questionnaire/check-shape';
import { compile } from '@survey/questionnaire/compile';
import { createTokenVerifier } from '@survey/runtime/auth/internal-token';
import { createKeySet } from '@survey/runtime/auth/key-set';
import { AppError } from '@survey/runtime/errors/app-error';
import { parseObject } from '@survey/runtime/json/parse-json';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { createGrpcServer, type GrpcServer } from '@survey/runtime/rpc/grpc-server';
import { type Implementation, implement } from '@survey/runtime/rpc/implementation';
import { createPipeline } from '@survey/runtime/rpc/pipeline';
import type { TestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';

interface FakeSurvey {
  readonly tenantId: string;
  readonly status: string;
  readonly payload: { schema_version: string; version: number; survey: JsonObject };
  readonly settings?: SurveySettings | undefined;
  readonly createdBy: string;
}

interface FakeResponse {
  readonly tenantId: string;
  readonly surveyId: string;
  readonly externalId: string | undefined;
  readonly data: unknown;
  readonly startedAt: Date | undefined;
  readonly completedAt: Date | undefined;
  readonly language: string | undefined;
  readonly metadata: unknown;
  readonly silent: boolean;
  readonly status: string;
}

/** Fakes of the survey and the response service, which keep their data in memory. */
interface FakeState {
  readonly surveys: Map<string, FakeSurvey>;
  /** Responses by survey and id. */
  readonly responses: Map<string, FakeResponse>;
  /** Times at which responses were stored, or deleted if they are not in `responses`. By survey and id. */
  readonly times: Map<string, Date>;
  /** Number of responses in each received batch. */
  readonly batches: number[];
  /** Awaited for each received batch; can throw an error for the caller. */
  beforeBatch: (batch: readonly Pick<ImportedResponse, 'externalId'>[]) => Promise<void>;
  /** If set, only this many batches are accepted. */
  batchesUntilAway: number | undefined;
  /** If set, storing a survey fails with this error. */
  rejection: AppError | undefined;
}

export async function startFakeServices(keys: TestKeys) {
  const state: FakeState = {
    surveys: new Map(),
    responses: new Map(),
    times: new Map(),
    batches: [],
    beforeBatch: async () => {},
    batchesUntilAway: undefined,
    rejection: undefined,
  };
  const survey = await serve('survey', fakeSurveys(state), keys);
  const response = await serve('response', fakeResponses(state), keys);
  return {
    state,
    surveyGrpcAddress: survey.address,
    responseGrpcAddress: response.address,
    close: () => Promise.all([survey.server.close(), response.server.close()]),
  };
}

async function serve(service: string, implementation: Implementation, { jwksFile }: TestKeys) {
  const keySet = await createKeySet({ file: jwksFile, log: testLog });
  const verifier = createTokenVerifier({ service, keySet });
  const pipeline = createPipeline({ verifier, log: testLog, registry: new Registry() });
  const server: GrpcServer = createGrpcServer({ implementations: [implementation], pipeline });
  return { server, address: `127.0.0.1:${await server.listen(0, '127.0.0.1')}` };
}

function fakeSurveys(state: FakeState): Implementation {
  return implement(DefinitionService, {
    async getDefinition({ surveyId }) {
      const survey = state.surveys.get(surveyId);
      if (survey === undefined) throw new AppError('SURVEY_NOT_FOUND');
      const { tenantId, status, payload, settings } = survey;
      const { schema_version: schemaVersion, version, survey: definition } = payload;
      return { tenantId, status, schemaVersion, version, definition, ...(settings && { settings }) };
    },

    async getRetentions({ surveyIds }) {
      const known = surveyIds.flatMap((surveyId) => {
        const survey = state.surveys.get(surveyId);
        return survey === undefined ? [] : [toRetention(surveyId, survey)];
      });
      return { retentions: known };
    },

    findSurveys: () => Promise.reject(new Error('not called by the import service')),
    findLinks: () => Promise.reject(new Error('not called by the import service')),

    async getLinkBySlug() {
      throw new AppError('LINK_NOT_FOUND');
    },

    async getLinkSlug() {
      throw new AppError('LINK_NOT_FOUND');
    },

    async storeImportedSurvey({ surveyId, schemaVersion, version, definition: given = {}, status, settings }, context) {
      if (state.rejection !== undefined) throw state.rejection;
      const { tenantId, actor } = tenantCallOf(context);
      const before = state.surveys.get(surveyId);
      if (before !== undefined && before.tenantId !== tenantId) throw new AppError('ALREADY_EXISTS');
      const payload = { schema_version: schemaVersion, version, survey: given };
      if (before === undefined && checkShape(payload).length > 0) throw new AppError('INVALID_DEFINITION');
      const survey = before ?? { tenantId, status, payload, settings, createdBy: actor };
      state.surveys.set(surveyId, survey);
      return { survey: toMessage(surveyId, survey) };
    },
  });
}

function toRetention(surveyId: string, { tenantId, settings }: FakeSurvey) {
  const { retentionDays } = settings ?? {};
  return { surveyId, tenantId, state: 'kept', ...(retentionDays === undefined ? {} : { retentionDays }) };
}

function toMessage(id: string, { tenantId, status, payload, settings, createdBy }: FakeSurvey) {
  const { schema_version: schemaVersion, version, survey: definition } = payload;
  return { id, tenantId, status, schemaVersion, version, definition, createdBy, ...(settings && { settings }) };
}

function answersOf(text: string): JsonObject {
  const answers = parseObject(text);
  if (answers === undefined) throw new AppError('VALIDATION_FAILED');
  return answers;
}

function fakeResponses(state: FakeState): Implementation {
  return implement(ResponseImportService, {
    async storeImportedResponses({ surveyId, responses, silent, importBegunAt, wasSentBefore }, context) {
      await state.beforeBatch(responses);
      if (state.batches.length === state.batchesUntilAway) throw new AppError('UNAVAILABLE');
      const { tenantId } = tenantCallOf(context);
      const survey = state.surveys.get(surveyId);
      if (survey?.tenantId !== tenantId || survey.status === 'deleted') throw new AppError('SURVEY_NOT_FOUND');
      state.batches.push(responses.length);
      const { validate } = compile(survey.payload);
      const begunAt = importBegunAt === undefined ? new Date(0) : timestampDate(importBegunAt);
      return {
        outcomes: responses.map((response) => {
          const { id, externalId, answers, startedAt, completedAt, language, metadata, status } = response;
          const partial = response.allowsMissing || status !== '';
          const { data, errors } = validate(answersOf(answers), { lenient: true, inactive: true, partial });
          const [problem] = errors;
          if (problem !== undefined) {
            return {
              outcome: 'failed',
              code: 'INVALID_ANSWERS',
              detail: `${problem.path}: ${problem.detail}`,
              path: problem.path,
            };
          }
          // The real service uses another id if this one is taken.
          const key = `${surveyId} ${id}`;
          const isLater = (state.times.get(key) ?? new Date(0)) >= begunAt;
          if (state.responses.has(key)) return { outcome: wasSentBefore && isLater ? 'imported' : 'skipped' };
          if (state.times.has(key) && isLater) return { outcome: 'skipped' };
          const times = {
            startedAt: startedAt && timestampDate(startedAt),
            completedAt: completedAt && timestampDate(completedAt),
          };
          const stored = { tenantId, surveyId, externalId, data, ...times, language, metadata, silent };
          state.times.set(key, new Date());
          state.responses.set(key, { ...stored, status: status || 'completed' });
          return { outcome: 'imported' };
        }),
      };
    },

    async findImportedResponses({ surveyId, ids }, context) {
      const { tenantId } = tenantCallOf(context);
      const survey = state.surveys.get(surveyId);
      if (survey?.tenantId !== tenantId || survey.status === 'deleted') throw new AppError('SURVEY_NOT_FOUND');
      const seen = new Set<string>();
      return {
        stored: ids.map((id) => {
          const isStored = seen.has(id) || state.responses.has(`${surveyId} ${id}`);
          seen.add(id);
          return isStored;
        }),
      };
    },
  });
}
