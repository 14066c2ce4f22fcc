import { type ErrorCode, errorCodes } from '../errors/error-codes.ts';

/** The name of gRPC for the status of a call, as in `rpc.response.status_code`; `OK` without an error. */
export function rpcStatusOf(error: ErrorCode | undefined): string {
  if (error === undefined) return 'OK';
  const { grpcCode } = errorCodes[error];
  // Connect and gRPC spell this one differently.
  return grpcCode === 'Canceled' ? 'CANCELLED' : grpcCode.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}
