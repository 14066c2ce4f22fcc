export { ApiError, type ClientErrorCode, type FieldError } from './api-error.ts';
export { type Client, createClient } from './create-client.ts';
export type { FileBody } from './file-body.ts';
export type { Follow, FollowOptions } from './follow.ts';
/** The limits of texts and numbers in requests, as attributes of HTML inputs. */
export * as limits from './generated/limits.ts';
export type * from './generated/resources.ts';
export type * from './generated/types.ts';
export type { ClientOptions, Options, RequestOptions } from './options.ts';
export type { Page, Pages } from './pages.ts';
export { randomUuid } from './random-uuid.ts';
export { readNdjson } from './read-ndjson.ts';
export type { Download, Reply, ReplyWithResponse } from './reply.ts';
