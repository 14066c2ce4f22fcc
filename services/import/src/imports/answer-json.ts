import { create, type DescMessage, type MessageInitShape } from '@bufbuild/protobuf';
import type { HandlerContext } from '@connectrpc/connect';
import { messageToJson } from '@survey/runtime/rest/json-output';
import type { RawExchange } from '@survey/runtime/rpc/implementation';

interface Answer<Desc extends DescMessage> {
  readonly status: 200 | 202;
  readonly schema: Desc;
  readonly message: MessageInitShape<Desc>;
}

/** Answers with another status than the operation has, and another message than it has for that. */
export function answerJson<Desc extends DescMessage>(
  { response }: Pick<RawExchange, 'response'>,
  { responseHeader }: Pick<HandlerContext, 'responseHeader'>,
  { status, schema, message }: Answer<Desc>,
): void {
  const body = Buffer.from(JSON.stringify(messageToJson(schema, create(schema, message))));
  response.statusCode = status;
  for (const [name, value] of responseHeader) response.setHeader(name, value);
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', String(body.length));
  response.end(body);
}
