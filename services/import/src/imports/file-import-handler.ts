import type { MessageShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import {
  type ImportResponsesRequest,
  ImportResponsesRequestSchema,
  type ImportResponsesResponseSchema,
  ImportService as ImportServiceDesc,
} from '@survey/proto/survey/imports/v1/import_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import { type TenantCall, tenantCallOf } from '@survey/runtime/rpc/call-context';
import type { RawHandler } from '@survey/runtime/rpc/implementation';
import { findResponseReader } from '../sources/sources.ts';
import type { ReceivedFile } from '../staging/receive-file.ts';
import { createDerivedIds } from './derived-ids.ts';
import { fromResponsesMessage, toImportMessage, toReportMessage } from './import-mapper.ts';
import { fileOfValue, mayBeLarge } from './import-request.ts';
import { keyed, toImporter } from './keyed-import.ts';
import { readPrefer } from './prefer.ts';
import type { ImportHandlerDependencies } from './survey-import-handler.ts';

const { importResponses } = ImportServiceDesc.method;
const MEMBER = 'responses';

/** Takes responses to a survey in: over REST of any length, over gRPC as large as a message may be. */
export function createResponseImportHandler(dependencies: ImportHandlerDependencies) {
  const { imports, idempotency, receive, answerJob, checkMessage } = dependencies;

  function check(message: ImportResponsesRequest): void {
    checkMessage(ImportResponsesRequestSchema, message);
    const { source, format } = fromResponsesMessage(message);
    if (findResponseReader({ source, format }) !== undefined) return;
    const detail = `There are no files of ${source} with responses in this format`;
    throw new AppError('VALIDATION_FAILED', { errors: [{ path: '/format', code: 'NO_SUCH_FORMAT', detail }] });
  }

  /** The answer to the request, of this time or the first one with its key. */
  async function answer(
    message: ImportResponsesRequest,
    context: HandlerContext,
    call: TenantCall,
    { received, place }: { readonly received: ReceivedFile; readonly place: string },
  ): Promise<MessageShape<typeof ImportResponsesResponseSchema>> {
    const { surveyId } = message;
    const asked = { ...fromResponsesMessage(message), surveyId, place, mayImportResponses: true };
    const importer = toImporter(call);
    return idempotency.answer(importResponses, keyed(message, MEMBER, received), context, async (origin) => {
      const begun = await imports.begin(createDerivedIds(origin).job(), importer, { ...asked, origin }, received);
      if ('job' in begun) return { import: toImportMessage(begun.job) };
      return { report: toReportMessage(begun.imported.report) };
    });
  }

  const raw: RawHandler<typeof ImportResponsesRequestSchema, typeof ImportResponsesResponseSchema> = async (
    message,
    context,
    exchange,
  ) => {
    const call = tenantCallOf(context);
    const { tenantId } = call;
    const { isAsync, waitMs } = readPrefer(context);
    const schema = ImportResponsesRequestSchema;
    const params = { survey_id: message.surveyId };
    const request = { schema, check, message, member: MEMBER, params, tenantId, isToBeStaged: isAsync, exchange };
    if (mayBeLarge(exchange, context)) await imports.checkBefore(toImporter(call), message.surveyId);
    const received = await receive(request);
    const answered = await imports.orDiscard(tenantId, received.staged, () =>
      answer(received.message, context, call, { received, place: received.place }),
    );
    if (answered.import === undefined) return answered;
    await answerJob(exchange, context, answered.import, { tenantId, waitMs });
    return undefined;
  };

  return {
    raw,
    async unary(message: ImportResponsesRequest, context: HandlerContext) {
      check(message);
      const place = `/${MEMBER}`;
      const file = fileOfValue(message.responses, message.format, place);
      return answer(message, context, tenantCallOf(context), {
        received: { file, staged: undefined, digest: undefined },
        place,
      });
    },
  };
}
