import {
  create,
  type DescMessage,
  type DescMethod,
  type DescMethodUnary,
  fromBinary,
  type JsonObject,
  type MessageInitShape,
  type MessageShape,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import type { Envelope } from '../crypto/envelope.ts';
import { AppError } from '../errors/app-error.ts';
import { toCanonicalJson } from '../json/canonical-json.ts';
import { routeOf } from '../rest/route.ts';
import { tenantCallOf } from '../rpc/call-context.ts';
import { markReplayed, readIdempotencyKey, requesterOf } from './idempotency-key.ts';
import type { IdempotencyStore, KeptAnswer } from './idempotency-store.ts';

/** Answers calls that create, so that one which is repeated with the same `Idempotency-Key` creates nothing more. */
export interface Idempotency {
  /**
   * The answer that `make` gives; when the same user, allowed the same, made the same request with the same key at the
   * same path in the last 24 hours, the answer that was given then, with its `ETag` and `Idempotency-Replayed: true`.
   * Throws `INVALID_REQUEST` when the key is malformed, and `IDEMPOTENCY_KEY_REUSED` when it came with another request.
   *
   * @param make creates the record under the id that it is given, and sets the `ETag` of the answer. With a key it may
   * be called again with the same id, at the same time or after a crash: it has to give what was stored first then, and
   * what it makes at random beside that has to be in the record, or to follow from the id by a secret. What it throws is
   * thrown, and nothing is kept.
   */
  answer<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageShape<I>,
    context: HandlerContext,
    make: (id: string) => Promise<MessageInitShape<O>>,
  ): Promise<MessageShape<O>>;
}

/** An hour more than we promise. */
const KEPT_MS = 25 * 60 * 60_000;

export function createIdempotency({
  store,
  envelope,
  clock,
  newId,
}: {
  readonly store: IdempotencyStore;
  readonly envelope: Envelope;
  readonly clock: () => Date;
  readonly newId: () => string;
}): Idempotency {
  return {
    async answer(method, request, context, make) {
      const key = readIdempotencyKey(context);
      if (key === undefined) return create(method.output, await make(newId()));
      const requester = tenantCallOf(context);
      const { tenantId } = requester;
      const { stableHash } = await envelope.cipherOf(tenantId);
      const by = requesterOf(requester);
      const hashes = hashCall(stableHash, method, { key, by, request: toRequestJson(method, request) });
      const place = ['idempotency', hashes.id];

      async function replay({ message, etag }: KeptAnswer) {
        markReplayed(context);
        if (etag !== undefined) context.responseHeader.set('etag', etag);
        return fromBinary(method.output, await envelope.decrypt(tenantId, place, message));
      }

      const expiresAt = new Date(clock().getTime() + KEPT_MS);
      // Durable before anything is made: a repetition makes the same record.
      const use = await store.begin({ ...hashes, tenantId, recordId: newId(), answer: undefined, expiresAt });
      if (!Buffer.from(hashes.requestHash).equals(use.requestHash)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
      if (use.answer !== undefined) return replay(use.answer);
      const made = create(method.output, await make(use.recordId));
      const message = await envelope.encrypt(tenantId, place, toBinary(method.output, made));
      const answer = { message, etag: context.responseHeader.get('etag') ?? undefined };
      const kept = await store.keep(use, answer);
      return kept === answer ? made : replay(kept);
    },
  };
}

/** The hashes are the same after a rotation of the data key, and tell nobody the key, or a password in the request. */
function hashCall(
  hash: (purpose: string, bytes: Uint8Array) => Uint8Array,
  method: DescMethod,
  { key, by, request }: { readonly key: string; readonly by: JsonObject; readonly request: JsonObject },
) {
  const path = routeOf(method).segments.flatMap((segment) =>
    'field' in segment ? [request[segment.field.name] ?? ''] : [],
  );
  const place = JSON.stringify([method.parent.typeName, method.name, path, key]);
  return {
    id: Buffer.from(hash('idempotency-key', Buffer.from(place))).toString('base64url'),
    requestHash: hash('idempotent-request', Buffer.from(toCanonicalJson({ by, request }))),
  };
}

function toRequestJson<I extends DescMessage>(method: DescMethodUnary<I>, request: MessageShape<I>): JsonObject {
  // A message of the contract is an object in JSON.
  return toJson(method.input, request, { useProtoFieldName: true }) as JsonObject;
}
