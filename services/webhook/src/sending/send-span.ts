import { startChildSpan } from '@survey/runtime/telemetry/spans';
import { portOf } from '../targets/url-rules.ts';
import type { Answer } from './answer.ts';
import { AttemptError } from './attempt-error.ts';

/** Sends in a span of the delivery's trace. Of the address it tells host and port: the rest may be the receiver's secret. */
export async function inSendSpan(
  { traceparent, url }: { readonly traceparent: string; readonly url: string },
  send: () => Promise<Answer>,
): Promise<Answer> {
  const target = new URL(url);
  const span = startChildSpan({
    name: 'POST webhook',
    kind: 'client',
    traceparent,
    attributes: {
      'http.request.method': 'POST',
      'server.address': target.hostname,
      'server.port': portOf(target),
    },
  });
  try {
    const answer = await span.run(send);
    const { statusCode } = answer;
    const attributes = { 'http.response.status_code': statusCode };
    span.end(statusCode < 400 ? { attributes } : { attributes, error: String(statusCode) });
    return answer;
  } catch (error) {
    span.end({ error: error instanceof AttemptError ? error.failure : 'aborted' });
    throw error;
  }
}
