import { create } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import {
  SurveyPayloadSchema,
  SurveyService as SurveyServiceDesc,
} from '@survey/proto/survey/surveys/v1/survey_service_pb';
import type { Idempotency } from '@survey/runtime/idempotency/idempotency';
import { toPageQuery } from '@survey/runtime/mongo/page';
import { API_PREFIX } from '@survey/runtime/rest/route';
import { requirePermission, tenantCallOf } from '@survey/runtime/rpc/call-context';
import { setContentEtag, setEtag, toEditTarget } from '@survey/runtime/rpc/if-match';
import { implement } from '@survey/runtime/rpc/implementation';
import { createExportHandler } from './exports/export-handler.ts';
import { checkPayload, type Survey, toAnswerSchema } from './surveys/survey.ts';
import {
  toDraftMessage,
  toLintMessage,
  toPatch,
  toSurveyListQuery,
  toSurveyMessage,
  toSurveyPayload,
  toVersionMessage,
  toVersionNumber,
  toVersionSummaryMessage,
} from './surveys/survey-mapper.ts';
import type { SurveyService, SurveyVersionService } from './surveys/survey-service.ts';

interface Dependencies {
  readonly surveys: SurveyService;
  readonly versions: SurveyVersionService;
  readonly idempotency: Idempotency;
}

export function createSurveyHandler({ surveys, versions, idempotency }: Dependencies) {
  return implement(
    SurveyServiceDesc,
    {
      async createSurvey(request, context) {
        const { createSurvey } = SurveyServiceDesc.method;
        const result = await idempotency.run(createSurvey, request, context, async (id) =>
          reply(await surveys.create(tenantCallOf(context), id, toSurveyPayload(request)), context),
        );
        return withLocation(result, context);
      },

      async duplicateSurvey(request, context) {
        const { duplicateSurvey } = SurveyServiceDesc.method;
        const result = await idempotency.run(duplicateSurvey, request, context, async (id) =>
          reply(await surveys.duplicate(tenantCallOf(context), request.surveyId, id), context),
        );
        return withLocation(result, context);
      },

      async listSurveys(request, context) {
        const call = tenantCallOf(context);
        // To list deleted surveys, the contract requires only `surveys:read`.
        if (request.deleted) requirePermission(call, 'surveys:delete');
        const { items, nextCursor } = await surveys.list(call.tenantId, toSurveyListQuery(request));
        return { surveys: items.map(toSurveyMessage), nextCursor: nextCursor ?? '' };
      },

      async getSurvey({ surveyId }, context) {
        return reply(await surveys.get(tenantCallOf(context).tenantId, surveyId), context);
      },

      async replaceSurvey({ surveyId, payload = create(SurveyPayloadSchema), draft }, context) {
        const surveyPayload = toSurveyPayload(payload);
        const edit = toEditTarget(context, surveyId);
        return reply(
          await (draft ? surveys.saveDraft(edit, surveyPayload) : surveys.replace(edit, surveyPayload)),
          context,
        );
      },

      async updateSurvey(request, context) {
        return reply(await surveys.update(toEditTarget(context, request.surveyId), toPatch(request)), context);
      },

      async deleteSurvey({ surveyId }, context) {
        await surveys.remove(toEditTarget(context, surveyId));
        return {};
      },

      async restoreSurvey({ surveyId }, context) {
        return reply(await surveys.restore(toEditTarget(context, surveyId)), context);
      },

      async publishSurvey({ surveyId }, context) {
        return reply(await surveys.publish(toEditTarget(context, surveyId)), context);
      },

      async closeSurvey({ surveyId }, context) {
        return reply(await surveys.close(toEditTarget(context, surveyId)), context);
      },

      async listSurveyVersions({ surveyId, ...page }, context) {
        const { tenantId } = tenantCallOf(context);
        const { items, nextCursor } = await versions.list(tenantId, surveyId, toPageQuery(page));
        return { versions: items.map(toVersionSummaryMessage), nextCursor: nextCursor ?? '' };
      },

      async getSurveyVersion({ surveyId, version }, context) {
        const found = await versions.get(tenantCallOf(context).tenantId, surveyId, toVersionNumber(version));
        // The only change of a version is that it is published.
        setEtag(context, found.publishedAt === undefined ? 1 : 2);
        return { version: toVersionMessage(found) };
      },

      async getAnswerSchema({ surveyId, version }, context) {
        const found = await versions.get(tenantCallOf(context).tenantId, surveyId, toVersionNumber(version));
        const schema = toAnswerSchema(found);
        setContentEtag(context, schema);
        return { schema };
      },

      async getSurveyDraft({ surveyId }, context) {
        const { draft, revision } = await surveys.getDraft(tenantCallOf(context).tenantId, surveyId);
        // The draft shares the revision of its survey.
        setEtag(context, revision);
        return { draft: toDraftMessage(surveyId, draft) };
      },

      async deleteSurveyDraft({ surveyId }, context) {
        await surveys.discardDraft(toEditTarget(context, surveyId));
        return {};
      },

      async validateSurvey({ surveyId }, context) {
        return toLintMessage(await surveys.validate(tenantCallOf(context).tenantId, surveyId));
      },

      async validatePayload({ payload = {} }) {
        return toLintMessage(checkPayload(payload));
      },
    },
    { exportSurvey: createExportHandler(surveys) },
  );
}

function reply(survey: Survey, context: HandlerContext) {
  setEtag(context, survey.revision);
  return { survey: toSurveyMessage(survey) };
}

/** Adds the `location` of a created survey, even to a repeated reply. */
function withLocation<Reply extends { readonly survey?: { readonly id: string } | undefined }>(
  reply: Reply,
  context: HandlerContext,
): Reply {
  context.responseHeader.set('location', `${API_PREFIX}/surveys/${reply.survey?.id}`);
  return reply;
}
