import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { create, toBinary } from '@bufbuild/protobuf';
import { ImportSchema, ImportService as ImportServiceDesc } from '@survey/proto/survey/imports/v1/import_service_pb';
import { SurveySchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { FIRST_REVISION, setEtag } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { fromResponsesMessage, fromSurveyMessage, toImportMessage, toReportMessage } from '../imports/import-mapper.ts';
import type { ReportedError } from '../imports/report.ts';
import { findResponseReader, findSurveyReader } from '../sources/sources.ts';
import { createFileImport, type FileImportDependencies } from './file-import-handler.ts';
import { sendJson } from './send-json.ts';

const { importSurvey, importResponses } = ImportServiceDesc.method;

function createSurveyImport(dependencies: FileImportDependencies) {
  return createFileImport(dependencies, {
    method: importSurvey,
    member: 'data',
    content: 'surveys',
    surveyIdOf: () => undefined,
    fileIn: ({ data }) => data,
    formatOf: ({ source, format }) => ({ source, format }),
    hasReader: (wanted) => findSurveyReader(wanted) !== undefined,
    toPlan(request, { caller }, origin) {
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
      // A dry run creates nothing, so it is not 201.
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
    hasReader: (wanted) => findResponseReader(wanted) !== undefined,
    toPlan: (request, _call, origin) => ({
      ...fromResponsesMessage(request),
      surveyId: request.surveyId,
      mayImportResponses: true,
      origin,
    }),
    toReply: ({ report }) => ({ report: toReportMessage(report) }),
  });
}

export function createImportHandler(dependencies: FileImportDependencies) {
  const { imports } = dependencies;
  const ofSurveys = createSurveyImport(dependencies);
  const ofResponses = createResponseImport(dependencies);

  return implement<typeof ImportServiceDesc, 'importSurvey' | 'importResponses' | 'listImportErrors'>(
    ImportServiceDesc,
    {
      importSurvey: ofSurveys.unary,
      importResponses: ofResponses.unary,

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
      importSurvey: ofSurveys.raw,
      importResponses: ofResponses.raw,

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
