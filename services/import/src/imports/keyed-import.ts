import { create, type DescMessage, type MessageShape } from '@bufbuild/protobuf';
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import type { Actor } from '@survey/runtime/auth/actor';
import type { TenantCall } from '@survey/runtime/rpc/call-context';
import type { ReceivedFile } from '../staging/receive-file.ts';

/** A request as it is compared with another one of the same `Idempotency-Key`: the digest stands for the file. */
export function keyed<Message extends MessageShape<DescMessage>>(
  message: Message,
  member: keyof Message,
  { digest }: Pick<ReceivedFile, 'digest'>,
): Message {
  if (digest === undefined) return message;
  const value: Value = create(ValueSchema, {
    kind: { case: 'stringValue', value: Buffer.from(digest).toString('base64url') },
  });
  return { ...message, [member]: value };
}

export function toImporter({ tenantId, actor, requestId, traceparent }: TenantCall): Actor {
  return { tenantId, actor, requestId, traceparent };
}
