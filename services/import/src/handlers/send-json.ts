import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { messageToJson } from '@survey/runtime/rest/json-output';
import type { RawExchange } from '@survey/runtime/rpc/implementation';

interface JsonReply<Desc extends DescMessage> {
  readonly status: 200 | 202;
  readonly schema: Desc;
  readonly message: MessageInitShape<Desc>;
}

/** Replies with a status and a message other than the ones that the operation declares. */
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
