import { stdSerializers } from 'pino';

/** What a log tells of an error. */
interface ErrorFields {
  readonly type: string;
  readonly message: string;
  readonly stack: string;
  /** Of libraries, of the system, or of gRPC. */
  readonly code?: string | number;
  /** Of an `AggregateError`. */
  readonly errors?: readonly ErrorFields[];
}

/** The values of a unique index, which are somebody's data, as MongoDB words them (in quotes, line by line). */
const DUPLICATE_VALUES = /(dup key: ).*/g;

/**
 * The error with its causes, and nothing else of what libraries hang on theirs: documents, fields at fault, headers,
 * addresses. Of what is no error only its kind is told.
 */
export function errorFields(error: unknown): ErrorFields {
  if (!(error instanceof Error)) return { type: typeof error, message: 'this is no error', stack: '' };
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
