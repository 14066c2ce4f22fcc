import type { JsonObject } from '@bufbuild/protobuf';
import {
  DefinitionService,
  StoreImportedSurveyRequestSchema,
} from '@survey/proto/survey/surveys/v1/definition_service_pb';
import type { Survey } from '@survey/proto/survey/surveys/v1/survey_pb';
import type { Actor } from '@survey/runtime/auth/actor';
import { AppError } from '@survey/runtime/errors/app-error';
import { messageFromJson } from '@survey/runtime/rest/json-input';
import { type ServiceConnection, withOnBehalf } from '@survey/runtime/rpc/service-client';
import { validate } from 'uuid';

/** A survey as its service tells it; it is only handed on. */
export type StoredSurvey = Survey;

export interface NewSurvey {
  readonly id: string;
  readonly status: 'draft' | 'closed';
  /** The creation payload without a project, the shape of its definition checked. */
  readonly payload: JsonObject;
}

/** Where surveys are stored and looked up. */
export interface SurveyClient {
  /** Throws an error that names the members at fault, by their paths in the payload, when it is for its settings. */
  store(importer: Actor, survey: NewSurvey): Promise<StoredSurvey>;
  /** The creation payload of a survey of the caller's tenant. Throws `SURVEY_NOT_FOUND`. */
  getPayload(importer: Actor, surveyId: string): Promise<JsonObject>;
}

export function createSurveyClient(connection: ServiceConnection): SurveyClient {
  const client = connection.client(DefinitionService);
  return {
    async store(importer, { id, status, payload }) {
      const { survey: definition, ...header } = payload;
      const request = { ...header, survey_id: id, definition, status };
      const message = messageFromJson(StoreImportedSurveyRequestSchema, request);
      const stored = (await client.storeImportedSurvey(message, onBehalfOf(importer))).survey;
      if (stored === undefined) throw new AppError('UPSTREAM_INVALID');
      return stored;
    },

    async getPayload(importer, surveyId) {
      if (!validate(surveyId)) throw new AppError('SURVEY_NOT_FOUND');
      const found = await client.getDefinition({ surveyId }, onBehalfOf(importer));
      // It is looked up across tenants, for respondents.
      if (found.tenantId !== importer.tenantId || found.status === 'deleted') throw new AppError('SURVEY_NOT_FOUND');
      return { schema_version: found.schemaVersion, version: found.version, survey: found.definition ?? {} };
    },
  };
}

function onBehalfOf({ tenantId, actor: subject, requestId, traceparent }: Actor) {
  return withOnBehalf({ subject: { tenantId, subject }, requestId, traceparent });
}
