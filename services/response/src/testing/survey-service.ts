import { randomUUID } from 'node:crypto';
import type { JsonObject } from '@bufbuild/protobuf';
import { DefinitionService } from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { createTokenVerifier } from '@survey/runtime/auth/internal-token';
import { createKeySet } from '@survey/runtime/auth/key-set';
import { AppError } from '@survey/runtime/errors/app-error';
import { createGrpcServer } from '@survey/runtime/rpc/grpc-server';
import { implement } from '@survey/runtime/rpc/implementation';
import { createPipeline } from '@survey/runtime/rpc/pipeline';
import type { TestKeys } from '@survey/runtime/testing/test-keys';
import { testLog } from '@survey/runtime/testing/test-log';
import { Registry } from 'prom-client';
import type { DefinitionStatus } from '../definitions/definition.ts';

/** A survey as a test has it. */
interface TestSurvey {
  readonly surveyId: string;
  readonly tenantId: string;
  readonly status: DefinitionStatus;
  readonly version: number;
  readonly definition: JsonObject;
}

/** The survey service's side of the contract over real gRPC, with surveys in memory. */
export interface TestSurveyService {
  readonly address: string;
  /** Adds a survey of a tenant of its own, active unless said otherwise. */
  add(survey?: Partial<TestSurvey>): TestSurvey;
  /** Changes a survey. */
  set(surveyId: string, change: Partial<TestSurvey>): void;
  /** Goes away; calls are refused until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const testDefinition: JsonObject = {
  title: 'Lunch',
  supported_languages: ['en', 'de'],
  pages: [
    {
      questions: [
        { id: 'ate', type: 'single_choice', title: 'Did you eat?', required: true, options: ['yes', 'no'] },
        { id: 'taste', type: 'rating', title: 'How was it?', required: true },
        { id: 'comment', type: 'textarea', title: 'Anything else?' },
        { id: 'age', type: 'text', format: 'integer', title: 'How old are you?' },
      ],
    },
  ],
  logic: [
    {
      question_id: 'taste',
      conditions: [{ source_question: 'ate', operator: 'equals', value: 'yes', action: 'show' }],
    },
    {
      question_id: 'comment',
      action: 'disqualify',
      conditions: [{ source_question: 'comment', operator: 'equals', value: 'spam', action: 'disqualify' }],
    },
  ],
};

export async function startSurveyService(keys: TestKeys): Promise<TestSurveyService> {
  const surveys = new Map<string, TestSurvey>();
  const keySet = await createKeySet({ file: keys.jwksFile, log: testLog });
  const verifier = createTokenVerifier({ service: 'survey', keySet });
  const handler = implement(DefinitionService, {
    getDefinition({ surveyId }) {
      const survey = surveys.get(surveyId);
      if (survey === undefined) throw new AppError('SURVEY_NOT_FOUND');
      const { tenantId, status, version, definition } = survey;
      return { tenantId, status, schemaVersion: '1.0', version, definition };
    },
    storeImportedSurvey: () => Promise.reject(new Error('not called by the response service')),
  });
  const createServer = () =>
    createGrpcServer({
      implementations: [handler],
      pipeline: createPipeline({ verifier, log: testLog, registry: new Registry() }),
    });

  let server = createServer();
  const port = await server.listen(0, '127.0.0.1');
  return {
    address: `127.0.0.1:${port}`,
    add(given = {}) {
      const [surveyId, tenantId] = [randomUUID(), randomUUID()];
      const survey: TestSurvey = {
        surveyId,
        tenantId,
        status: 'active',
        version: 1,
        definition: testDefinition,
        ...given,
      };
      surveys.set(survey.surveyId, survey);
      return survey;
    },
    set(surveyId, change) {
      const survey = surveys.get(surveyId);
      if (survey !== undefined) surveys.set(surveyId, { ...survey, ...change });
    },
    stop: () => server.close(),
    async start() {
      server = createServer();
      await server.listen(port, '127.0.0.1');
    },
  };
}
