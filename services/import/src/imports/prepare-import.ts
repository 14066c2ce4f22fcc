import type { JsonObject } from '@bufbuild/protobuf';
import { compile } from '@survey/questionnaire/compile';
import { readDefinition } from '@survey/questionnaire/definition/read-definition';
import type { Actor } from '@survey/runtime/auth/actor';
import { AppError } from '@survey/runtime/errors/app-error';
import { permissionDenied } from '@survey/runtime/rpc/call-context';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import type { ImportFile } from '../files/import-file.ts';
import { invalidImport } from '../files/invalid-import.ts';
import { createDryClient } from '../responses/dry-client.ts';
import { type FileResponse, type ReadResponse, refuseUnusable } from '../responses/file-response.ts';
import type { Stored } from '../responses/response-batches.ts';
import type { ResponseClient } from '../responses/response-client.ts';
import { createResponseIds } from '../responses/response-ids.ts';
import type { ReadSurvey } from '../sources/reader.ts';
import { findResponseReader, findSurveyReader } from '../sources/sources.ts';
import { type RenewedSurvey, renewIds } from '../surveys/renew-ids.ts';
import type { NewSurvey, SurveyClient } from '../surveys/survey-client.ts';
import { checkDefinition } from './check-definition.ts';
import { checkSettings } from './check-settings.ts';
import { createDerivedIds } from './derived-ids.ts';
import type { ImportPlan } from './import.ts';
import { type Peeked, peek } from './peek.ts';
import { inRequest, type Warnings } from './warnings.ts';
import { withKnownMembers } from './with-known-members.ts';

/** What a file is found to be, before anything of it is stored. */
export interface PreparedImport {
  readonly questions: number;
  /** What is to be stored first; undefined where responses are added to a survey that there is. */
  readonly survey: NewSurvey | undefined;
  /** A refusal of the survey, told by the place in the file. */
  readonly toFileError: (error: unknown) => unknown;
  readonly responses: AsyncIterable<FileResponse>;
  readonly toStored: (response: ReadResponse) => Stored;
  /** Where the responses go. */
  readonly client: ResponseClient;
}

interface Dependencies {
  readonly surveys: Pick<SurveyClient, 'getPayload'>;
  readonly responses: ResponseClient;
  readonly checkMessage: MessageCheck;
}

const OF_FILES: readonly string[] = ['INVALID_IMPORT', 'INVALID_DEFINITION'];

/**
 * Reads what a file has beside its responses, and looks whether it can be stored. Throws what refuses the import as a
 * whole: `INVALID_IMPORT`, `INVALID_DEFINITION`, `PERMISSION_DENIED`, `SURVEY_NOT_FOUND`. The same file and plan give the
 * same ids.
 */
export function createPreparation({ surveys, responses: store, checkMessage }: Dependencies) {
  const noResponses: Peeked<FileResponse> = { isEmpty: true, items: refuseUnusable([]) };

  async function prepareSurvey(plan: ImportPlan, file: ImportFile, tenantId: string, { warn }: Warnings) {
    const { title, language, surveyId } = plan;
    const read = withKnownMembers(await known(findSurveyReader(plan))(file, { title, language, warn }), warn);
    const found = plan.importResponses ? read.responses?.(warn) : undefined;
    const responses = found === undefined ? noResponses : await peek(refuseUnusable(found));
    if (!responses.isEmpty && !plan.mayImportResponses) throw permissionDenied('responses:import');
    const lintErrors = checkDefinition(read, plan.validateLogic);
    for (const problem of lintErrors) warn(problem);
    checkSettings(read, checkMessage);
    const ids = createDerivedIds(plan.origin);
    const { payload, renewAnswers } = plan.preserveIds ? keepIds(read.payload) : renewIds(read.payload, ids.next);
    const status = lintErrors.length === 0 && !responses.isEmpty ? 'closed' : 'draft';
    const idsOf = createResponseIds({ tenantId, surveyId, preserve: plan.preserveIds, newIdAt: ids.responseAt });
    return {
      questions: countQuestions(payload),
      survey: { id: surveyId, status, payload } as const,
      toFileError: (error: unknown) => toFileError(error, read),
      responses: responses.items,
      toStored: (response: ReadResponse) => ({
        ...response,
        answers: renewAnswers(response.answers),
        ...idsOf(response),
      }),
      client: plan.dryRun ? createDryClient(payload) : store,
    };
  }

  async function prepareResponses(plan: ImportPlan, file: ImportFile, importer: Actor, { warn }: Warnings) {
    const { surveyId, unmask } = plan;
    const payload = await surveys.getPayload(importer, surveyId);
    const definition = compile(payload);
    const found = known(findResponseReader(plan))(file, { payload, definition }, { unmask, warn });
    const newIdAt = createDerivedIds(plan.origin).responseAt;
    const idsOf = createResponseIds({ tenantId: importer.tenantId, surveyId, preserve: true, newIdAt });
    return {
      questions: countQuestions(payload),
      survey: undefined,
      toFileError: (error: unknown) => error,
      responses: refuseUnusable(found),
      toStored: (response: ReadResponse) => ({ ...response, ...idsOf(response) }),
      client: plan.dryRun ? createDryClient(payload) : store,
    };
  }

  return async (plan: ImportPlan, file: ImportFile, importer: Actor, warnings: Warnings): Promise<PreparedImport> => {
    const toRequestError = (error: unknown) => withPlace(error, plan.place);
    try {
      const prepared =
        plan.kind === 'survey'
          ? await prepareSurvey(plan, file, importer.tenantId, warnings)
          : await prepareResponses(plan, file, importer, warnings);
      return {
        ...prepared,
        toFileError: (error) => toRequestError(prepared.toFileError(error)),
        responses: toldAs(prepared.responses, toRequestError),
      };
    } catch (error) {
      throw toRequestError(error);
    }
  };
}

export type Prepare = ReturnType<typeof createPreparation>;

async function* toldAs<T>(stream: AsyncIterable<T>, toError: (error: unknown) => unknown): AsyncGenerator<T> {
  try {
    yield* stream;
  } catch (error) {
    throw toError(error);
  }
}

/** What is wrong in the file is told by its place in the request. */
function withPlace(error: unknown, place: string): unknown {
  const isOfFile = error instanceof AppError && OF_FILES.includes(error.reason);
  if (!isOfFile || place === '') return error;
  const errors = error.errors.map((problem) => inRequest(problem, place));
  return new AppError(error.reason, { detail: error.message, errors, cause: error });
}

/** What only the survey service can tell of settings is told by its place in the file; the rest of a refusal is ours. */
function toFileError(error: unknown, { inFile }: ReadSurvey): unknown {
  const ofSettings = error instanceof AppError ? error.errors.filter(({ path }) => path.startsWith('/settings')) : [];
  return ofSettings.length > 0 ? invalidImport(ofSettings.map(inFile)) : error;
}

function keepIds(payload: JsonObject): RenewedSurvey {
  return { payload, renewAnswers: (answers) => answers };
}

function countQuestions(payload: JsonObject): number {
  return readDefinition(payload).questions.length;
}

/** Requests for what is not there are refused before. */
function known<T>(reader: T | undefined): T {
  if (reader === undefined) throw new Error('There is no reader for the source and format of the import');
  return reader;
}
