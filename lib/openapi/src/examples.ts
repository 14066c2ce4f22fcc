import type { DescField, DescMessage, JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { AppErrorOptions } from '@survey/runtime/errors/app-error';
import { mergePatch } from '@survey/runtime/json/merge-patch';
import type { Route } from '@survey/runtime/rest/route';

/** The examples in the documentation of an API. */
export interface Examples {
  /** Example records by message name. */
  readonly records: Readonly<Record<string, JsonObject>>;
  /**
   * Example bodies by operation name. If an operation replies with a record, its example is that of the record, and
   * `response` can be a merge patch (RFC 7396) for it. For other operations, `response` is the whole body. An example
   * of a list of records has one record. The example response of a query form is by default that of its GET.
   */
  readonly operations: Readonly<Record<string, { readonly request?: JsonValue; readonly response?: JsonValue }>>;
  /** Example values of parameters and headers by name. */
  readonly parameters: Readonly<Record<string, JsonValue>>;
  /** Example details of problems by error code. */
  readonly problems: Readonly<Record<string, Pick<AppErrorOptions, 'detail' | 'errors' | 'responseId'>>>;
}

/** Returns the example request of an operation. Throws if there is none. */
export function requestExampleOf({ operationId }: Route, { operations }: Examples): unknown {
  const example = operations[operationId]?.request;
  if (example === undefined) throw new Error(`${operationId} has no example request`);
  return example;
}

/** Returns the example response of an operation: a message or a list of messages. Throws if there is none. */
export function responseExampleOf(route: Route, output: DescMessage | DescField, examples: Examples): unknown {
  const isList = output.kind === 'field' && output.fieldKind === 'list';
  const message = output.kind === 'field' ? output.message : output;
  const record = message && examples.records[message.name];
  const operationExample = ownResponseExampleOf(route, examples);
  if (record === undefined && operationExample === undefined)
    throw new Error(`${route.operationId} has no example response`);
  if (record === undefined) return operationExample;
  const example = operationExample === undefined ? record : mergePatch(record, operationExample);
  return isList ? [example] : example;
}

/** Returns the example response of the operation itself, such as a file; undefined if it has none. */
export function ownResponseExampleOf({ operationId, method }: Route, { operations }: Examples): JsonValue | undefined {
  return operations[operationId]?.response ?? operations[method.localName]?.response;
}

/** Returns the example value of a parameter. Throws if there is none. */
export function parameterExampleOf(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  { parameters }: Examples,
): unknown {
  const allowedValues = schema['enum'];
  if (Array.isArray(allowedValues)) return allowedValues.find((value) => value !== '');
  if (schema['type'] === 'boolean') return true;
  const example = parameters[name];
  if (example === undefined) throw new Error(`the parameter ${name} has no example`);
  // Parameters of the same name share an example: it can be a text in a path, and a number in a query.
  return schema['type'] === 'integer' ? Number(example) : example;
}
