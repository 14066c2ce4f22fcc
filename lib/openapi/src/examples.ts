import type { DescField, DescMessage, JsonObject, JsonValue } from '@bufbuild/protobuf';
import type { AppErrorOptions } from '@survey/runtime/errors/app-error';
import { mergePatch } from '@survey/runtime/json/merge-patch';
import type { Route } from '@survey/runtime/rest/route';

/** What the documentation of an API shows. */
export interface Examples {
  /** A record of each message that is one, by the name of the message. */
  readonly records: Readonly<Record<string, JsonObject>>;
  /**
   * Bodies of operations, by the names of the operations: of the request, and of the answer where it is no record, or a
   * merge patch (RFC 7396) of one. An answer with several records shows one.
   */
  readonly operations: Readonly<Record<string, { readonly request?: JsonValue; readonly response?: JsonValue }>>;
  /** Values of parameters and headers, by their names. */
  readonly parameters: Readonly<Record<string, JsonValue>>;
  /** What problems say beside their reason, by its code. */
  readonly problems: Readonly<Record<string, Pick<AppErrorOptions, 'detail' | 'errors'>>>;
}

/** Throws when there is none: whoever adds an operation is told by the name. */
export function requestExampleOf({ method }: Route, { operations }: Examples): unknown {
  const example = operations[method.localName]?.request;
  if (example === undefined) throw new Error(`${method.localName} has no example of its request`);
  return example;
}

/** An answer that is a message, or a list of them. Throws as `requestExampleOf`. */
export function answerExampleOf(
  { method }: Route,
  answer: DescMessage | DescField,
  { records, operations }: Examples,
): unknown {
  const isList = answer.kind === 'field' && answer.fieldKind === 'list';
  const message = answer.kind === 'field' ? answer.message : answer;
  const record = message && records[message.name];
  const own = operations[method.localName]?.response;
  if (record === undefined && own === undefined) throw new Error(`${method.localName} has no example of its answer`);
  if (record === undefined) return own;
  const shown = own === undefined ? record : mergePatch(record, own);
  return isList ? [shown] : shown;
}

/** Of bytes there need not be one. */
export function bytesExampleOf({ method }: Route, { operations }: Examples): unknown {
  return operations[method.localName]?.response;
}

/** A value of a parameter. Throws when there is none. */
export function parameterExampleOf(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  { parameters }: Examples,
): unknown {
  const closed = schema['enum'];
  if (Array.isArray(closed)) return closed.find((value) => value !== '');
  if (schema['type'] === 'boolean') return true;
  const example = parameters[name];
  if (example === undefined) throw new Error(`the parameter ${name} has no example`);
  return example;
}
