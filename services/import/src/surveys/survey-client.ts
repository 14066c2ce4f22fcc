import type { JsonObject, JsonValue } from '@bufbuild/protobuf';
import {
  DefinitionService,
  StoreImportedSurveyRequestSchema,
} from '@survey/proto/survey/surveys/v1/definition_service_pb';
import { type Survey, type SurveySettings, SurveySettingsSchema } from '@survey/proto/survey/surveys/v1/survey_pb';
import { toMetadataFields } from '@survey/questionnaire/metadata/metadata-fields';
import type { ChangeContext } from '@survey/runtime/auth/caller';
import { AppError } from '@survey/runtime/errors/app-error';
import { messageFromJson } from '@survey/runtime/rest/json-input';
import type { MessageCheck } from '@survey/runtime/rpc/message-check';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import { validate } from 'uuid';

export type StoredSurvey = Survey;

export interface NewSurvey {
  readonly id: string;
  readonly status: 'draft' | 'closed';
  /**
   * The body of a request that creates the survey, without a project. Its member `survey` is the definition, whose
   * shape has been checked. Other members are the version and the settings.
   */
  readonly payload: JsonObject;
}

export type SurveyClient = ReturnType<typeof createSurveyClient>;

/** Reads and stores surveys at the survey service. */
export function createSurveyClient(connection: ServiceConnection) {
  const client = connection.client(DefinitionService);
  return {
    /** Stores a survey. If its settings are invalid, the error names members by their path in the payload. */
    async store(caller: ChangeContext, { id, status, payload }: NewSurvey): Promise<StoredSurvey> {
      const { survey: definition, ...rest } = payload;
      const request = { ...rest, survey_id: id, definition, status };
      const message = messageFromJson(StoreImportedSurveyRequestSchema, request);
      const stored = (await client.storeImportedSurvey(message, onBehalfOf(caller))).survey;
      if (stored === undefined) throw new AppError('UPSTREAM_INVALID');
      return stored;
    },

    /** Returns a survey of the caller's tenant, with its metadata fields as settings. Throws `SURVEY_NOT_FOUND`. */
    async getPayload(caller: ChangeContext, surveyId: string): Promise<JsonObject> {
      if (!validate(surveyId)) throw new AppError('SURVEY_NOT_FOUND');
      const found = await client.getDefinition({ surveyId }, onBehalfOf(caller));
      // `getDefinition` finds surveys of all tenants, because it also serves respondents.
      if (found.tenantId !== caller.tenantId || found.status === 'deleted') throw new AppError('SURVEY_NOT_FOUND');
      const fields = toMetadataFields(found.settings?.metadataFields ?? []);
      return {
        schema_version: found.schemaVersion,
        version: found.version,
        survey: found.definition ?? {},
        settings: { metadata_fields: fields.map((field) => ({ ...field, from: [...field.from] })) },
      };
    },
  };
}

/** Options of a call in the name of the user who asked for the import. */
export function onBehalfOf({ tenantId, actor: subject, requestId, traceparent }: ChangeContext) {
  return callOptionsFor({ claims: { tenantId, subject }, requestId, traceparent });
}

/** Throws `VALIDATION_FAILED` if a value is invalid, with paths in the settings. */
export function checkSettingValues(settings: JsonValue, checkMessage: MessageCheck): void {
  checkMessage(SurveySettingsSchema, messageFromJson(SurveySettingsSchema, settings));
}

/** Converts valid settings to the message. Sets the same default as the survey service. */
export function toSettingsMessage(settings: JsonValue): SurveySettings {
  const message = messageFromJson(SurveySettingsSchema, settings);
  return { ...message, access: message.access ?? 'open' };
}
