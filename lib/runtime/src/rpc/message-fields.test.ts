import { FieldMaskSchema, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { SecretRotationSchema } from '@survey/proto/survey/webhooks/v1/webhook_service_pb';
import { expect, it } from 'vitest';
import { toMessageFields } from './message-fields.ts';

const time = new Date('2026-01-02T03:04:05Z');
const rotation = { webhookId: 'w', secret: 's', previousSecretExpiresAt: time };

it('makes a message of the fields of a record, with timestamps, and without members that the contract lacks', () => {
  const fields = { ...rotation, previousSecretExpiresAt: timestampFromDate(time) };
  expect(toMessageFields(SecretRotationSchema, { ...rotation, internal: 1 } as typeof rotation)).toEqual(fields);
});

it('keeps fields without a value', () => {
  const fields = { ...rotation, previousSecretExpiresAt: undefined };
  expect(toMessageFields(SecretRotationSchema, fields)).toStrictEqual(fields);
});

it('copies lists, because messages may be changed', () => {
  const paths: readonly string[] = Object.freeze(['a']);
  const fields = toMessageFields(FieldMaskSchema, { paths });
  expect(fields.paths).toEqual(paths);
  expect(fields.paths).not.toBe(paths);
});

it('does not compile if a field is missing or of another type', () => {
  const { secret: _, ...withoutSecret } = rotation;
  // @ts-expect-error secret is missing
  expect(toMessageFields(SecretRotationSchema, withoutSecret)).toBeDefined();
  // @ts-expect-error paths is a list
  expect(toMessageFields(FieldMaskSchema, { paths: 'a' })).toBeDefined();
});
