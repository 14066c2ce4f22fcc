import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { ResponseImportService } from '@survey/proto/survey/responses/v1/response_import_service_pb';
import type { Actor } from '@survey/runtime/auth/actor';
import { AppError } from '@survey/runtime/errors/app-error';
import { type ServiceConnection, withOnBehalf } from '@survey/runtime/rpc/service-client';
import type { ReadDetails } from './file-response.ts';
import type { ResponseIds } from './response-ids.ts';

export interface NewResponse extends ReadDetails, ResponseIds {
  /** JSON text of an object: question id → value. */
  readonly answers: string;
}

/** What became of one response. */
export type Outcome =
  | { readonly outcome: 'imported' | 'skipped' }
  | { readonly outcome: 'failed'; readonly code: string; readonly detail: string };

/** Where a batch goes. */
interface Destination {
  readonly surveyId: string;
  /** Whether nobody is told of the responses. */
  readonly silent: boolean;
  /** When the import began: responses that were deleted later do not come back. */
  readonly begunAt: Date;
}

/** Where responses are stored. */
export interface ResponseClient {
  /** Stores a batch; gives the outcome of each, at its index. One that is stored already is skipped. */
  store(importer: Actor, to: Destination, batch: readonly NewResponse[]): Promise<readonly Outcome[]>;
}

/** A batch is validated and encrypted while respondents are served too. */
const DEADLINE_MS = 30_000;

export function createResponseClient(connection: ServiceConnection): ResponseClient {
  const client = connection.client(ResponseImportService);
  return {
    async store({ tenantId, actor: subject, requestId, traceparent }, { surveyId, silent, begunAt }, batch) {
      const responses = batch.map(toMessage);
      const request = { surveyId, silent, importBegunAt: timestampFromDate(begunAt), responses };
      const { outcomes } = await client.storeImportedResponses(request, {
        ...withOnBehalf({ subject: { tenantId, subject }, requestId, traceparent }),
        timeoutMs: DEADLINE_MS,
      });
      if (outcomes.length !== batch.length) throw new AppError('UPSTREAM_INVALID');
      return outcomes.map(({ outcome, code, detail }) =>
        outcome === 'imported' || outcome === 'skipped' ? { outcome } : { outcome: 'failed', code, detail },
      );
    },
  };
}

function toMessage({ id, externalId, answers, startedAt, completedAt, language, metadata }: NewResponse) {
  return {
    id,
    answers,
    startedAt: startedAt && timestampFromDate(startedAt),
    completedAt: completedAt && timestampFromDate(completedAt),
    ...(externalId === undefined ? {} : { externalId }),
    ...(language === undefined ? {} : { language }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}
