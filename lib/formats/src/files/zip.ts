import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';
import { fileOf, type ImportFile } from './import-file.ts';
import { invalidFile } from './report.ts';
import { requireWholeSize } from './text.ts';

export interface Archive {
  /** Names of all files and folders. */
  readonly names: readonly string[];
  /**
   * Unpacks a file; undefined if the archive has no file of this name. Throws `INVALID_IMPORT` if it cannot be
   * unpacked.
   */
  read(name: string): Promise<ImportFile | undefined>;
  /**
   * Like `read`, but unpacks the file while its content is streamed. So the file can be larger, and streaming also
   * throws `INVALID_IMPORT`.
   */
  stream(name: string): ImportFile | undefined;
}

const ZIP_LIMITS = {
  files: 2_000,
  /** Unpacked size of one file. */
  fileBytes: 32 * 1024 * 1024,
  /** Unpacked size of all files that are read. */
  bytes: 64 * 1024 * 1024,
  /** A streamed file may unpack to `fileBytes` plus this many times the size of the archive. */
  ratio: 100,
  /** Unpacked size of any streamed file. */
  streamedBytes: 1024 * 1024 * 1024,
} as const;

const MAX_REASON = 200;
/** The start of archives with files, and of archives without files. */
const ZIP_MARKS = ['PK\u0003\u0004', 'PK\u0005\u0006'];
/** The start of compound files: workbooks before 2007, and encrypted ones. */
const COMPOUND_MARK = '\u00d0\u00cf\u0011\u00e0';
const MARK_LENGTH = 4;

/** Whether a file is a ZIP archive. Throws `INVALID_IMPORT` if it is an old workbook (`.xls`), whatever its name is. */
export async function isZip(file: ImportFile): Promise<boolean> {
  const mark = await readMark(file);
  return ZIP_MARKS.some((zip) => mark.startsWith(zip));
}

/** The first bytes of a file, as Latin-1. Throws `INVALID_IMPORT` if it is an old workbook. */
async function readMark(file: ImportFile): Promise<string> {
  let mark = '';
  for await (const bytes of file.open()) {
    mark += Buffer.from(bytes.subarray(0, MARK_LENGTH)).toString('latin1');
    if (mark.length >= MARK_LENGTH) break;
  }
  if (!mark.startsWith(COMPOUND_MARK)) return mark;
  const detail =
    'The file is an old workbook (.xls) or an encrypted one: save it as .xlsx without a password, or as CSV';
  throw invalidFile('OLD_WORKBOOK', detail);
}

/**
 * Opens a ZIP archive in memory. Files are unpacked to memory, never to disk. Throws `INVALID_IMPORT` if the file is
 * not an archive, or has names that lead out of it.
 */
export async function readZip(file: ImportFile): Promise<Archive> {
  requireWholeSize(file);
  await readMark(file);
  const bytes = await collect(file.open());
  const archive = await withZipErrors(() => fromBufferPromise(bytes, { autoClose: false }));
  if (archive.entryCount > ZIP_LIMITS.files) throw zipError(`it has more than ${ZIP_LIMITS.files} files`);
  const entries = await withZipErrors(() => entriesOf(archive));
  let bytesLeft: number = ZIP_LIMITS.bytes;
  const maxStreamed = Math.min(ZIP_LIMITS.streamedBytes, ZIP_LIMITS.fileBytes + ZIP_LIMITS.ratio * file.size);
  return {
    names: [...entries.keys()],

    stream(name) {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      if (entry.uncompressedSize > maxStreamed) throw zipError(`the unpacked file ${name} is too large`);
      return { size: entry.uncompressedSize, open: () => streamEntry(archive, entry) };
    },

    async read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      if (entry.uncompressedSize > ZIP_LIMITS.fileBytes) throw zipError(`the unpacked file ${name} is too large`);
      if (entry.uncompressedSize > bytesLeft) {
        throw zipError(`the unpacked files are too large: ${name} exceeds ${ZIP_LIMITS.bytes} bytes for all files`);
      }
      bytesLeft -= entry.uncompressedSize;
      // The library rejects files that unpack to more than their declared size.
      return withZipErrors(async () => fileOf(await collect(await archive.openReadStreamPromise(entry))));
    },
  };
}

async function entriesOf(archive: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  for await (const entry of archive.eachEntry()) {
    if (entries.has(entry.fileName)) throw zipError('two files have the same name');
    entries.set(entry.fileName, entry);
  }
  return entries;
}

async function* streamEntry(archive: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  const stream = await withZipErrors(() => archive.openReadStreamPromise(entry));
  try {
    for (const pieces = stream[Symbol.asyncIterator](); ; ) {
      const next = await withZipErrors(() => pieces.next());
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    stream.destroy();
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(pieces));
}

function zipError(reason: string): Error {
  return invalidFile('BAD_ZIP', `The ZIP archive cannot be read: ${reason.slice(0, MAX_REASON).toWellFormed()}`);
}

/** Converts plain errors, which the library and zlib throw, to `INVALID_IMPORT`. */
async function withZipErrors<Value>(action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof Error && error.constructor === Error ? zipError(error.message) : error;
  }
}
