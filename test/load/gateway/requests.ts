/** A submission of 1.4 kB. */
export const BODY = JSON.stringify({ status: 'completed', data: { comment: 'a'.repeat(1_356) } });
/** The path of the request. */
export const PATH = '/v1/surveys/01890a5d-ac96-774b-bcce-b302099a8057/responses';

/** Raw requests; each head ends with an empty line. */
export interface Requests {
  /** The heads of a request with the body `BODY`, and of one with chunks. */
  readonly post: string;
  readonly upload: string;
  /** Complete requests with slow and with long replies. */
  readonly slowReply: string;
  readonly long: string;
}

export function toRequests(token: string): Requests {
  const head = (line: string, ...more: readonly string[]) =>
    [`${line} HTTP/1.1`, 'Host: gateway', `Authorization: Bearer ${token}`, ...more, '', ''].join('\r\n');
  return {
    post: head(`POST ${PATH}`, 'Content-Type: application/json', `Content-Length: ${Buffer.byteLength(BODY)}`),
    upload: head(`POST ${PATH}/import?format=csv`, 'Content-Type: text/csv', 'Transfer-Encoding: chunked'),
    slowReply: head(`GET ${PATH}/count`),
    long: head(`GET ${PATH}/export?format=csv`),
  };
}
