import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf';
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import type { HandlerContext } from '@connectrpc/connect';
import { formatsOf } from '@survey/formats/sources';
import {
  type ImportResponsesResponseSchema,
  ImportSchema,
  ImportService as ImportServiceDesc,
  type ImportSurveyResponseSchema,
} from '@survey/proto/survey/imports/v1/import_service_pb';
import { SurveySchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { type TenantCall, tenantCallOf } from '@survey/runtime/rpc/call-context';
import { FIRST_REVISION, setEtag } from '@survey/runtime/rpc/if-match';
import { implement, type RawExchange, type RawHandler } from '@survey/runtime/rpc/implementation';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import { fileOfValue, type ReceiveImport, sendJson, shouldCheckEarly } from './import-request.ts';
import { fromResponsesMessage, fromSurveyMessage, toImportMessage, toReportMessage } from './imports/import-mapper.ts';
import type { Imported, ImportService } from './imports/import-service.ts';
import type { ReportedError } from './imports/report.ts';
import { createResponsePlanHandlers, createSurveyPlanHandlers, type PlanDependencies } from './plan-handler.ts';
import { createDerivedIds, type ImportOptions } from './reading/read-import.ts';
import type { ReceivedFile } from './staging/staged-file.ts';

export function createImportHandler(dependencies: FileImportDependencies & PlanDependencies) {
  const { imports } = dependencies;
  const surveyImports = createSurveyImport(dependencies);
  const responseImports = createResponseImport(dependencies);
  const surveyPlans = createSurveyPlanHandlers(dependencies);
  const responsePlans = createResponsePlanHandlers(dependencies);

  return implement<
    typeof ImportServiceDesc,
    'importSurvey' | 'importResponses' | 'planSurveyImport' | 'planResponseImport' | 'listImportErrors'
  >(
    ImportServiceDesc,
    {
      importSurvey: surveyImports.unary,
      importResponses: responseImports.unary,
      planSurveyImport: surveyPlans.unary,
      planResponseImport: responsePlans.unary,

      async listImports(request, context) {
        const { tenantId } = tenantCallOf(context);
        const { items, nextCursor } = await imports.list(tenantId, toPageQuery(request));
        return { imports: items.map(toImportMessage), nextCursor: nextCursor ?? '' };
      },

      async getImport({ importId }, context) {
        const found = create(
          ImportSchema,
          toImportMessage(await imports.get(tenantCallOf(context).tenantId, importId)),
        );
        // Imports have no revision, so the ETag is a hash of the content.
        const digest = createHash('sha256').update(toBinary(ImportSchema, found)).digest('base64url');
        context.responseHeader.set('etag', `"${digest}"`);
        return { import: found };
      },

      async cancelImport({ importId }, context) {
        const call = tenantCallOf(context);
        return { import: toImportMessage(await imports.cancel(call.tenantId, importId, call)) };
      },
    },
    {
      importSurvey: surveyImports.raw,
      importResponses: responseImports.raw,
      planSurveyImport: surveyPlans.raw,
      planResponseImport: responsePlans.raw,

      async listImportErrors({ importId }, context, { request, response }) {
        const batches = await imports.readErrors(tenantCallOf(context).tenantId, importId);
        response.setHeader('content-type', 'application/x-ndjson');
        await pipeline(request.method === 'HEAD' ? [] : linesOf(batches), response);
        return undefined;
      },
    },
  );
}

async function* linesOf(batches: AsyncIterable<readonly ReportedError[]>): AsyncGenerator<string> {
  for await (const errors of batches) yield errors.map((error) => `${JSON.stringify(error)}\n`).join('');
}

interface Dependencies {
  readonly imports: Pick<ImportService, 'get'>;
}

/** Preferences of a caller (RFC 7240). */
interface Preference {
  /** Whether the caller prefers a job (`respond-async`). */
  readonly isAsync: boolean;
  /** Time that the caller waits for the end of the job (`wait`), in milliseconds. */
  readonly waitMs: number;
}

const POLL_INTERVAL_MS = 100;
/** The timeout of the gateway is ten seconds longer. */
const MAX_WAIT_S = 25;

type JobReplies = ReturnType<typeof createJobReplies>;

/** Replies to calls that started a job. The status is 200 if the job ends while the caller waits, otherwise 202. */
export function createJobReplies({ imports }: Dependencies) {
  let isStopped = false;
  return {
    async send(
      exchange: Pick<RawExchange, 'response'>,
      context: HandlerContext,
      job: MessageInitShape<typeof ImportSchema>,
      { tenantId, waitMs }: { readonly tenantId: TenantId; readonly waitMs: number },
    ): Promise<void> {
      const { id = '' } = job;
      const until = performance.now() + waitMs;
      let message = job;
      let isOver = false;
      while (!isOver && performance.now() < until && !context.signal.aborted && !isStopped) {
        await delay(POLL_INTERVAL_MS);
        // If the state cannot be read, the caller gets the last known state.
        const item = await imports.get(tenantId, id).catch(() => undefined);
        if (item === undefined) break;
        message = toImportMessage(item);
        isOver = item.finishedAt !== undefined;
      }
      context.responseHeader.set('location', `${API_PREFIX}/imports/${id}`);
      if (waitMs > 0)
        context.responseHeader.set('preference-applied', isOver ? `wait=${waitMs / 1_000}` : 'respond-async');
      sendJson(exchange, context, { status: isOver ? 200 : 202, schema: ImportSchema, message });
    },

    /** Replies to waiting callers now. */
    async stop(): Promise<void> {
      isStopped = true;
    },
  };
}

/** Reads the `Prefer` header, and ignores unknown preferences. */
export function readPrefer({ requestHeader }: Pick<HandlerContext, 'requestHeader'>): Preference {
  const preferences = (requestHeader.get('prefer') ?? '').split(/[,;]/).map((part) => part.trim().toLowerCase());
  const wait = preferences.map((part) => /^wait\s*=\s*"?(\d{1,6})"?$/.exec(part)?.[1]).find((seconds) => seconds);
  return {
    isAsync: preferences.includes('respond-async'),
    waitMs: Math.min(MAX_WAIT_S, Number(wait ?? 0)) * 1_000,
  };
}

const { importSurvey, importResponses } = ImportServiceDesc.method;

interface FileImportDependencies {
  readonly imports: ImportService;
  readonly idempotency: Idempotency;
  readonly receive: ReceiveImport;
  readonly jobReplies: Pick<JobReplies, 'send'>;
  readonly checkMessage: MessageCheck;
}

/** Maximum characters of an unknown format in an error. */
const MAX_FORMAT_LENGTH = 50;

type ReplySchema = typeof ImportSurveyResponseSchema | typeof ImportResponsesResponseSchema;

interface FileImport<Request extends DescMessage, Reply extends ReplySchema> {
  readonly method: DescMethodUnary<Request, Reply>;
  /** Name of the field that holds the file. */
  readonly member: keyof MessageShape<Request> & string;
  readonly content: 'survey' | 'responses';
  readonly surveyIdOf: (request: MessageShape<Request>) => string | undefined;
  readonly fileIn: (request: MessageShape<Request>) => Value | undefined;
  readonly formatOf: (request: MessageShape<Request>) => { readonly source: string; readonly format: string };
  /** @param origin the id from which the ids of imported records are derived */
  readonly toOptions: (
    request: MessageShape<Request>,
    call: TenantCall,
    origin: string,
  ) => Omit<ImportOptions, 'location' | 'requestedAt'>;
  readonly toReply: (imported: Imported, options: ImportOptions, context: HandlerContext) => MessageInitShape<Reply>;
  /** Called with each reply, even a repeated one. Returns true if it has sent the reply itself. */
  readonly finish?: (reply: MessageShape<Reply>, context: HandlerContext, exchange?: RawExchange) => boolean;
}

/** A file and its location: a JSON pointer into the body, empty if the file is the body. */
interface LocatedFile {
  readonly received: ReceivedFile;
  readonly location: string;
}

function createSurveyImport(dependencies: FileImportDependencies) {
  return createFileImport(dependencies, {
    method: importSurvey,
    member: 'data',
    content: 'survey',
    surveyIdOf: () => undefined,
    fileIn: ({ data }) => data,
    formatOf: ({ source, format }) => ({ source, format }),
    toOptions(request, { caller }, origin) {
      const mayImportResponses = caller.permissions.has('responses:import');
      return { ...fromSurveyMessage(request), mayImportResponses, surveyId: origin, origin };
    },
    toReply({ survey, report }, { dryRun }, context) {
      if (!dryRun) setEtag(context, FIRST_REVISION);
      return { survey: create(SurveySchema, { ...survey, import: toReportMessage(report) }) };
    },
    finish({ survey }, context, exchange) {
      if (survey === undefined) return false;
      if (survey.id !== '') context.responseHeader.set('location', `${API_PREFIX}/surveys/${survey.id}`);
      // A dry run creates nothing, so its status is 200 instead of 201.
      if (survey.id !== '' || exchange === undefined) return false;
      sendJson(exchange, context, { status: 200, schema: SurveySchema, message: survey });
      return true;
    },
  });
}

function createResponseImport(dependencies: FileImportDependencies) {
  return createFileImport(dependencies, {
    method: importResponses,
    member: 'responses',
    content: 'responses',
    surveyIdOf: ({ surveyId }) => surveyId,
    fileIn: ({ responses }) => responses,
    formatOf: fromResponsesMessage,
    toOptions: (request, _call, origin) => ({
      ...fromResponsesMessage(request),
      surveyId: request.surveyId,
      mayImportResponses: true,
      origin,
    }),
    toReply: ({ report }) => ({ report: toReportMessage(report) }),
  });
}

/** Handles a file import over REST or gRPC. Over gRPC, the file must fit into a message. */
function createFileImport<Request extends DescMessage, Reply extends ReplySchema>(
  { imports, idempotency, receive, jobReplies, checkMessage }: FileImportDependencies,
  operation: FileImport<Request, Reply>,
) {
  const { method, member } = operation;
  const schema = method.input;

  function check(request: MessageShape<Request>): void {
    const { source, format } = operation.formatOf(request);
    const formats = formatsOf(source, operation.content);
    // The message check accepts the formats of all sources. Check here that the format belongs to this source.
    if (format !== '' && formats.length > 0 && !formats.includes(format)) {
      const detail = `${source} has no ${operation.content} in the format ${format.slice(0, MAX_FORMAT_LENGTH)}; its formats are ${formats.join(', ')}`;
      throw new AppError('VALIDATION_FAILED', { errors: [{ path: '/format', code: 'NO_SUCH_FORMAT', detail }] });
    }
    checkMessage(schema, request);
  }

  function run(request: MessageShape<Request>, context: HandlerContext, { received, location }: LocatedFile) {
    const call = tenantCallOf(context);
    return idempotency.run(method, toComparable(request, member, received), context, async (origin, requestedAt) => {
      const options = { ...operation.toOptions(request, call, origin), location, requestedAt };
      const begun = await imports.begin(createDerivedIds(origin).job(), toChangeContext(call), options, received);
      // Every reply schema has the field `import`.
      if ('job' in begun) return { import: toImportMessage(begun.job) } as MessageInitShape<Reply>;
      return operation.toReply(begun.imported, options, context);
    });
  }

  const raw: RawHandler<Request, Reply> = async (message, context, exchange) => {
    const call = tenantCallOf(context);
    const { tenantId } = call;
    const { isAsync, waitMs } = readPrefer(context);
    const surveyId = operation.surveyIdOf(message);
    const params = surveyId === undefined ? {} : { survey_id: surveyId };
    if (shouldCheckEarly(exchange, context)) await imports.checkBeforeUpload(toChangeContext(call), surveyId);
    const received = await receive({
      schema,
      check,
      message,
      member,
      params,
      tenantId,
      alwaysStage: isAsync,
      exchange,
    });
    const reply = await imports.withStagedFile(tenantId, received.staged, () =>
      run(received.message, context, { received, location: received.location }),
    );
    const job = reply.import;
    const isSent = operation.finish?.(reply, context, exchange) === true;
    if (job !== undefined) await jobReplies.send(exchange, context, job, { tenantId, waitMs });
    // The cast is safe: a message can initialise another one.
    return job !== undefined || isSent ? undefined : (reply as MessageInitShape<Reply>);
  };

  return {
    raw,
    async unary(request: MessageShape<Request>, context: HandlerContext) {
      check(request);
      const location = `/${member}`;
      const file = fileOfValue(operation.fileIn(request), operation.formatOf(request).format, location);
      const reply = await run(request, context, { received: { file, staged: undefined, digest: undefined }, location });
      operation.finish?.(reply, context);
      return reply;
    },
  };
}

/** Returns the request to compare for idempotency. It has the digest of the file instead of the file. */
function toComparable<Message extends MessageShape<DescMessage>>(
  message: Message,
  member: keyof Message,
  { digest }: Pick<ReceivedFile, 'digest'>,
): Message {
  if (digest === undefined) return message;
  const value: Value = create(ValueSchema, {
    kind: { case: 'stringValue', value: Buffer.from(digest).toString('base64url') },
  });
  return { ...message, [member]: value };
}

function toChangeContext({ tenantId, actor, requestId, traceparent }: TenantCall): ChangeContext {
  return { tenantId, actor, requestId, traceparent };
}
