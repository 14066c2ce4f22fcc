import { formatBytes, formatDuration, formatShare } from '../ui/format.tsx';
import { estimate, type Sample } from './import-state.tsx';

/** Called with the number of bytes that were sent so far, from 0 again when a request is repeated. */
export type OnSent = (bytes: number) => void;

/**
 * Returns a function like `fetch` that reports upload progress, which needs XMLHttpRequest. Bodies are files or
 * texts, and replies are short. Browsers follow redirects here, which sends the headers again, but only to origins in
 * `connect-src` of the page. The reply is then a redirect.
 */
export function createUploadRequest(onSent: OnSent): typeof fetch {
  return (address, { method = 'GET', headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = new XMLHttpRequest();
      request.open(method, String(address));
      request.responseType = 'text';
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onloadstart = () => onSent(0);
      request.upload.onprogress = ({ loaded }) => onSent(loaded);
      request.onload = () => resolve(toResponse(request, new URL(String(address), document.baseURI).href));
      // Reject with the same errors as `fetch`.
      request.onerror = () => reject(new TypeError('The connection was lost.'));
      request.onabort = () => reject(signal?.reason ?? new DOMException('The request was stopped.', 'AbortError'));
      signal?.addEventListener('abort', () => request.abort(), { once: true });
      request.send((body ?? null) as XMLHttpRequestBodyInit | null);
    });
}

/** Statuses without a body. */
const EMPTY: readonly number[] = [204, 205, 304];

function toResponse(request: XMLHttpRequest, address: string): Response {
  const { status, statusText, responseURL: location } = request;
  if (location !== address) return new Response(null, { status: 307, headers: { location } });
  const lines = request.getAllResponseHeaders().split('\r\n');
  const headers = new Headers(
    lines.flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon <= 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()]];
    }),
  );
  return new Response(EMPTY.includes(status) ? null : request.responseText, { status, statusText, headers });
}

/** Describes the progress of an upload, with the remaining time once it is known. */
export function describeUpload(sentBytes: number, totalBytes: number, samples: readonly Sample[]): string {
  if (sentBytes >= totalBytes) return `${formatBytes(totalBytes)} are uploaded. The platform replies soon…`;
  const sent = `${formatBytes(sentBytes)} of ${formatBytes(totalBytes)}, ${formatShare(sentBytes / totalBytes)}`;
  const left = estimate(samples, totalBytes)?.millisecondsLeft;
  return left === undefined ? sent : `${sent}, about ${formatDuration(Math.max(1000, left))} left`;
}
