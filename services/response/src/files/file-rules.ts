import type { FileQuestion } from '@survey/questionnaire/compiled-definition';
import { supportedExtensions } from 'file-type';
import { extensionOf, MAX_FILE_BYTES } from './file.ts';
import type { FileKind } from './file-receiver.ts';

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
  ['heif', 'heic'],
  ['aiff', 'aif'],
  ['xhtml', 'html'],
]);

const ZIP = 'application/zip';
const OLD_OFFICE = 'application/x-cfb';
const OPEN_XML = 'application/vnd.openxmlformats-officedocument.';
const OPEN_DOCUMENT = 'application/vnd.oasis.opendocument.';

/** Formats that use a container format. The first bytes of a file may identify only the container. */
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

/** A media file may have the extension of any format of its group: phones and converters often use a related one. */
const IMAGE_EXTENSIONS = 'apng avif bmp gif heic ico jp2 jpg jxl png psd svg tif webp'.split(' ');
const SOUND_EXTENSIONS = 'aac aif amr flac m4a m4b mid mp3 oga ogg opus wav wma'.split(' ');
const VIDEO_EXTENSIONS = '3g2 3gp avi flv m4v mkv mov mp4 mpg ogv qt webm wmv'.split(' ');
/** Browsers and other programs may run scripts in files with these names. */
const MARKUP_EXTENSIONS = ['html', 'svg', 'xml'];

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

export function sizeProblem(question: Pick<FileQuestion, 'maxBytes'>, size: number): FileProblem | undefined {
  const max = maxBytesOf(question);
  return size <= max ? undefined : { code: 'FILE_TOO_LARGE', detail: `a file must not exceed ${max} bytes` };
}

/**
 * Returns an error if the question does not accept a file of this kind and name. Each entry of `accept` is a media type
 * or an extension. The bytes must match an entry. The extension of the name, if any, must match too, because programs
 * choose by the extension how to open a file.
 */
export function kindProblem(
  { accept }: Pick<FileQuestion, 'accept'>,
  kind: FileKind,
  filename: string | undefined,
): FileProblem | undefined {
  const nameExtension = nameExtensionOf(filename);
  function isAccepted(entry: string): boolean {
    if (!entry.startsWith('.'))
      return isOfType(entry, kind) && (nameExtension === undefined || isNameOfType(nameExtension, entry, kind));
    const isNameOfExtension = nameExtension === undefined || nameExtension === canonicalExtension(entry.slice(1));
    return isNameOfExtension && isOfExtension(entry.slice(1), kind, filename);
  }
  if (accept.length === 0 || accept.some(isAccepted)) return undefined;
  const quoted = accept.slice(0, MAX_QUOTED).join(', ');
  const name = nameExtension === undefined ? '' : `, and its name ends with .${nameExtension}`;
  const detail = `a file must be one of ${quoted}, but this one is ${kind.contentType}${name}`;
  return { code: 'FILE_KIND_REFUSED', detail };
}

/** Whether the bytes match an entry that is a media type. */
function isOfType(entry: string, { contentType }: FileKind): boolean {
  if (entry === '*/*') return true;
  if (entry.endsWith('/*')) return contentType.startsWith(entry.slice(0, -1));
  const wanted = TYPE_ALIASES.get(entry) ?? entry;
  return (
    wanted === contentType ||
    CONTAINER_FORMATS.some(([, type, container]) => type === wanted && container === contentType)
  );
}

/** Whether the extension of the name matches an entry that is a media type. Call it only if `isOfType` is true. */
function isNameOfType(nameExtension: string, entry: string, { contentType, extension }: FileKind): boolean {
  // The types in `CONTAINER_FORMATS` have no aliases.
  const format = CONTAINER_FORMATS.find(([, type, container]) => type === entry && container === contentType);
  if (format !== undefined) return format[0] === nameExtension;
  if (entry === '*/*' || (extension !== undefined && canonicalExtension(extension) === nameExtension)) return true;
  // The bytes identify only a container. The name determines the format.
  const inContainer = CONTAINER_FORMATS.find(
    ([known, , container]) => known === nameExtension && container === contentType,
  );
  if (inContainer !== undefined) return isOfType(entry, { contentType: inContainer[1], extension: nameExtension });
  if (contentType.startsWith('image/')) return IMAGE_EXTENSIONS.includes(nameExtension);
  if (/^(?:audio|video)\//.test(contentType)) return [...SOUND_EXTENSIONS, ...VIDEO_EXTENSIONS].includes(nameExtension);
  // Text and unknown bytes may have any extension of a format without signature, except markup extensions.
  return (
    lacksSignature({ contentType, extension }) &&
    !hasSignature(nameExtension) &&
    !MARKUP_EXTENSIONS.includes(nameExtension)
  );
}

/** Returns the extension of a name. An extension contains a letter and no spaces, so `Invoice No. 5` has none. */
function nameExtensionOf(filename: string | undefined): string | undefined {
  const extension = extensionOf(filename);
  return extension !== undefined && /^[a-z0-9]*[a-z][a-z0-9]*$/.test(extension)
    ? canonicalExtension(extension)
    : undefined;
}

/** Whether the bytes match an extension. If the bytes do not determine the format, the name decides. */
function isOfExtension(extension: string, kind: FileKind, filename: string | undefined): boolean {
  const wanted = canonicalExtension(extension);
  if (kind.extension !== undefined && canonicalExtension(kind.extension) === wanted) return true;
  const isNamed = canonicalExtension(extensionOf(filename) ?? '') === wanted;
  const isInContainer = CONTAINER_FORMATS.some(
    ([known, , container]) => known === wanted && container === kind.contentType,
  );
  return isNamed && (isInContainer || (!hasSignature(wanted) && mayBeUnknownFormat(kind)));
}

/** Whether files with this extension have a signature. Bytes without a signature do not match such an extension. */
function hasSignature(extension: string): boolean {
  return supportedExtensions.has(extension) || CONTAINER_FORMATS.some(([known]) => known === extension);
}

/** Whether the bytes have no signature, such as text. */
function lacksSignature({ contentType, extension }: FileKind): boolean {
  return extension === undefined || contentType.startsWith('text/');
}

/** Whether the bytes may have a format that neither `file-type` nor `CONTAINER_FORMATS` knows. */
function mayBeUnknownFormat(kind: FileKind): boolean {
  return lacksSignature(kind) || kind.contentType === ZIP || kind.contentType === OLD_OFFICE;
}

function canonicalExtension(extension: string): string {
  return EXTENSION_ALIASES.get(extension) ?? extension;
}
