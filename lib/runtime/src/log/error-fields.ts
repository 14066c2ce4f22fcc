import { stdSerializers } from 'pino';

/** Fields of an error in the log. */
interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  /** Code of a library, the system or gRPC. */
  readonly code?: string | number;
  /** Errors of an `AggregateError`. */
  readonly errors?: readonly ErrorFields[];
}

/** Values of a unique index in a message of MongoDB: they are tenants' data. */
const DUPLICATE_VALUES = /(dup key: ).*/g;

/**
 * Selects the fields of an error that may be logged, with its causes. Other members, which libraries add, may hold
 * documents, headers or addresses. Thrown values that are not errors are logged by type only.
 */
export function errorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'not an error', stack: '' };
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type,
    message: withoutValues(message),
    stack: withoutValues(stack),
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    ...(error instanceof AggregateError ? { errors: error.errors.map(errorFields) } : {}),
  };
}

function withoutValues(text: string): string {
  return text.replace(DUPLICATE_VALUES, '$1…');
}
