import { status } from '@grpc/grpc-js';
import { expect, it } from 'vitest';
import { type ErrorCode, errorCodes } from './error-codes.ts';
import { rpcStatusOf } from './error-mapping.ts';

it('every error has the name of a status of gRPC', () => {
  const codes = Object.keys(errorCodes) as ErrorCode[];
  const names = new Set([undefined, ...codes].map(rpcStatusOf));
  expect(names.size).toBeGreaterThan(8);
  for (const name of names) expect(Object.keys(status)).toContain(name);
});
