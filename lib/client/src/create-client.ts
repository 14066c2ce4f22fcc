import { type Call, type CallArguments, createCall } from './call.ts';
import { createFollow, type Follow } from './follow.ts';
import { operations } from './generated/operations.ts';
import type { Resources, Responses } from './generated/resources.ts';
import type { Operation } from './operation.ts';
import type { ClientOptions } from './options.ts';
import { createPages, readNextCursor } from './pages.ts';
import { createReply } from './reply.ts';

/** A client of the platform. */
export interface Client extends Resources {
  readonly responses: Responses & Follow;
}

/** Creates a client. It need not be closed. */
export function createClient(options: ClientOptions): Client {
  const call = createCall(options);
  const resources = Object.entries(operations).map(([resource, methods]) => [resource, createResource(methods, call)]);
  // The table has every method of every resource.
  const client: Resources = Object.fromEntries(resources);
  return { ...client, responses: { ...client.responses, ...createFollow(client, options) } };
}

/** Creates the methods of a resource from the table of operations. */
export function createResource(methods: Readonly<Record<string, Operation>>, call: Call): object {
  return Object.fromEntries(
    Object.entries(methods).map(([name, operation]) => [
      name,
      (...args: readonly unknown[]) => invoke(operation, readArguments(operation, args), call),
    ]),
  );
}

function invoke(operation: Operation, args: CallArguments, call: Call): unknown {
  const { items } = operation;
  if (operation.reply !== 'pages') return createReply(call(operation, args));
  if (items !== undefined)
    return createPages(async (cursor) => {
      const input = cursor === undefined ? args.input : { ...Object(args.input), cursor };
      // The operation replies with an object that has these members.
      const data = (await call(operation, { ...args, input })).data as Readonly<Record<string, unknown>>;
      return { items: data[items] as readonly unknown[], nextCursor: (data['next_cursor'] as string) || undefined };
    });
  return createPages(async (cursor) => {
    const query = cursor === undefined ? args.query : { ...args.query, cursor };
    const { data, response } = await call(operation, { ...args, query });
    return { items: data as readonly unknown[], nextCursor: readNextCursor(response.headers) };
  });
}

/**
 * Sorts the arguments of a method: the parameters of the path, the body, the query and the options. Operations without
 * a body or a query lack these arguments.
 */
function readArguments(operation: Operation, args: readonly unknown[]): CallArguments {
  const count = operation.path.match(/\{/g)?.length ?? 0;
  const rest = args.slice(count);
  const hasBody = operation.json !== undefined || operation.file === true;
  const input = hasBody ? rest.shift() : undefined;
  const query = operation.query ? rest.shift() : undefined;
  return { pathValues: args.slice(0, count), input, query, options: rest.shift() } as CallArguments;
}
