import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createUploadRequest, describeUpload } from './upload-request.ts';

/** The part of XMLHttpRequest that is used. Tests play the events. */
class FakeRequest {
  static last: FakeRequest;
  readonly upload: { onloadstart?: () => void; onprogress?: (event: { loaded: number }) => void } = {};
  readonly headers: string[][] = [];
  readonly sent: unknown[] = [];
  status = 200;
  statusText = 'OK';
  responseText = '';
  responseURL = 'https://console.test/v1/x';
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  constructor() {
    FakeRequest.last = this;
  }
  open(...address: string[]) {
    this.sent.push(address);
  }
  setRequestHeader(...header: string[]) {
    this.headers.push(header);
  }
  send(body: unknown) {
    this.sent.push(body);
  }
  getAllResponseHeaders() {
    return 'content-type: application/json\r\nretry-after: 5\r\n';
  }
  abort() {
    this.onabort?.();
  }
}

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  vi.stubGlobal('document', { baseURI: 'https://console.test/console/' });
});
afterEach(() => vi.unstubAllGlobals());

it('sends a body, reports its progress, and returns the reply', async () => {
  const progress: number[] = [];
  const reply = createUploadRequest((bytes) => progress.push(bytes))('/v1/x', {
    method: 'POST',
    headers: { authorization: 'Bearer t' },
    body: 'text',
  });
  const request = FakeRequest.last;
  expect([request.sent, request.headers]).toEqual([[['POST', '/v1/x'], 'text'], [['authorization', 'Bearer t']]]);
  request.upload.onloadstart?.();
  request.upload.onprogress?.({ loaded: 4 });
  request.responseText = '{"id":"1"}';
  request.onload?.();
  const response = await reply;
  expect([response.status, response.headers.get('retry-after'), await response.json()]).toEqual([
    200,
    '5',
    { id: '1' },
  ]);
  expect(progress).toEqual([0, 4]);
});

it('returns a followed redirect as a redirect', async () => {
  const reply = createUploadRequest(() => {})('/v1/x', { method: 'POST', body: 'text' });
  FakeRequest.last.responseURL = 'https://console.test/other';
  FakeRequest.last.onload?.();
  const { status, headers } = await reply;
  expect([status, headers.get('location')]).toEqual([307, 'https://console.test/other']);
});

it.each([204, 304])('returns a reply %i without a body', async (status) => {
  const reply = createUploadRequest(() => undefined)('/v1/x');
  FakeRequest.last.status = status;
  FakeRequest.last.onload?.();
  expect(await (await reply).text()).toBe('');
});

it('fails as fetch does', async () => {
  const send = createUploadRequest(() => undefined);
  const lost = send('/v1/x');
  FakeRequest.last.onerror?.();
  await expect(lost).rejects.toThrow(TypeError);

  const controller = new AbortController();
  const stopped = send('/v1/x', { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
  await expect(send('/v1/x', { signal: controller.signal })).rejects.toThrow('enough');
});

const at = (seconds: number, bytes: number) => ({ at: seconds * 1000, bytes, rows: 0 });

it.each([
  [0, [], '0 B of 10 MB, 0%'],
  [2.5e6, [at(0, 0), at(1, 2.5e6)], '2.5 MB of 10 MB, 25%, about 3 s left'],
  [2.5e6, [at(0, 2.5e6), at(1, 2.5e6)], '2.5 MB of 10 MB, 25%'],
  [10e6, [at(0, 0), at(1, 10e6)], '10 MB are uploaded. The platform replies soon…'],
])('describes %d sent bytes', (sent, samples, text) => {
  expect(describeUpload(sent, 10e6, samples)).toBe(text);
});
