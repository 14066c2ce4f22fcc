import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { ResponseDetails, UnfinishedStatus } from '@survey/formats/shared/file-response';
import { ResponseImportService } from '@survey/proto/survey/responses/v1/response_import_service_pb';
import type { Actor } from '@survey/runtime/auth/actor';
import { AppError } from '@survey/runtime/errors/app-error';
import { type ServiceConnection, withOnBehalf } from '@survey/runtime/rpc/service-client';
import type { ResponseIds } from './response-ids.ts';

export interface NewResponse extends ResponseDetails, ResponseIds {
  /** JSON of an object with the answers by question id. */
  readonly answers: string;
  readonly allowsMissing: boolean;
  readonly status?: UnfinishedStatus;
}

export type Outcome =
  | { readonly outcome: 'imported' | 'skipped' }
  | {
      readonly outcome: 'failed';
      readonly code: string;
      readonly detail: string;
      /** JSON pointer to the first invalid value in the response; empty if the failure concerns no value. */
      readonly path: string;
    };

/** The survey of a batch, and options of the import. */
interface Destination {
  readonly surveyId: string;
  /** Whether to send no events to webhooks. */
  readonly silent: boolean;
  /** Start of the import. Responses that were deleted later are not restored. */
  readonly begunAt: Date;
}

export interface ResponseClient {
  /** Stores a batch and returns an outcome for each response, in order. Stored responses are skipped. */
  store(importer: Actor, to: Destination, batch: readonly NewResponse[]): Promise<readonly Outcome[]>;
  /** Whether an import would skip each response of a batch, in order. Stores nothing. */
  findStored(
    importer: Actor,
    to: Omit<Destination, 'silent'>,
    batch: readonly ResponseIds[],
  ): Promise<readonly boolean[]>;
}

/** Long enough for a batch, even while the response service is busy with requests of respondents. */
const DEADLINE_MS = 30_000;

export function createResponseClient(connection: ServiceConnection): ResponseClient {
  const client = connection.client(ResponseImportService);
  return {
    async store({ tenantId, actor: subject, requestId, traceparent }, { surveyId, silent, begunAt }, batch) {
      const responses = batch.map(toMessage);
      const request = { surveyId, silent, importBegunAt: timestampFromDate(begunAt), responses };
      const { outcomes } = await client.storeImportedResponses(request, {
        ...withOnBehalf({ claims: { tenantId, subject }, requestId, traceparent }),
        timeoutMs: DEADLINE_MS,
      });
      if (outcomes.length !== batch.length) throw new AppError('UPSTREAM_INVALID');
      return outcomes.map(({ outcome, code, detail, path }) =>
        outcome === 'imported' || outcome === 'skipped' ? { outcome } : { outcome: 'failed', code, detail, path },
      );
    },

    async findStored({ tenantId, actor: subject, requestId, traceparent }, { surveyId, begunAt }, batch) {
      const request = { surveyId, importBegunAt: timestampFromDate(begunAt), ids: batch.map(({ id }) => id) };
      const { stored } = await client.findImportedResponses(request, {
        ...withOnBehalf({ claims: { tenantId, subject }, requestId, traceparent }),
        timeoutMs: DEADLINE_MS,
      });
      if (stored.length !== batch.length) throw new AppError('UPSTREAM_INVALID');
      return stored;
    },
  };
}

function toMessage(response: NewResponse) {
  const { id, externalId, answers, startedAt, completedAt, language, metadata, status = '', allowsMissing } = response;
  return {
    id,
    answers,
    status,
    allowsMissing,
    startedAt: startedAt && timestampFromDate(startedAt),
    completedAt: completedAt && timestampFromDate(completedAt),
    ...(externalId === undefined ? {} : { externalId }),
    ...(language === undefined ? {} : { language }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
