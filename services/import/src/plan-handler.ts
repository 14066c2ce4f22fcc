import {
  create,
  type DescMessage,
  type DescMethodUnary,
  type MessageInitShape,
  type MessageShape,
} from '@bufbuild/protobuf';
import type { Value } from '@bufbuild/protobuf/wkt';
import type { HandlerContext } from '@connectrpc/connect';
import type { ImportFile } from '@survey/formats/files/import-file';
import type { FilePlan, PlanRequest } from '@survey/formats/plans/file-plan';
import {
  type ImportPlan,
  ImportPlanSchema,
  ImportService as ImportServiceDesc,
  type PlanResponseImportResponseSchema,
  type PlanSurveyImportResponseSchema,
} from '@survey/proto/survey/imports/v1/import_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import type { RawHandler } from '@survey/runtime/rpc/implementation';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import { fileOfValue, type ReceiveImport } from './import-request.ts';
import { toTableOptions } from './imports/import-mapper.ts';
import type { ImportService } from './imports/import-service.ts';
import { effectiveTableOptions } from './reading/read-import.ts';

const { planSurveyImport, planResponseImport } = ImportServiceDesc.method;

export interface PlanDependencies {
  readonly imports: Pick<ImportService, 'plan'>;
  /** Receives files of up to 1 MiB. */
  readonly receiveForPlan: ReceiveImport;
  readonly checkMessage: MessageCheck;
}

type PlanReplySchema = typeof PlanSurveyImportResponseSchema | typeof PlanResponseImportResponseSchema;

/** An operation that plans an import: it reports how an import would read the file, and stores nothing. */
interface PlanOperation<Request extends DescMessage, Reply extends PlanReplySchema> {
  readonly method: DescMethodUnary<Request, Reply>;
  /** Name of the field that holds the file. */
  readonly member: keyof MessageShape<Request> & string;
  readonly surveyIdOf: (request: MessageShape<Request>) => string | undefined;
  readonly fileIn: (request: MessageShape<Request>) => Value | undefined;
  readonly toRequest: (request: MessageShape<Request>) => Omit<PlanRequest, 'survey' | 'isPartial'>;
}

export function createSurveyPlanHandlers(dependencies: PlanDependencies) {
  return createPlanHandlers(dependencies, {
    method: planSurveyImport,
    member: 'data',
    surveyIdOf: () => undefined,
    fileIn: ({ data }) => data,
    toRequest: ({ source, format, filename, options }) => ({
      given: toGiven(source, format),
      filename,
      unmask: undefined,
      table: toTableOptions(options ?? {}),
    }),
  });
}

export function createResponsePlanHandlers(dependencies: PlanDependencies) {
  return createPlanHandlers(dependencies, {
    method: planResponseImport,
    member: 'responses',
    surveyIdOf: ({ surveyId }) => surveyId,
    fileIn: ({ responses }) => responses,
    toRequest: (request) => ({
      given: toGiven(request.source, request.format),
      filename: request.filename,
      unmask: request.unmask,
      table: toTableOptions(request),
    }),
  });
}

function createPlanHandlers<Request extends DescMessage, Reply extends PlanReplySchema>(
  { imports, receiveForPlan, checkMessage }: PlanDependencies,
  operation: PlanOperation<Request, Reply>,
) {
  const { method, member } = operation;
  const schema = method.input;
  const check = (request: MessageShape<Request>) => checkMessage(schema, request);

  async function run(
    request: MessageShape<Request>,
    context: HandlerContext,
    file: ImportFile,
    location: string,
  ): Promise<MessageInitShape<Reply>> {
    const planRequest = operation.toRequest(request);
    const table = effectiveTableOptions({ table: planRequest.table, location });
    const surveyId = operation.surveyIdOf(request);
    const plan = await imports.plan(tenantCallOf(context), surveyId, file, { ...planRequest, table });
    // Every reply schema has the field `plan`.
    return { plan: toPlanMessage(plan) } as MessageInitShape<Reply>;
  }

  /** For REST, where the body can be the file. */
  const raw: RawHandler<Request, Reply> = async (message, context, exchange) => {
    const { tenantId } = tenantCallOf(context);
    const surveyId = operation.surveyIdOf(message);
    const params = surveyId === undefined ? {} : { survey_id: surveyId };
    const received = await receiveForPlan({
      schema,
      check,
      message,
      member,
      params,
      tenantId,
      alwaysStage: false,
      exchange,
    });
    return run(received.message, context, received.file, received.location);
  };

  return {
    raw,
    /** For gRPC. */
    async unary(request: MessageShape<Request>, context: HandlerContext) {
      check(request);
      const { given } = operation.toRequest(request);
      const location = `/${member}`;
      const file = fileOfValue(operation.fileIn(request), given.format ?? '', location);
      return run(request, context, file, location);
    },
  };
}

/** Omits an empty source or format: the plan detects it. */
function toGiven(source: string, format: string): PlanRequest['given'] {
  return { ...(source !== '' && { source }), ...(format !== '' && { format }) };
}

function toPlanMessage({
  columns,
  problems,
  warnings,
  targets,
  suggestions,
  ...plan
}: FilePlan & Pick<PlanRequest, 'isPartial'>): ImportPlan {
  return create(ImportPlanSchema, {
    ...plan,
    columns: columns.map(({ contents, problems: found, ...column }) => ({
      ...column,
      contents: Object.fromEntries(contents),
      problems: [...found],
    })),
    targets: [...targets],
    problems: [...problems],
    warnings: [...warnings],
    suggestions: suggestions.map(({ name, values }) => ({ name, values: [...values] })),
  });
}
