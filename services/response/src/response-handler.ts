import type { HandlerContext } from '@connectrpc/connect';
import { ResponseService as ResponseServiceDesc } from '@survey/proto/survey/responses/v1/response_service_pb';
import { markReplayed, readIdempotencyKey, requesterOf } from '@survey/runtime/idempotency/idempotency-key';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { requirePermission, tenantCallOf } from '@survey/runtime/rpc/call-context';
import { setEtag, toEditTarget } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import type { ChangeService } from './changes/change-service.ts';
import type { CorrectionService } from './corrections/correction-service.ts';
import type { DeletionService } from './deletions/deletion-service.ts';
import { createCodebookHandler, createExportHandler } from './exports/export-handler.ts';
import type { ExportService } from './exports/export-service.ts';
import { createDownloadHandler } from './files/file-handler.ts';
import type { FileReading } from './files/file-reading.ts';
import {
  fromSelectionMessage,
  fromSubmissionMessage,
  LACKING_QUESTION,
  toAnswerMessage,
  toChangeMessage,
  toCorrection,
  toCorrectionMessage,
  toDeletionPlanMessage,
  toFeedQuery,
  toFileMessage,
  toLinkCountsMessage,
  toListQuery,
  toPageFields,
  toResponseMessage,
  toSampleQuery,
  toSurveyCountsMessage,
} from './response-mapper.ts';
import type { ResponseService, ScannedPage } from './responses/response-service.ts';
import type { SubmissionService } from './submissions/submission-service.ts';
import type { ResponseCountService } from './summaries/response-count-service.ts';
import type { SummaryService } from './summaries/summary-service.ts';
import { toSummaryMessage, toSummaryQuery } from './summary-mapper.ts';

interface Dependencies {
  readonly responses: ResponseService;
  readonly submissions: SubmissionService;
  readonly corrections: CorrectionService;
  readonly deletions: DeletionService;
  readonly changes: ChangeService;
  readonly counts: ResponseCountService;
  readonly exports: ExportService;
  readonly summaries: SummaryService;
  readonly fileReading: FileReading;
}

export function createResponseHandler({
  responses,
  submissions,
  corrections,
  deletions,
  changes,
  counts,
  exports,
  summaries,
  fileReading,
}: Dependencies) {
  return implement(
    ResponseServiceDesc,
    {
      async createResponse(request, context) {
        const call = tenantCallOf(context);
        const { response, origin } = await submissions.submitFor(call, request.surveyId, {
          submission: fromSubmissionMessage(request),
          idempotencyKey: readIdempotencyKey(context),
          requester: requesterOf(call),
        });
        context.responseHeader.set('location', `${API_PREFIX}/responses/${response.id}`);
        setEtag(context, response.revision);
        if (origin === 'replayed') markReplayed(context);
        return { response: toResponseMessage(response) };
      },

      async listResponses(request, context) {
        const { tenantId } = tenantCallOf(context);
        const selection = fromSelectionMessage(request);
        const page = request.random
          ? await responses.sample(tenantId, selection, toSampleQuery(request))
          : await responses.list(tenantId, selection, toListQuery(request));
        setLackingQuestion(context, page);
        return { responses: page.items.map(toResponseMessage), ...toPageFields(page) };
      },

      async listResponseChanges(request, context) {
        const { tenantId, signal } = tenantCallOf(context);
        const query = toFeedQuery(request, signal);
        const page = await changes.list(tenantId, request.surveyId, query);
        return { changes: page.changes.map(toChangeMessage), nextCursor: page.nextCursor };
      },

      async countResponses(request, context) {
        return responses.count(tenantCallOf(context).tenantId, fromSelectionMessage(request));
      },

      async listResponseCounts({ surveyIds }, context) {
        // Ids are stored in lower case.
        const ids = new Set(surveyIds.map((id) => id.toLowerCase()));
        const found = await counts.countAll(tenantCallOf(context).tenantId, [...ids]);
        return { counts: found.map(toSurveyCountsMessage) };
      },

      async listLinkResponseCounts({ surveyId }, context) {
        const links = await counts.countLinks(tenantCallOf(context).tenantId, surveyId);
        return { counts: links.map(toLinkCountsMessage) };
      },

      async getSummary(request, context) {
        return toSummaryMessage(await summaries.get(tenantCallOf(context).tenantId, toSummaryQuery(request)));
      },

      async listAnswers(request, context) {
        const { tenantId } = tenantCallOf(context);
        const query = toListQuery(request);
        const page = await responses.listAnswers(tenantId, fromSelectionMessage(request), request.questionId, query);
        setLackingQuestion(context, page);
        return { answers: page.items.map(toAnswerMessage), ...toPageFields(page) };
      },

      async getResponse({ responseId }, context) {
        const response = await responses.get(tenantCallOf(context).tenantId, responseId);
        setEtag(context, response.revision);
        return { response: toResponseMessage(response) };
      },

      async listResponseHistory({ responseId }, context) {
        const corrections = await responses.history(tenantCallOf(context).tenantId, responseId);
        return { corrections: corrections.map(toCorrectionMessage) };
      },

      async listResponseFiles({ responseId }, context) {
        const files = await fileReading.list(tenantCallOf(context).tenantId, responseId);
        return { files: files.map(toFileMessage) };
      },

      async updateResponse(request, context) {
        const response = await corrections.correct(toEditTarget(context, request.responseId), toCorrection(request));
        setEtag(context, response.revision);
        return { response: toResponseMessage(response) };
      },

      async deleteResponse({ responseId }, context) {
        await corrections.remove(toEditTarget(context, responseId));
        return {};
      },

      async planResponseDeletion(request, context) {
        const call = tenantCallOf(context);
        requirePermission(call, 'responses:read');
        const { all, dryRun } = request;
        return toDeletionPlanMessage(
          await deletions.plan(call, { selection: fromSelectionMessage(request), all, dryRun }),
        );
      },

      async deletePlannedResponses({ surveyId, planId, expectedCount = 0 }, context) {
        const call = tenantCallOf(context);
        requirePermission(call, 'responses:read');
        return deletions.delete(call, surveyId, planId, expectedCount);
      },
    },
    // These operations write files to the HTTP reply themselves.
    {
      exportResponses: createExportHandler(exports),
      exportCodebook: createCodebookHandler(exports),
      getFile: createDownloadHandler(fileReading),
    },
  );
}

/** Lists that are a bare array have no member for the number. */
function setLackingQuestion({ responseHeader }: HandlerContext, { lackingQuestion }: ScannedPage<unknown>): void {
  if (lackingQuestion !== undefined) responseHeader.set(LACKING_QUESTION, String(lackingQuestion));
}
