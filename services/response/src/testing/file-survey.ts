import type { JsonObject } from '@bufbuild/protobuf';
import type { FileChunkDocument, FileDocument } from '../files/file-store.ts';
import type { Reply, TestApp } from './response-app.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');

/** Bytes with the signature of a PNG file. */
export function pictureOf(size: number): Buffer {
  return Buffer.concat([PNG, Buffer.alloc(Math.max(0, size - PNG.length), 7)]);
}

interface Given {
  readonly filename?: string;
  readonly questionId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Adds a survey with its own tenant and two file questions. Returns helpers for the survey. */
export function addFileSurvey(app: TestApp, question: JsonObject = {}, survey: object = {}) {
  const definition: JsonObject = {
    title: 'Application',
    supported_languages: ['en'],
    pages: [
      {
        questions: [
          { id: 'cv', type: 'file_upload', title: 'Your CV', ...question },
          { id: 'more', type: 'file_upload', title: 'Anything else' },
          { id: 'name', type: 'text', title: 'Your name' },
        ],
      },
    ],
  };
  const added = app.survey.add({ definition, ...survey });
  const { surveyId, tenantId } = added;
  const permissions = ['responses:read', 'responses:write', 'responses:delete'];

  async function uploadTo(path: string, bytes: Uint8Array | ReadableStream, given: Given = {}): Promise<Reply> {
    const { filename, questionId = 'cv', headers } = given;
    const query = new URLSearchParams({ question_id: questionId, ...(filename !== undefined && { filename }) });
    const response = await fetch(`http://127.0.0.1:${app.ports().httpPort}${path}?${query}`, {
      method: 'POST',
      headers: {
        authorization: await app.authorizationOf(undefined, []),
        'content-type': 'application/octet-stream',
        ...headers,
      },
      // The types of `fetch` do not include bytes in a shared buffer.
      body: bytes as ReadableStream,
      ...(bytes instanceof ReadableStream && { duplex: 'half' }),
    });
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  }

  const upload = (bytes: Uint8Array | ReadableStream, given?: Given) =>
    uploadTo(`/v1/public/surveys/${surveyId}/files`, bytes, given);

  return {
    ...added,
    survey: added,
    uploadTo,
    upload,
    /** Returns the id of the file. */
    async store(bytes: Uint8Array = pictureOf(1_000), given?: Given): Promise<string> {
      return (await upload(bytes, given)).body.file_id;
    },
    submit: (data: object, headers?: Readonly<Record<string, string>>, more: object = {}) =>
      app.submit(surveyId, { data, ...more }, headers),
    call: (method: string, path: string, more: object = {}) =>
      app.call(method, path, { tenantId, permissions, ...more }),
    async download(id: string, { owner = tenantId, method = 'GET' } = {}) {
      const authorization = await app.authorizationOf(owner, ['responses:read']);
      const url = `http://127.0.0.1:${app.ports().httpPort}/v1/files/${id}`;
      return fetch(url, { method, headers: { authorization } });
    },
    files: app.db.collection<FileDocument>('files'),
    chunks: app.db.collection<FileChunkDocument>('file_chunks'),
    /** Counts the tenant's documents of files and chunks. */
    async countDocuments() {
      const ofTenant = { tenant_id: tenantId };
      const collections = ['files', 'file_chunks'].map((name) => app.db.collection(name).countDocuments(ofTenant));
      return Promise.all(collections);
    },
  };
}

export const fileAnswer = (...ids: readonly string[]) => ids.map((id) => ({ file_id: id }));
