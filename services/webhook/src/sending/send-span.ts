import { startSpanInTrace } from '@survey/runtime/telemetry/spans';
import { portOf } from '../targets/url-rules.ts';
import { AttemptError } from './attempt-error.ts';
import type { Reply } from './reply.ts';

/** Sends in a span of the delivery's trace. The span has host and port only, as the rest of the URL may be secret. */
export async function inSendSpan(
  { traceparent, url }: { readonly traceparent: string; readonly url: string },
  send: () => Promise<Reply>,
): Promise<Reply> {
  const target = new URL(url);
  const span = startSpanInTrace({
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
    const reply = await span.run(send);
    const { statusCode } = reply;
    const attributes = { 'http.response.status_code': statusCode };
    span.end(statusCode < 400 ? { attributes } : { attributes, error: String(statusCode) });
    return reply;
  } catch (error) {
    span.end({ error: error instanceof AttemptError ? error.failure : 'aborted' });
    throw error;
  }
}
