/** The content of a file. A stream can be sent only once, so requests with it are not repeated. */
export type FileBody = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | string;

const DEFAULT_TYPE = 'application/octet-stream';

export function isFileBody(value: unknown): value is FileBody {
  return (
    typeof value === 'string' ||
    value instanceof Blob ||
    value instanceof ArrayBuffer ||
    ArrayBuffer.isView(value) ||
    isStream(value)
  );
}

export function isStream(value: unknown): value is ReadableStream<Uint8Array> {
  return value instanceof ReadableStream;
}

/** The media type of a file. */
export function typeOfFile(body: FileBody): string {
  return body instanceof Blob && body.type !== '' ? body.type : DEFAULT_TYPE;
}

/** The name of a file that a user has chosen. */
export function nameOfFile(body: unknown): string | undefined {
  return body instanceof Blob && 'name' in body && typeof body.name === 'string' ? body.name : undefined;
}
