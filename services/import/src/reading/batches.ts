import {
  type FittedResponse,
  isLeftOut,
  type JudgedResponse,
  type LeftOutResponse,
} from '@survey/formats/core/responses/fit';
import {
  isRejected,
  locationOf,
  type Omission,
  type ParsedResponse,
  type RejectedResponse,
  type ResponseDetails,
  type RowLocation,
  toComparableId,
  type UnfinishedStatus,
} from '@survey/formats/core/responses/response';
import { uuidOf } from '@survey/runtime/crypto/uuid-of';
import { parse, validate } from 'uuid';

/**
 * Responses of a file, in its order. A thread makes batches while it reads the file. They are sent to the response
 * service as they are, if necessary after they were kept in the spool.
 */
export interface Batch {
  /** JSON of `BatchItem`s. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** All that was judged up to the end of this batch. */
  readonly judged: Judged;
}

/** Counts of the responses that were judged. A process that continues the reading of a file begins with them. */
export interface Judged {
  readonly rows: number;
  /** Finished responses of which the file does not say when they ended. */
  readonly withoutEnd: number;
  /** Finished responses of which the file says when they ended, but not when they began. */
  readonly withoutStart: number;
}

export const NOTHING_JUDGED: Judged = { rows: 0, withoutEnd: 0, withoutStart: 0 };

interface ResponseIds {
  readonly id: string;
  readonly externalId: string | undefined;
}

/** A response to store, in the terms of the response service. */
export interface NewResponse extends ResponseDetails, ResponseIds {
  /** JSON of an object with the answers by question id. */
  readonly answers: string;
  /** Whether required questions may have no answer. */
  readonly allowsMissing: boolean;
  readonly status?: UnfinishedStatus;
}

/** A response that can be sent. */
export interface Sendable extends Pick<ParsedResponse, 'index' | 'id'>, RowLocation {
  readonly payload: NewResponse;
  /** Whether the file has a value for this response that is not stored as an answer. */
  readonly lacksValues: boolean;
  readonly omissions: readonly Omission[];
}

/** A response of a file: it can be sent, is rejected with an error, or is left out because the options say so. */
export type BatchItem = Sendable | RejectedResponse | LeftOutResponse;

const MAX_RESPONSES = 200;
/** Maximum bytes of a batch with several responses. */
const MAX_BATCH_BYTES = 1024 * 1024;
/** Maximum JSON bytes of the answers of a response: the limit of the response service. */
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
const TOO_LARGE = {
  code: 'TOO_LARGE',
  detail: 'The answers take more than 2 MiB, the limit of a response',
} as const;

interface Options {
  /** The ids under which a response is stored. */
  readonly idsOf: (response: FileIds) => ResponseIds;
  /** Whether the responses are only counted, so that the batches need no answers. */
  readonly isDryRun: boolean;
}

/**
 * Groups responses into batches that fit into one call of the response service. They also contain rejected and left out
 * responses.
 */
export function createBatches({ idsOf, isDryRun }: Options) {
  const encoder = new TextEncoder();
  let texts: string[] = [];
  let bytes = 0;

  function toItem(judged: JudgedResponse): BatchItem {
    if (isRejected(judged) || isLeftOut(judged)) return judged;
    const { index, id, lacksValues, omissions } = judged;
    const location = { index, id, ...locationOf(judged) };
    const answers = JSON.stringify(judged.answers);
    if (Buffer.byteLength(answers) > MAX_ANSWER_BYTES) return { ...location, ...TOO_LARGE };
    const payload = isDryRun ? { ...toPayload(judged), ...NO_CONTENT } : { ...toPayload(judged), answers };
    return { ...location, lacksValues, omissions, payload };
  }

  function toPayload(judged: FittedResponse): Omit<NewResponse, 'answers'> {
    const { startedAt, completedAt, language, metadata, allowsMissing, status } = judged;
    const details = { startedAt, completedAt, language, metadata, allowsMissing };
    return { ...idsOf(judged), ...details, ...(status !== undefined && { status }) };
  }

  /** Returns the responses since the last batch, if there are any. */
  function flush(judged: Judged): readonly Batch[] {
    if (texts.length === 0) return [];
    const batch = { bytes: encoder.encode(`[${texts.join(',')}]`), judged };
    texts = [];
    bytes = 0;
    return [batch];
  }

  return {
    /**
     * Adds a response. Returns the batch before it, if that one is full.
     *
     * @param judged before the response
     */
    add(response: JudgedResponse, judged: Judged): readonly Batch[] {
      const text = JSON.stringify(toItem(response));
      const size = Buffer.byteLength(text);
      const full = texts.length === MAX_RESPONSES || bytes + size > MAX_BATCH_BYTES ? flush(judged) : [];
      texts.push(text);
      bytes += size;
      return full;
    },
    flush,
  };
}

const NO_CONTENT = { answers: '{}', metadata: undefined };

/** A payload in JSON, which has texts in place of dates. */
interface JsonPayload extends Omit<NewResponse, 'startedAt' | 'completedAt'> {
  readonly startedAt?: string;
  readonly completedAt?: string;
}

type JsonItem = (Omit<Sendable, 'payload'> & { readonly payload: JsonPayload }) | RejectedResponse | LeftOutResponse;

/** The responses of a batch. */
export function itemsOf(bytes: Uint8Array): readonly BatchItem[] {
  // `createBatches` has written it.
  const items = JSON.parse(Buffer.from(bytes).toString()) as readonly JsonItem[];
  const toDate = (text: string | undefined) => (text === undefined ? undefined : new Date(text));
  return items.map((item) => {
    if (!('payload' in item)) return item;
    const { startedAt, completedAt, ...payload } = item.payload;
    return { ...item, payload: { ...payload, startedAt: toDate(startedAt), completedAt: toDate(completedAt) } };
  });
}

/** Namespace of UUIDs derived from ids in files (RFC 9562, version 5). */
const IMPORTED_IDS = parse('0d1c2f0a-3d0f-4b5e-9d53-6f6f0f1b7a42');

interface IdOptions {
  readonly tenantId: string;
  readonly surveyId: string;
  /** Whether to keep UUIDs, and to derive a stable UUID from any other id. */
  readonly preserve: boolean;
  /** Creates an id for the response at a position in the file. */
  readonly newIdAt: (index: number) => string;
}

type FileIds = Pick<ParsedResponse, 'index' | 'id' | 'externalId'>;

/**
 * Derives the ids of a response from the ids in the file. An id that is not kept becomes the external id. With
 * `preserve`, that can only be an id that is no UUID. `checkIds` has rejected responses that have an external id
 * as well as an id that is no UUID.
 */
export function createResponseIds({ tenantId, surveyId, preserve, newIdAt }: IdOptions): (ids: FileIds) => ResponseIds {
  return ({ index, id, externalId }) => {
    if (id === '') return { id: newIdAt(index), externalId };
    if (!preserve) return { id: newIdAt(index), externalId: externalId ?? id };
    if (validate(id)) return { id: toComparableId(id), externalId };
    return { id: uuidOf(IMPORTED_IDS, `${tenantId} ${surveyId} ${id}`), externalId: id };
  };
}
