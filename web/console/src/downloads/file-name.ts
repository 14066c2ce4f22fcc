/** Separators of paths, characters that file systems reserve, and control and format characters. */
const UNSAFE = /[/\\:*?"<>|]|\p{Cc}|\p{Cf}/gu;
const MAX_LENGTH = 150;

/**
 * Returns a name that is safe to suggest for a file. Respondents choose the names of their files. Such a name could
 * contain characters that change the direction of the text, and so seem to have another extension.
 */
export function safeFileName(name: string, fallback = 'download'): string {
  const safe = name.replace(UNSAFE, '_').replace(/^[.\s]+|[.\s]+$/g, '');
  if (safe === '') return fallback;
  const extension = /\.[a-z0-9]{1,10}$/i.exec(safe)?.[0] ?? '';
  const stem = safe.slice(0, safe.length - extension.length);
  return stem.slice(0, MAX_LENGTH).toWellFormed() + extension;
}
