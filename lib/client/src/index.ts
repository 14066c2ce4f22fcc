export { ApiError, type ClientErrorCode, type FieldError } from './api-error.ts';
export { type Client, createClient } from './create-client.ts';
export type { FileBody } from './file-body.ts';
export type * from './generated/resources.ts';
export type * from './generated/types.ts';
export type { ClientOptions, Options, RequestOptions } from './options.ts';
export type { Page, Pages } from './pages.ts';
export { readNdjson } from './read-ndjson.ts';
export type { Download, Reply, ReplyWithResponse } from './reply.ts';
