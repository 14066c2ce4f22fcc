import type { Header } from './header-reader.ts';
import { DEFAULT_MAX_BYTES, type EventHandler, type HandlerOptions, receive } from './receive.ts';
import { createVerifier } from './verifier.ts';

/** The methods of a Fastify instance that the plugin calls. */
export interface FastifyLike {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    type: string,
    options: { parseAs: 'buffer'; bodyLimit: number },
    parse: (request: unknown, body: unknown) => Promise<unknown>,
  ): unknown;
  post(
    path: string,
    handler: (
      request: { readonly headers: Readonly<Record<string, Header>>; readonly body: unknown },
      reply: { code(status: number): { send(): unknown } },
    ) => Promise<unknown>,
  ): unknown;
}

/** Options of the plugin. */
export interface PluginOptions extends HandlerOptions {
  /** Path of the route. Default: `/`, below the prefix of the plugin. */
  readonly path?: string;
}

/**
 * Creates a Fastify plugin with one `POST` route. It replies with 204, or 401 to a request that is not genuine. If
 * `onEvent` throws, Fastify replies with 500. The plugin replaces the JSON parser for its own route only.
 */
export function fastifyPlugin(
  { maxBytes = DEFAULT_MAX_BYTES, path = '/', ...options }: PluginOptions,
  onEvent: EventHandler,
): (fastify: FastifyLike) => Promise<void> {
  const verify = createVerifier(options);
  return async (fastify) => {
    fastify.removeAllContentTypeParsers();
    fastify.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: maxBytes }, async (_request, body) => body);
    fastify.post(path, async ({ headers, body }, reply) => {
      const bytes = body instanceof Uint8Array ? body : new Uint8Array();
      return reply.code(await receive(verify, { headers, body: bytes }, onEvent)).send();
    });
  };
}
