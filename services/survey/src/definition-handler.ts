import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  DefinitionService,
  type GetDefinitionResponseSchema,
} from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { tenantCallOf } from '@survey/runtime/rpc/call-context';
import { implement } from '@survey/runtime/rpc/implementation';
import type { CompleteFields } from '@survey/runtime/rpc/message-fields';
import { toLinkBySlugMessage } from './links/link-handler.ts';
import type { LinkService } from './links/link-service.ts';
import { toSettings, toSettingsMessage, toSurveyMessage } from './surveys/survey-mapper.ts';
import type { SurveyPurgeStore } from './surveys/survey-purge-store.ts';
import type { SurveyService, SurveyVersionService } from './surveys/survey-service.ts';

interface Dependencies {
  readonly purgeStore: Pick<SurveyPurgeStore, 'findRetentions'>;
  readonly surveys: SurveyService;
  readonly versions: SurveyVersionService;
  readonly links: LinkService;
}

/** The operations for other services. */
export function createDefinitionHandler({ surveys, versions, links, purgeStore }: Dependencies) {
  return implement(DefinitionService, {
    async getDefinition({ surveyId, version: requestedVersion, knownVersion, withPublishedVersions }) {
      const { survey, version, wasPublished } = await versions.findPublic(surveyId, requestedVersion, knownVersion);
      return {
        tenantId: survey.tenantId,
        status: survey.deletedAt === undefined ? survey.status : 'deleted',
        schemaVersion: version.schemaVersion,
        version: version.version,
        definition: version.version === knownVersion ? undefined : version.definition,
        latestVersion: survey.version,
        wasLive: wasPublished,
        settings: toSettingsMessage(survey.settings),
        createdAt: timestampFromDate(survey.createdAt),
        publishedVersions: withPublishedVersions ? [...(await versions.listPublished(survey.tenantId, surveyId))] : [],
      } satisfies CompleteFields<typeof GetDefinitionResponseSchema>;
    },

    async getRetentions({ surveyIds }) {
      const found = await purgeStore.findRetentions(surveyIds);
      return {
        retentions: found.map(({ retentionDays, ...retention }) => ({
          ...retention,
          ...(retentionDays === undefined ? {} : { retentionDays }),
        })),
      };
    },

    async findSurveys({ surveyIds }, context) {
      return { surveyIds: [...(await surveys.findExisting(tenantCallOf(context).tenantId, surveyIds))] };
    },

    async getLinkBySlug({ slug }) {
      const { link, opened } = await links.findPublic(slug);
      return toLinkBySlugMessage(link, opened);
    },

    async getLinkSlug({ linkId }, context) {
      return { slug: (await links.get(tenantCallOf(context).tenantId, linkId)).slug };
    },

    async findLinks({ linkIds }, context) {
      return { linkIds: [...(await links.findExisting(tenantCallOf(context).tenantId, linkIds))] };
    },

    async storeImportedSurvey({ surveyId, schemaVersion, version, definition = {}, status, settings }, context) {
      const initialStatus = status === 'closed' ? 'closed' : 'draft';
      const payload = { schemaVersion, version, definition, settings: settings && toSettings(settings) };
      return {
        survey: toSurveyMessage(await surveys.storeImported(tenantCallOf(context), surveyId, initialStatus, payload)),
      };
    },
  });
}
