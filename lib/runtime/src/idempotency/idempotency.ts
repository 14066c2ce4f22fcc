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
import { pathFieldNamesOf } from '../rest/route.ts';
import { tenantCallOf } from '../rpc/call-context.ts';
import { markReplayed, readIdempotencyKey, requesterOf } from './idempotency-key.ts';
import type { IdempotencyStore, StoredReply } from './idempotency-store.ts';

/** Makes calls that create records idempotent: a repeat with the same `Idempotency-Key` creates nothing. */
export interface Idempotency {
  /**
   * Calls `make` and returns its reply. A repeat within 24 hours (same user, permissions, path, key and request) gets
   * the first reply, with its `ETag` and `Idempotency-Replayed: true`. Throws `INVALID_REQUEST` if the key is
   * malformed. Throws `IDEMPOTENCY_KEY_REUSED` if the first call had another request, user or permissions.
   *
   * @param make creates the record under the given id, and sets the `ETag`. It may run again with the same id,
   * concurrently or after a crash. All runs must return the same reply, about the record that was stored first: store
   * random values in the record, or derive them from the id with a secret. If `make` throws, no reply is stored. A
   * repeat runs `make` again with the same id. `begunAt` is the time of the first call, by the clock of the database;
   * undefined without a key.
   */
  run<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageShape<I>,
    context: HandlerContext,
    make: (id: string, begunAt: Date | undefined) => Promise<MessageInitShape<O>>,
  ): Promise<MessageShape<O>>;
}

/** One hour more than documented: the clocks of processes and of MongoDB may differ. */
const RETENTION_MS = 25 * 60 * 60_000;

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
    async run(method, request, context, make) {
      const key = readIdempotencyKey(context);
      if (key === undefined) return create(method.output, await make(newId(), undefined));
      const call = tenantCallOf(context);
      const { tenantId } = call;
      const { stableHash } = await envelope.cipherOf(tenantId);
      const requester = requesterOf(call);
      const hashes = hashCall(stableHash, method, { key, requester, request: toRequestJson(method, request) });
      const aad = ['idempotency', hashes.id];

      async function replay({ sealed, etag }: StoredReply) {
        markReplayed(context);
        if (etag !== undefined) context.responseHeader.set('etag', etag);
        return fromBinary(method.output, await envelope.decrypt(tenantId, aad, sealed));
      }

      const expiresAt = new Date(clock().getTime() + RETENTION_MS);
      // Stored durably before the record is created, so that a repeat uses the same id.
      const firstCall = await store.begin({ ...hashes, tenantId, recordId: newId(), reply: undefined, expiresAt });
      if (!Buffer.from(hashes.requestHash).equals(firstCall.requestHash)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
      if (firstCall.reply !== undefined) return replay(firstCall.reply);
      const made = create(method.output, await make(firstCall.recordId, firstCall.begunAt));
      const sealed = await envelope.encrypt(tenantId, aad, toBinary(method.output, made));
      const reply = { sealed, etag: context.responseHeader.get('etag') ?? undefined };
      // Returns `reply` itself, or the reply that a concurrent call has stored first.
      const stored = await store.storeReply(firstCall, reply);
      return stored === reply ? made : replay(stored);
    },
  };
}

/**
 * Returns the id and the hash of a call. Rotations of the data key do not change them. They reveal neither the
 * idempotency key nor secrets in the request.
 */
function hashCall(
  hash: (purpose: string, bytes: Uint8Array) => Uint8Array,
  method: DescMethod,
  { key, requester, request }: { readonly key: string; readonly requester: JsonObject; readonly request: JsonObject },
) {
  const path = pathFieldNamesOf(method).map((name) => request[name] ?? '');
  const scope = JSON.stringify([method.parent.typeName, method.name, path, key]);
  return {
    id: Buffer.from(hash('idempotency-key', Buffer.from(scope))).toString('base64url'),
    requestHash: hash('idempotent-request', Buffer.from(toCanonicalJson({ by: requester, request }))),
  };
}

function toRequestJson<I extends DescMessage>(method: DescMethodUnary<I>, request: MessageShape<I>): JsonObject {
  // A message of the contract is an object in JSON.
  return toJson(method.input, request, { useProtoFieldName: true }) as JsonObject;
}
