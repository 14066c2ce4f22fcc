import { create, type MessageShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import {
  ImportService as ImportServiceDesc,
  type ImportSurveyRequest,
  ImportSurveyRequestSchema,
  type ImportSurveyResponseSchema,
} from '@survey/proto/survey/imports/v1/import_service_pb';
import { SurveySchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { type TenantCall, tenantCallOf } from '@survey/runtime/rpc/call-context';
import type { Idempotency } from '@survey/runtime/rpc/idempotency';
import { FIRST_REVISION, setEtag } from '@survey/runtime/rpc/if-match';
import type { RawHandler } from '@survey/runtime/rpc/implementation';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import { findSurveyReader } from '../sources/sources.ts';
import type { ReceivedFile } from '../staging/receive-file.ts';
import { answerJson } from './answer-json.ts';
import { createDerivedIds } from './derived-ids.ts';
import type { ImportPlan } from './import.ts';
import { fromSurveyMessage, toImportMessage, toReportMessage } from './import-mapper.ts';
import { fileOfValue, mayBeLarge, type ReceiveImport } from './import-request.ts';
import type { ImportService } from './import-service.ts';
import type { AnswerJob } from './job-answer-handler.ts';
import { keyed, toImporter } from './keyed-import.ts';
import { readPrefer } from './prefer.ts';

export interface ImportHandlerDependencies {
  readonly imports: ImportService;
  readonly idempotency: Idempotency;
  readonly receive: ReceiveImport;
  readonly answerJob: AnswerJob;
  readonly checkMessage: MessageCheck;
}

const { importSurvey } = ImportServiceDesc.method;
const MEMBER = 'data';

/** Takes surveys in: over REST of any length, over gRPC as large as a message may be. */
export function createSurveyImportHandler(dependencies: ImportHandlerDependencies) {
  const { imports, idempotency, receive, answerJob, checkMessage } = dependencies;

  function check(message: ImportSurveyRequest): void {
    checkMessage(ImportSurveyRequestSchema, message);
    if (findSurveyReader(message) !== undefined) return;
    const detail = `There are no files of ${message.source} with surveys in this format`;
    throw new AppError('VALIDATION_FAILED', { errors: [{ path: '/format', code: 'NO_SUCH_FORMAT', detail }] });
  }

  /** The answer to the request, of this time or the first one with its key. */
  async function answer(
    message: ImportSurveyRequest,
    context: HandlerContext,
    call: TenantCall,
    { received, place }: { readonly received: ReceivedFile; readonly place: string },
  ): Promise<MessageShape<typeof ImportSurveyResponseSchema>> {
    const mayImportResponses = call.caller.permissions.has('responses:import');
    const asked = { ...fromSurveyMessage(message), place, mayImportResponses };
    const importer = toImporter(call);
    const answered = await idempotency.answer(importSurvey, keyed(message, MEMBER, received), context, async (id) => {
      const plan: ImportPlan = { ...asked, surveyId: id, origin: id };
      const begun = await imports.begin(createDerivedIds(id).job(), importer, plan, received);
      if ('job' in begun) return { import: toImportMessage(begun.job) };
      const { survey, report } = begun.imported;
      if (!plan.dryRun) setEtag(context, FIRST_REVISION);
      return { survey: create(SurveySchema, { ...survey, import: toReportMessage(report) }) };
    });
    const { survey } = answered;
    if (survey !== undefined && survey.id !== '')
      context.responseHeader.set('location', `${API_PREFIX}/surveys/${survey.id}`);
    return answered;
  }

  const raw: RawHandler<typeof ImportSurveyRequestSchema, typeof ImportSurveyResponseSchema> = async (
    message,
    context,
    exchange,
  ) => {
    const call = tenantCallOf(context);
    const { tenantId } = call;
    const { isAsync, waitMs } = readPrefer(context);
    const schema = ImportSurveyRequestSchema;
    const request = { schema, check, message, member: MEMBER, params: {}, tenantId, isToBeStaged: isAsync, exchange };
    if (mayBeLarge(exchange, context)) await imports.checkBefore(toImporter(call), undefined);
    const received = await receive(request);
    const answered = await imports.orDiscard(tenantId, received.staged, () =>
      answer(received.message, context, call, { received, place: received.place }),
    );
    if (answered.import !== undefined) await answerJob(exchange, context, answered.import, { tenantId, waitMs });
    else if (answered.survey?.id === '')
      answerJson(exchange, context, { status: 200, schema: SurveySchema, message: answered.survey });
    else return answered;
    return undefined;
  };

  return {
    raw,
    async unary(message: ImportSurveyRequest, context: HandlerContext) {
      check(message);
      const place = `/${MEMBER}`;
      const file = fileOfValue(message.data, message.format, place);
      return answer(message, context, tenantCallOf(context), {
        received: { file, staged: undefined, digest: undefined },
        place,
      });
    },
  };
}
