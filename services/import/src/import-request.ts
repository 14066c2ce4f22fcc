import {
  create,
  type DescMessage,
  type JsonObject,
  type MessageInitShape,
  type MessageShape,
  toJson,
} from '@bufbuild/protobuf';
import { type Value, ValueSchema } from '@bufbuild/protobuf/wkt';
import type { HandlerContext } from '@connectrpc/connect';
import { fileOf } from '@survey/formats/files/import-file';
import { binaryFormats, jsonFormats } from '@survey/formats/sources';
import type { TenantId } from '@survey/runtime/auth/tenant-id';
import { AppError } from '@survey/runtime/errors/app-error';
import { readIdempotencyKey } from '@survey/runtime/idempotency/idempotency-key';
import { messageFromJson } from '@survey/runtime/rest/json-input';
import { messageToJson } from '@survey/runtime/rest/json-output';
import {
  bodyTooLarge,
  hasBody,
  parseJsonBody,
  requireJsonType,
  toMembers,
  withMinimumSpeed,
} from '@survey/runtime/rest/request-body';
import { isFileBody, reportingMissing } from '@survey/runtime/rest/request-message';
import type { RawExchange } from '@survey/runtime/rpc/implementation';
import { createTenantLimit } from './imports/import-service.ts';
import { type SplitBody, splitBody } from './staging/split-body.ts';
import type { ReceivedFile, Staging } from './staging/staged-file.ts';

/** A request whose file has been received. */
export interface ImportRequest<Desc extends DescMessage> extends ReceivedFile {
  /** A valid message. The member with the file has no meaningful value. */
  readonly message: MessageShape<Desc>;
  /** Location of the file: a JSON pointer into the body, empty if the file is the body. */
  readonly location: string;
}

interface Dependencies {
  readonly staging: Pick<Staging, 'receive' | 'discard'>;
  /** Monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** Size limit of a body, in bytes. */
  readonly maxBytes: number;
}

interface Incoming<Desc extends DescMessage> {
  readonly schema: Desc;
  /** Throws if the message is invalid. */
  readonly check: (message: MessageShape<Desc>) => void;
  /** The message made from the path and the query. */
  readonly message: MessageShape<Desc>;
  /** Name of the member with the file. */
  readonly member: string;
  /** Parameters of the path. The body must not have them. */
  readonly params: JsonObject;
  readonly tenantId: TenantId;
  /** Whether to store (stage) the file even if it is small, because a job imports it after the reply. */
  readonly alwaysStage: boolean;
  readonly exchange: Pick<RawExchange, 'request' | 'body'>;
}

/** Limits of concurrent uploads. Each upload has a few pieces in memory: see `MAX_BYTES_IN_MEMORY`. */
const UPLOAD_LIMITS = { total: 64, perTenant: 16 };
/** For larger bodies, limits are checked before the body arrives. */
const SMALL_BYTES = 1024 * 1024;

export type ReceiveImport = ReturnType<typeof createImportReceiver>;

/**
 * Receives import requests. If the body is the file, the other members of the message are in the query. Otherwise, the
 * body is JSON with the file as a member. Large files are staged while they arrive: stored in encrypted pieces.
 */
export function createImportReceiver({ staging, now, maxBytes }: Dependencies) {
  const withUploadSlot = createTenantLimit(UPLOAD_LIMITS);

  async function receive<Desc extends DescMessage>(incoming: Incoming<Desc>): Promise<ImportRequest<Desc>> {
    const { schema, check, message, member, params, tenantId, alwaysStage, exchange } = incoming;
    const body = withMinimumSpeed(bounded(exchange, maxBytes), now);
    const receiveFile = (bytes: AsyncIterable<Uint8Array>) => staging.receive(tenantId, bytes, { alwaysStage });
    if (isFileBody(exchange.request)) {
      const withPlaceholder = { ...message, [member]: PLACEHOLDER };
      const given = Object.fromEntries(new URLSearchParams(exchange.request.url?.replace(/^[^?]*/, '')));
      checkQuery(() => reportingMissing({ ...given, ...params, [member]: PLACEHOLDER }, () => check(withPlaceholder)));
      return { ...(await receiveFile(body)), message: withPlaceholder, location: '' };
    }
    if (hasBody(exchange.request)) requireJsonType(exchange.request);
    const split = splitBody(body, member);
    // The other members are complete only after the file was read to its end.
    const received = await receiveFile(split.file);
    try {
      const members = readRest(split, params);
      const parsed = messageFromJson(schema, { ...members, ...params });
      reportingMissing({ ...members, ...params }, () => check(parsed));
      const location = `/${member}`;
      checkKind(split.kind(), members['format'], location);
      return { ...received, message: parsed, location };
    } catch (error) {
      if (received.staged !== undefined) await staging.discard(tenantId, received.staged.id);
      throw error;
    }
  }

  /** Throws `OVERLOADED`, `TOO_MANY_REQUESTS` and errors of invalid requests. Staged pieces are deleted first. */
  return <Desc extends DescMessage>(incoming: Incoming<Desc>): Promise<ImportRequest<Desc>> =>
    withUploadSlot(incoming.tenantId, () => receive(incoming));
}

/**
 * Whether to check limits before the body arrives. False with an `Idempotency-Key`: a repeated request must get its
 * first reply, not a limit error. Throws `INVALID_REQUEST` for an invalid key.
 */
export function shouldCheckEarly({ request }: Pick<RawExchange, 'request'>, context: HandlerContext): boolean {
  const hasKey = readIdempotencyKey(context) !== undefined;
  const { 'content-length': length } = request.headers;
  return !hasKey && (length === undefined || Number(length) > SMALL_BYTES);
}

/** Converts errors of the query to `INVALID_REQUEST`. In the query, members of `options` have no prefix. */
function checkQuery(check: () => void): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const errors = error.errors.map((problem) => ({ ...problem, path: problem.path.replace(/^\/options(?=\/)/, '') }));
    throw new AppError('INVALID_REQUEST', { errors, cause: error });
  }
}

/** Stands for the file in the message, because the message check requires the field. */
const PLACEHOLDER = { $typeName: 'google.protobuf.Value', kind: { case: 'numberValue', value: 0 } } as const;

/** The file in a message. Throws `INVALID_IMPORT` if the format requires another JSON type. */
export function fileOfValue(value: Value | undefined, format: string, location: string): ReceivedFile['file'] {
  const json = value === undefined ? null : toJson(ValueSchema, value);
  const isText = typeof json === 'string';
  checkKind(isText ? 'text' : typeof json === 'object' && json !== null ? 'json' : 'none', format, location);
  return fileOf(isText ? json : JSON.stringify(json));
}

/** Throws `INVALID_IMPORT` for a number, a boolean or null, and if the format requires another JSON type. */
function checkKind(kind: ReturnType<SplitBody['kind']>, format: unknown, location: string): void {
  const rejection = (detail: string) =>
    new AppError('INVALID_IMPORT', { detail, errors: [{ path: location, code: 'WRONG_TYPE', detail }] });
  // A missing format is detected later.
  if (format !== undefined && format !== '') {
    if (binaryFormats.has(String(format))) throw rejection(`A file in the format ${format} must be the whole body`);
    const isJson = jsonFormats.has(String(format));
    if (isJson && kind === 'text')
      throw rejection(`A file in the format ${format} must be a JSON value in the body, not a string`);
    if (!isJson && kind !== 'text')
      throw rejection(`A file in the format ${format} must be a string with the text of the file`);
  }
  if (kind === 'none') throw rejection('A file must be a JSON object or array, or a string with its text');
}

/** Parses the other members of the body, with the checks of an ordinary JSON body. */
function readRest(split: SplitBody, params: JsonObject): JsonObject {
  const bytes = split.rest();
  if (bytes.length === 0) return {};
  return toMembers(parseJsonBody(bytes, split.toPosition), params) as JsonObject; // parsed from JSON
}

async function* bounded(
  { request, body }: Pick<RawExchange, 'request' | 'body'>,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    if (size > maxBytes) throw bodyTooLarge(maxBytes);
    yield bytes;
  }
}

interface JsonReply<Desc extends DescMessage> {
  readonly status: 200 | 202;
  readonly schema: Desc;
  readonly message: MessageInitShape<Desc>;
}

/** Replies with the status and message of a job or a dry run, which the operation does not declare. */
export function sendJson<Desc extends DescMessage>(
  { response }: Pick<RawExchange, 'response'>,
  { responseHeader }: Pick<HandlerContext, 'responseHeader'>,
  { status, schema, message }: JsonReply<Desc>,
): void {
  const body = Buffer.from(JSON.stringify(messageToJson(schema, create(schema, message))));
  response.statusCode = status;
  for (const [name, value] of responseHeader) response.setHeader(name, value);
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', String(body.length));
  response.end(body);
}
