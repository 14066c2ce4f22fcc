import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf';
import type { Value } from '@bufbuild/protobuf/wkt';
import type { HandlerContext } from '@connectrpc/connect';
import type { ImportSchema } from '@survey/proto/survey/imports/v1/import_service_pb';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { type TenantCall, tenantCallOf } from '@survey/runtime/rpc/call-context';
import type { RawExchange, RawHandler } from '@survey/runtime/rpc/implementation';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import type { ReceivedFile } from '../staging/receive-file.ts';
import { createDerivedIds } from './derived-ids.ts';
import type { ImportPlan } from './import.ts';
import { toImportMessage } from './import-mapper.ts';
import { fileOfValue, mayBeLarge, type ReceiveImport } from './import-request.ts';
import type { Imported, ImportService } from './import-service.ts';
import type { AnswerJob } from './job-answer-handler.ts';
import { keyed, toImporter } from './keyed-import.ts';
import { readPrefer } from './prefer.ts';

export interface FileImportDependencies {
  readonly imports: ImportService;
  readonly idempotency: Idempotency;
  readonly receive: ReceiveImport;
  readonly answerJob: AnswerJob;
  readonly checkMessage: MessageCheck;
}

type ImportMessage = MessageInitShape<typeof ImportSchema>;

/** An operation that imports a file. */
interface FileImport<Request extends DescMessage, Reply extends DescMessage> {
  readonly method: DescMethodUnary<Request, Reply>;
  /** Name of the field that holds the file. */
  readonly member: keyof MessageShape<Request> & string;
  /** The content of the file, for error details. */
  readonly content: 'surveys' | 'responses';
  /** The survey that the path names. */
  readonly surveyIdOf: (request: MessageShape<Request>) => string | undefined;
  readonly fileIn: (request: MessageShape<Request>) => Value | undefined;
  readonly formatOf: (request: MessageShape<Request>) => { readonly source: string; readonly format: string };
  readonly hasReader: (format: { readonly source: string; readonly format: string }) => boolean;
  /** @param origin the id from which the ids of imported records are derived */
  readonly toPlan: (request: MessageShape<Request>, call: TenantCall, origin: string) => Omit<ImportPlan, 'place'>;
  readonly toReply: (imported: Imported, plan: ImportPlan, context: HandlerContext) => MessageInitShape<Reply>;
  readonly toJobReply: (job: ImportMessage) => MessageInitShape<Reply>;
  readonly jobOf: (reply: MessageShape<Reply>) => ImportMessage | undefined;
  /** Called with each reply, also a repeated one. Returns true when it has sent the reply itself. */
  readonly finish?: (reply: MessageShape<Reply>, context: HandlerContext, exchange?: RawExchange) => boolean;
}

/** A file and where it stood: a JSON pointer into the body, empty when it was the body. */
interface PlacedFile {
  readonly received: ReceivedFile;
  readonly place: string;
}

/** Handles a file import: over REST with a file of any length, over gRPC with one that fits a message. */
export function createFileImport<Request extends DescMessage, Reply extends DescMessage>(
  { imports, idempotency, receive, answerJob, checkMessage }: FileImportDependencies,
  operation: FileImport<Request, Reply>,
) {
  const { method, member } = operation;
  const schema = method.input;

  function check(request: MessageShape<Request>): void {
    checkMessage(schema, request);
    const wanted = operation.formatOf(request);
    if (operation.hasReader(wanted)) return;
    const detail = `There are no files of ${wanted.source} with ${operation.content} in this format`;
    throw new AppError('VALIDATION_FAILED', { errors: [{ path: '/format', code: 'NO_SUCH_FORMAT', detail }] });
  }

  function run(request: MessageShape<Request>, context: HandlerContext, { received, place }: PlacedFile) {
    const call = tenantCallOf(context);
    return idempotency.answer(method, keyed(request, member, received), context, async (origin) => {
      const plan = { ...operation.toPlan(request, call, origin), place };
      const begun = await imports.begin(createDerivedIds(origin).job(), toImporter(call), plan, received);
      if ('job' in begun) return operation.toJobReply(toImportMessage(begun.job));
      return operation.toReply(begun.imported, plan, context);
    });
  }

  const raw: RawHandler<Request, Reply> = async (message, context, exchange) => {
    const call = tenantCallOf(context);
    const { tenantId } = call;
    const { isAsync, waitMs } = readPrefer(context);
    const surveyId = operation.surveyIdOf(message);
    const params = surveyId === undefined ? {} : { survey_id: surveyId };
    if (mayBeLarge(exchange, context)) await imports.checkBefore(toImporter(call), surveyId);
    const received = await receive({
      schema,
      check,
      message,
      member,
      params,
      tenantId,
      isToBeStaged: isAsync,
      exchange,
    });
    const reply = await imports.orDiscard(tenantId, received.staged, () =>
      run(received.message, context, { received, place: received.place }),
    );
    const job = operation.jobOf(reply);
    const isSent = operation.finish?.(reply, context, exchange) === true;
    if (job !== undefined) await answerJob(exchange, context, job, { tenantId, waitMs });
    // A message is a valid initial value of itself.
    return job !== undefined || isSent ? undefined : (reply as MessageInitShape<Reply>);
  };

  return {
    raw,
    async unary(request: MessageShape<Request>, context: HandlerContext) {
      check(request);
      const place = `/${member}`;
      const file = fileOfValue(operation.fileIn(request), operation.formatOf(request).format, place);
      const reply = await run(request, context, { received: { file, staged: undefined, digest: undefined }, place });
      operation.finish?.(reply, context);
      return reply;
    },
  };
}
