import type { Attempt, SentRequest, Trigger } from './delivery.ts';

/** An attempt as it is stored in its delivery. */
export interface AttemptDocument {
  readonly number: number;
  readonly trigger: Trigger;
  readonly started_at: Date;
  readonly duration_ms: number;
  readonly status_code?: number;
  readonly content_type?: string;
  readonly response_excerpt?: string;
  readonly error?: string;
  readonly request?: RequestDocument;
}

interface RequestDocument {
  readonly url: string;
  readonly headers?: readonly string[];
  readonly signed_at: Date;
}

export function toAttemptDocument(attempt: Attempt): AttemptDocument {
  const { statusCode, contentType, responseExcerpt, error, request } = attempt;
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
    ...(statusCode === undefined ? {} : { status_code: statusCode }),
    ...(contentType === undefined ? {} : { content_type: contentType }),
    ...(responseExcerpt === undefined ? {} : { response_excerpt: responseExcerpt }),
    ...(error === undefined ? {} : { error }),
    ...(request === undefined ? {} : { request: toRequestDocument(request) }),
  };
}

function toRequestDocument({ url, headerNames, signedAt }: SentRequest): RequestDocument {
  return { url, ...(headerNames.length > 0 && { headers: headerNames }), signed_at: signedAt };
}

export function fromAttemptDocument(document: AttemptDocument): Attempt {
  const { request } = document;
  return {
    number: document.number,
    trigger: document.trigger,
    startedAt: document.started_at,
    durationMs: document.duration_ms,
    statusCode: document.status_code,
    contentType: document.content_type,
    responseExcerpt: document.response_excerpt,
    error: document.error,
    request: request && { url: request.url, headerNames: request.headers ?? [], signedAt: request.signed_at },
  };
}
