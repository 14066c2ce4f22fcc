import { ApiError, type PublicFile } from '@survey/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSurveyApi } from './api.ts';
import { createUploads, type PendingFile, uploadErrorsIn, withUploadErrors } from './uploads.ts';

const question = { id: 'receipt', maxBytes: 10 };
const file = (name: string, size = 1) => new File(['x'.repeat(size)], name);

interface Request {
  readonly name: string;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
  readonly resolve: (uploaded: PublicFile) => void;
  readonly reject: (error: unknown) => void;
}

/** Uploads whose requests end when the test says so. */
function create() {
  const requests: Request[] = [];
  const uploaded: unknown[] = [];
  let pending: readonly PendingFile[] = [];
  const uploads = createUploads({
    upload: (_id, { name }, onProgress, signal) =>
      new Promise((resolve, reject) => requests.push({ name, signal, onProgress, resolve, reject })),
    onChange: (all) => {
      pending = all;
    },
    onUploaded: (questionId, { file_id }, { name }) => uploaded.push([questionId, file_id, name]),
  });
  const shown = () => pending.map(({ file: { name }, share, problem }) => [name, share, problem]);
  const at = (index: number): Request => {
    const request = requests[index];
    if (request === undefined) throw new Error(`no request ${index}`);
    return request;
  };
  const first = (): PendingFile => {
    const [one] = pending;
    if (one === undefined) throw new Error('nothing is pending');
    return one;
  };
  return { uploads, at, uploaded, shown, first, requests, pending: () => pending };
}

const stored = (id: string): PublicFile => ({ file_id: id }) as PublicFile;
const failed = (code: ApiError['code'], status: number) => new ApiError('failed', { code, status });

describe('an upload', () => {
  it('is pending with its progress, then becomes an answer', async () => {
    const { uploads, at, uploaded, shown } = create();
    const done = [uploads.start(question, file('a')), uploads.start(question, file('b'))];
    at(0).onProgress(0.5);
    expect(shown()).toEqual([
      ['a', 0.5, undefined],
      ['b', 0, undefined],
    ]);
    at(1).resolve(stored('2'));
    at(0).resolve(stored('1'));
    await Promise.all(done);
    expect(uploaded).toEqual([
      ['receipt', '2', 'b'],
      ['receipt', '1', 'a'],
    ]);
    expect(shown()).toEqual([]);
  });

  it('is stopped when it is removed, and does not become an answer even if it completes', async () => {
    const { uploads, at, uploaded, shown, first } = create();
    const done = uploads.start(question, file('a'));
    uploads.remove(first());
    expect([at(0).signal.aborted, shown()]).toEqual([true, []]);
    at(0).resolve(stored('1'));
    await done;
    expect([uploaded, shown()]).toEqual([[], []]);
  });

  it('is stopped with all others', async () => {
    const { uploads, at, uploaded, shown } = create();
    const done = [uploads.start(question, file('a')), uploads.start({ ...question, id: 'other' }, file('b'))];
    uploads.clear();
    expect([at(0).signal.aborted, at(1).signal.aborted, shown()]).toEqual([true, true, []]);
    at(0).resolve(stored('1'));
    at(1).reject(at(1).signal.reason);
    await Promise.all(done);
    expect([uploaded, shown()]).toEqual([[], []]);
  });

  it.each([
    [failed('INVALID_FILE', 413), 'FILE_TOO_LARGE'],
    [
      new ApiError('failed', {
        code: 'INVALID_FILE',
        status: 422,
        errors: [{ code: 'FILE_KIND_REFUSED', path: '', detail: '' }],
      }),
      'FILE_KIND_REFUSED',
    ],
    [failed('CONNECTION_LOST', 0), 'UPLOAD_FAILED'],
  ])('that ends with "%s" stays with the problem %s', async (error, problem) => {
    const { uploads, at, shown } = create();
    const done = uploads.start(question, file('a'));
    at(0).reject(error);
    await done;
    expect(shown()).toEqual([['a', 0, problem]]);
  });

  it('is not sent if the file is too large', async () => {
    const { uploads, requests, shown } = create();
    await uploads.start(question, file('a', 11));
    expect([requests, shown()]).toEqual([[], [['a', 0, 'FILE_TOO_LARGE']]]);
  });

  it('can be retried', async () => {
    const { uploads, at, uploaded, shown, first } = create();
    const failing = uploads.start(question, file('a'));
    at(0).reject(failed('CONNECTION_LOST', 0));
    await failing;
    const retried = uploads.retry(first());
    expect(shown()).toEqual([['a', 0, undefined]]);
    at(1).resolve(stored('1'));
    await retried;
    expect([uploaded, shown()]).toEqual([[['receipt', '1', 'a']], []]);
  });
});

describe('errors of uploads', () => {
  it('are reported only for the given questions, and a running upload takes precedence', async () => {
    const { uploads, pending } = create();
    await uploads.start(question, file('a', 11));
    expect([...uploadErrorsIn(pending(), ['receipt'])]).toEqual([['receipt', 'FILES_NOT_UPLOADED']]);
    void uploads.start(question, file('b'));
    await uploads.start(question, file('c', 11));
    expect([...uploadErrorsIn(pending(), ['receipt'])]).toEqual([['receipt', 'UPLOAD_RUNNING']]);
    expect(uploadErrorsIn(pending(), ['other']).size).toBe(0);
  });

  it('change and disappear with the pending files', async () => {
    const { uploads, pending, first } = create();
    const errors = new Map([
      ['receipt', 'UPLOAD_RUNNING'],
      ['dish', 'REQUIRED'],
    ]);
    await uploads.start(question, file('a', 11));
    const changed = withUploadErrors(errors, pending());
    expect([...changed]).toEqual([
      ['receipt', 'FILES_NOT_UPLOADED'],
      ['dish', 'REQUIRED'],
    ]);
    expect(withUploadErrors(changed, pending())).toBe(changed);
    uploads.remove(first());
    expect([...withUploadErrors(changed, pending())]).toEqual([['dish', 'REQUIRED']]);
  });
});

describe('an upload whose request is redirected', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('fails with an error that names the target, although the browser has followed the redirect', async () => {
    /** The part of XMLHttpRequest that is used. */
    class Followed {
      readonly upload = {};
      readonly status = 201;
      readonly responseText = '{"file_id":"1"}';
      readonly responseURL = 'https://survey.test/elsewhere';
      onload?: () => void;
      open() {}
      setRequestHeader() {}
      getAllResponseHeaders = () => 'content-type: application/json\r\n';
      send() {
        this.onload?.();
      }
    }
    vi.stubGlobal('XMLHttpRequest', Followed);
    vi.stubGlobal('document', { baseURI: 'https://survey.test/s/slug' });
    const api = createSurveyApi({
      baseUrl: 'https://survey.test',
      address: { kind: 'link', slug: 'slug' },
      linkToken: () => 'token',
      onLinkToken: () => {},
    });
    const uploading = api.upload('receipt', file('a'), () => {}, new AbortController().signal);
    await expect(uploading).rejects.toMatchObject({
      code: 'UNEXPECTED_REPLY',
      message: expect.stringContaining('redirects to https://survey.test;'),
    });
  });
});
