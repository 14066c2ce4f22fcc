import type { FileQuestion } from '@survey/questionnaire/compiled-definition';
import { supportedExtensions } from 'file-type';
import { extensionOf } from './clean-filename.ts';
import { MAX_FILE_BYTES } from './file.ts';
import type { FileKind } from './file-kind.ts';

/** Canonical names of media types. */
const TYPE_ALIASES: ReadonlyMap<string, string> = new Map([
  ['image/jpg', 'image/jpeg'],
  ['image/pjpeg', 'image/jpeg'],
  ['audio/mp3', 'audio/mpeg'],
  ['audio/x-wav', 'audio/wav'],
  ['audio/wave', 'audio/wav'],
  ['application/x-zip-compressed', 'application/zip'],
  ['application/x-pdf', 'application/pdf'],
  ['text/xml', 'application/xml'],
  ['text/json', 'application/json'],
]);
const EXTENSION_ALIASES: ReadonlyMap<string, string> = new Map([
  ['jpeg', 'jpg'],
  ['jpe', 'jpg'],
  ['jfif', 'jpg'],
  ['tiff', 'tif'],
  ['htm', 'html'],
  ['text', 'txt'],
  ['mpeg', 'mpg'],
]);

const ZIP = 'application/zip';
const OLD_OFFICE = 'application/x-cfb';
const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';

/** Formats in a container format. The first bytes of a file can identify only the container. */
const CONTAINER_FORMATS: readonly (readonly [extension: string, type: string, container: string])[] = [
  ['docx', `${OPEN_XML}wordprocessingml.document`, ZIP],
  ['xlsx', `${OPEN_XML}spreadsheetml.sheet`, ZIP],
  ['pptx', `${OPEN_XML}presentationml.presentation`, ZIP],
  ['odt', `${OPEN_DOCUMENT}text`, ZIP],
  ['ods', `${OPEN_DOCUMENT}spreadsheet`, ZIP],
  ['odp', `${OPEN_DOCUMENT}presentation`, ZIP],
  ['doc', 'application/msword', OLD_OFFICE],
  ['xls', 'application/vnd.ms-excel', OLD_OFFICE],
  ['ppt', 'application/vnd.ms-powerpoint', OLD_OFFICE],
  ['msg', 'application/vnd.ms-outlook', OLD_OFFICE],
];

/** Maximum number of accepted kinds in an error detail. */
const MAX_QUOTED = 20;

interface FileProblem {
  readonly code: 'FILE_TOO_LARGE' | 'FILE_KIND_REFUSED';
  readonly detail: string;
}

/** Maximum size of a file for the question, in bytes. */
export function maxBytesOf({ maxBytes }: Pick<FileQuestion, 'maxBytes'>): number {
  return Math.min(maxBytes ?? MAX_FILE_BYTES, MAX_FILE_BYTES);
}

/** Returns an error if a file of this size is too large for the question. */
export function sizeProblem(question: Pick<FileQuestion, 'maxBytes'>, size: number): FileProblem | undefined {
  const max = maxBytesOf(question);
  return size <= max ? undefined : { code: 'FILE_TOO_LARGE', detail: `a file must not exceed ${max} bytes` };
}

/** Returns an error if the question does not accept a file of this kind and name. */
export function kindProblem(
  { accept }: Pick<FileQuestion, 'accept'>,
  kind: FileKind,
  filename: string | undefined,
): FileProblem | undefined {
  const isAccepted = (entry: string) =>
    entry.startsWith('.') ? hasExtension(entry.slice(1), kind, filename) : hasType(entry, kind);
  if (accept.length === 0 || accept.some(isAccepted)) return undefined;
  const quoted = accept.slice(0, MAX_QUOTED).join(', ');
  const detail = `a file must be one of ${quoted}, but this one is ${kind.contentType}`;
  return { code: 'FILE_KIND_REFUSED', detail };
}

function hasType(entry: string, { contentType }: FileKind): boolean {
  if (entry === '*/*') return true;
  if (entry.endsWith('/*')) return contentType.startsWith(entry.slice(0, -1));
  const pattern = TYPE_ALIASES.get(entry) ?? entry;
  return (
    pattern === contentType ||
    CONTAINER_FORMATS.some(([, type, container]) => type === pattern && container === contentType)
  );
}

function hasExtension(entry: string, kind: FileKind, filename: string | undefined): boolean {
  const pattern = canonicalExtension(entry);
  if (kind.extension !== undefined && canonicalExtension(kind.extension) === pattern) return true;
  const isNamed = canonicalExtension(extensionOf(filename) ?? '') === pattern;
  const isInContainer = CONTAINER_FORMATS.some(
    ([extension, , container]) => extension === pattern && container === kind.contentType,
  );
  return isNamed && (isInContainer || (!hasSignature(pattern) && isAmbiguous(kind)));
}

/** Whether files with this extension have a signature. A file without one is not of this kind, whatever its name. */
function hasSignature(extension: string): boolean {
  return supportedExtensions.has(extension) || CONTAINER_FORMATS.some(([known]) => known === extension);
}

/** Whether the bytes do not determine the kind. */
function isAmbiguous({ contentType, extension }: FileKind): boolean {
  return (
    extension === undefined || contentType === ZIP || contentType === OLD_OFFICE || contentType.startsWith('text/')
  );
}

function canonicalExtension(extension: string): string {
  return EXTENSION_ALIASES.get(extension) ?? extension;
}
