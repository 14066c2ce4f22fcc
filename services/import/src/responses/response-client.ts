import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  type ParsedResponse,
  type ResponseDetails,
  toComparableId,
  type UnfinishedStatus,
} from '@survey/formats/shared/file-response';
import { ResponseImportService } from '@survey/proto/survey/responses/v1/response_import_service_pb';
import type { Actor } from '@survey/runtime/auth/actor';
import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { AppError } from '@survey/runtime/errors/app-error';
import { callOptionsFor, type ServiceConnection } from '@survey/runtime/rpc/service-client';
import { parse, validate } from 'uuid';

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
        ...callOptionsFor({ claims: { tenantId, subject }, requestId, traceparent }),
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
        ...callOptionsFor({ claims: { tenantId, subject }, requestId, traceparent }),
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

/**
 * Stores nothing. Used for a new survey, which has no stored responses to skip. Answers were checked before: see
 * `createFitResponse`.
 */
export const dryClient: Pick<ResponseClient, 'store'> = {
  store: async (_importer, _to, batch) => batch.map(() => ({ outcome: 'imported' })),
};

/** Stores nothing in an existing survey, and reports the responses that are stored already as skipped. */
export function createDryClient({ findStored }: Pick<ResponseClient, 'findStored'>): Pick<ResponseClient, 'store'> {
  return {
    store: async (importer, to, batch) =>
      (await findStored(importer, to, batch)).map((isStored) => ({ outcome: isStored ? 'skipped' : 'imported' })),
  };
}

/** Namespace of UUIDs derived from ids in files (RFC 9562, version 5). */
const IMPORTED_IDS = parse('0d1c2f0a-3d0f-4b5e-9d53-6f6f0f1b7a42');

interface ResponseIds {
  readonly id: string;
  readonly externalId: string | undefined;
}

interface Options {
  readonly tenantId: string;
  readonly surveyId: string;
  /** Keeps UUIDs, and derives a stable UUID from any other id. */
  readonly preserve: boolean;
  /** Creates an id for the response at a position in the file. */
  readonly newIdAt: (index: number) => string;
}

/** Ids and position of a response in its file. */
type InFile = Pick<ParsedResponse, 'index' | 'id' | 'externalId'>;

/** Derives the ids of a response from those in the file. An `external_id` in the file wins over the id. */
export function createResponseIds({ tenantId, surveyId, preserve, newIdAt }: Options): (inFile: InFile) => ResponseIds {
  return ({ index, id, externalId }) => {
    if (id === '') return { id: newIdAt(index), externalId };
    if (!preserve) return { id: newIdAt(index), externalId: externalId ?? id };
    if (validate(id)) return { id: toComparableId(id), externalId };
    return { id: uuidOf(IMPORTED_IDS, `${tenantId} ${surveyId} ${id}`), externalId: id };
  };
}
