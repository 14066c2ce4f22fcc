import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import { ImportSchema, ImportService as ImportServiceDesc } from '@survey/proto/survey/imports/v1/import_service_pb';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import { toImportMessage } from '../imports/import-mapper.ts';
import type { ReportedError } from '../imports/report.ts';
import { createResponseImport, createSurveyImport, type FileImportDependencies } from './file-import-handler.ts';
import { createResponsePlans, createSurveyPlans, type PlanDependencies } from './plan-handler.ts';

export function createImportHandler(dependencies: FileImportDependencies & PlanDependencies) {
  const { imports } = dependencies;
  const surveyImports = createSurveyImport(dependencies);
  const responseImports = createResponseImport(dependencies);
  const surveyPlans = createSurveyPlans(dependencies);
  const responsePlans = createResponsePlans(dependencies);

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
